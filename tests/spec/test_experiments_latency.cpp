// workloads/experiments/ on what warps are for: hiding latency, and where more of them do not help. Each test
// is a claim; the caps that help and hurt are in test_register_caps.cpp.
#include "support/experiment.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace smsim;
using namespace smsim::test;

namespace {

std::string dynamic_kib(int size) { return "launch.shared_memory.dynamic=" + std::to_string(size) + " KiB"; }

RunResult saturation(std::uint64_t warps, std::uint64_t max_cycles)
{
  return run_shipped("saturation", "h100", {"launch.grid=" + std::to_string(warps)}, 1, "gto", max_cycles);
}

}  // namespace

TEST_CASE("saturation comes with the warp with which W k reaches k + L: below it the scheduler has idle "
          "cycles, from it on it issues in each")
{
  // Instructions of one scheduler in 80 periods of k + L = 110 cycles, before the first warp ends.
  const auto issued = [](std::uint64_t warps) {
    return (saturation(warps, 100 * 110).instructions() - saturation(warps, 20 * 110).instructions()) / 4;
  };
  for (std::uint64_t warps = 1; warps <= 16; ++warps) {
    CAPTURE(warps);
    CHECK(issued(warps) == 80 * std::min<std::uint64_t>(warps * 10, 110));
  }
  const auto whole = RunOptions{}.max_cycles;
  CHECK(saturation(10, whole).cycles == 9 * 10 + 99 * 110 + 10);
  CHECK(saturation(11, whole).cycles == 10 * 10 + 99 * 110 + 10);
  CHECK(saturation(11, whole).ipc() == 4);
}

TEST_CASE("a compute-bound kernel is as fast at 25 percent occupancy as at 100")
{
  const RunResult quarter = run_shipped("compute_bound", "h100");
  const RunResult full = run_shipped("compute_bound", "h100", {dynamic_kib(0)});
  const RunResult eighth = run_shipped("compute_bound", "h100", {dynamic_kib(200)});
  CHECK(eighth.occupancy.ratio() == 0.125);
  CHECK(quarter.occupancy.ratio() == 0.25);
  CHECK(full.occupancy.ratio() == 1);
  const double cycles = static_cast<double>(full.cycles);
  CHECK(static_cast<double>(quarter.cycles) == doctest::Approx(cycles).epsilon(0.01));
  CHECK(static_cast<double>(eighth.cycles) == doctest::Approx(cycles).epsilon(0.01));
  CHECK(full.ipc() > 3.95);
}

TEST_CASE("a memory-bound kernel needs many warps, and no more once the bandwidth is full")
{
  std::vector<double> cycles;
  std::vector<std::uint64_t> warps;
  for (const int size : {200, 100, 50, 25, 12}) {
    const RunResult result = run_shipped("memory_bound", "h100", {dynamic_kib(size)});
    warps.push_back(result.occupancy.warps_per_sm);
    cycles.push_back(static_cast<double>(result.cycles));
  }
  CHECK(warps == std::vector<std::uint64_t>{4, 8, 16, 32, 64});
  CHECK(cycles[0] / cycles[1] == doctest::Approx(2).epsilon(0.01));
  CHECK(cycles[1] / cycles[2] == doctest::Approx(2).epsilon(0.01));
  CHECK(cycles[3] < cycles[2]);
  CHECK(cycles[4] == doctest::Approx(cycles[3]).epsilon(0.01));
  // All accesses of 128 bytes at 12.8 bytes a cycle.
  const double least = 64 * 4 * 20 * 4 * 128 / 12.8;
  CHECK(cycles[4] >= least);
  CHECK(cycles[4] < 1.01 * least);
}

TEST_CASE("where blocks wait at barriers more blocks help and more warps in a block do not")
{
  const auto cycles = [](const std::string& more, std::uint64_t warps) {
    const RunResult result = run_shipped("barrier_limited", "h100", {more});
    CHECK(result.occupancy.warps_per_sm == warps);
    const auto waiting = static_cast<double>(in_state(result, WarpState::barrier));
    CHECK(waiting > 0.8 * static_cast<double>(result.active_warp_cycles()));
    return static_cast<double>(result.cycles);
  };
  const double one = cycles(dynamic_kib(200), 8);
  CHECK(cycles(dynamic_kib(100), 16) < 0.51 * one);
  CHECK(cycles(dynamic_kib(50), 32) < 0.26 * one);
  CHECK(cycles("launch.block=512", 16) >= one);
  CHECK(cycles("launch.block=1024", 32) >= one);
}

TEST_CASE("a larger carveout holds more blocks and is faster, until what it leaves to L1 is too small for "
          "them")
{
  const auto cycles = [](const std::string& size, std::uint64_t blocks) {
    const RunResult result = run_shipped("carveout_against_l1", "a100", {"launch.carveout=" + size});
    CHECK(result.occupancy.blocks_per_sm == blocks);
    return result.cycles;
  };
  const std::uint64_t best = cycles("100 KiB", 12);
  const std::uint64_t of64 = cycles("64 KiB", 8);
  const std::uint64_t of32 = cycles("32 KiB", 4);
  CHECK(best < of64);
  CHECK(of64 < of32);
  CHECK(of32 < cycles("16 KiB", 2));
  CHECK(cycles("132 KiB", 16) > best * 19 / 10);
}

TEST_CASE("were switching warps not free, round robin would lose far more than a greedy policy")
{
  const auto lost = [](const std::string& policy, int penalty) {
    const auto cycles = [&](int c) {
      const RunResult result =
          run_shipped("context_switch", "h100", {"scheduler.switch_penalty=" + std::to_string(c)}, 1, policy);
      return static_cast<double>(result.cycles);
    };
    return cycles(penalty) / cycles(0) - 1;
  };
  double before = 0;
  for (const int penalty : {1, 2, 4}) {
    CAPTURE(penalty);
    const double greedy = lost("gto", penalty);
    CHECK(greedy > before);
    // A switch each 20 instructions.
    CHECK(greedy == doctest::Approx(penalty / 20.0).epsilon(0.01));
    CHECK(lost("lrr", penalty) > 10 * greedy);
    before = greedy;
  }
}

TEST_CASE(
    "both sides of a branch wait for memory one after the other with a stack, together with independent "
    "threads")
{
  const RunResult stack = run_shipped("divergence", "a100", {"divergence=stack"});
  const RunResult independent = run_shipped("divergence", "a100", {"divergence=independent"});
  CHECK(stack.instructions() == independent.instructions());
  CHECK(static_cast<double>(independent.cycles) < 0.55 * static_cast<double>(stack.cycles));
}

// workloads/experiments/ on how many warps are there: limits, waves and idle SMs. Each test is a claim; the
// commands are in the workloads' comments, the figures in docs/experiments.md.
#include "support/experiment.h"
#include "support/program.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace smsim;
using namespace smsim::test;
using Json = nlohmann::ordered_json;

namespace {

using Limiters = std::vector<Limiter>;

std::uint64_t most_resident(const RunResult& result)
{
  std::uint64_t most = 0;
  for (const SmResult& sm : result.sms)
    most = std::max(most, sm.most_resident_blocks);
  return most;
}

std::ptrdiff_t sms_without_a_block(const RunResult& result)
{
  return std::count_if(result.sms.begin(), result.sms.end(),
                       [](const SmResult& sm) { return sm.blocks == 0; });
}

double ratio_of(const RunResult& one, const RunResult& other)
{
  return static_cast<double>(one.cycles) / static_cast<double>(other.cycles);
}

/// B blocks of one length on n places.
double share_of_waves(std::uint64_t grid, std::uint64_t places)
{
  const std::uint64_t waves = (grid + places - 1) / places;
  return static_cast<double>(grid) / static_cast<double>(waves * places);
}

}  // namespace

TEST_CASE("the worked example: three blocks, 24 of 64 warps, 37.5 percent, and achieved close below")
{
  const RunResult result = run_shipped("worked_example", "a100", {}, 108);
  CHECK(result.occupancy.limit(Limiter::warps) == 8);
  CHECK(result.occupancy.limit(Limiter::registers) == 4);
  CHECK(result.occupancy.limit(Limiter::shared_memory) == 3);
  CHECK(result.occupancy.limiters == Limiters{Limiter::shared_memory});
  CHECK(result.occupancy.warps_per_sm == 24);
  CHECK(result.occupancy.ratio() == 0.375);
  CHECK(most_resident(result) == 3);
  CHECK(result.waves() == 10);
  CHECK(result.achieved_occupancy() < 0.375);
  CHECK(result.achieved_occupancy() > 0.365);
}

TEST_CASE("the 33rd register costs a quarter of the warps")
{
  const std::string more = "launch.registers_per_thread=33";
  const RunResult with32 = run_shipped("registers_32_or_33", "h100");
  const RunResult with33 = run_shipped("registers_32_or_33", "h100", {more});
  CHECK(with32.occupancy.ratio() == 1);
  CHECK(with33.occupancy.ratio() == 0.75);
  CHECK(with33.occupancy.registers_per_warp == 1280);
  CHECK(with33.occupancy.limiters == Limiters{Limiter::registers});
  CHECK(most_resident(with33) == 6);
  CHECK(ratio_of(with33, with32) > 1.3);
}

TEST_CASE("with all registers in one pool 33 registers let 51 warps on an SM, with exact registers 62")
{
  const std::string pooled = SMSIM_SOURCE_DIR "/workloads/experiments/pooled_registers.yaml";
  const auto resident = [&](std::vector<std::string> more) {
    more.emplace_back("launch.registers_per_thread=33");
    const RunResult result = run_shipped("registers_32_or_33", pooled, more);
    CHECK(most_resident(result) == result.occupancy.blocks_per_sm);
    return result.occupancy.warps_per_sm;
  };
  const std::vector<std::string> one_warp{"launch.block=32", "launch.grid=512"};
  std::vector<std::string> exact{"register_file.allocation_unit=32"};
  CHECK(resident(one_warp) == 51);
  // Blocks of eight warps leave three of the 51 out.
  CHECK(resident({}) == 48);
  CHECK(resident(exact) == 56);
  exact.insert(exact.end(), one_warp.begin(), one_warp.end());
  CHECK(resident(exact) == 62);
}

TEST_CASE("the register ladder of an H100: warps rise by steps, each the calculator's, and the SM holds them")
{
  const Json report =
      Json::parse(smsim::test::smsim("registers register_ladder --arch h100 --sms 1 --format json").out);
  const std::vector<std::pair<int, int>> steps{{255, 8}, {168, 12}, {128, 16}, {96, 20}, {80, 24},
                                               {72, 28}, {64, 32},  {56, 36},  {48, 40}, {40, 48},
                                               {32, 64}, {24, 64},  {16, 64},  {8, 64}};
  REQUIRE(report["rows"].size() == steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Json& row = report["rows"][i];
    CHECK(row["registers"] == steps[i].first);
    CHECK(row["warps_per_sm"] == steps[i].second);
    CHECK(row["spilled_values"] == 0);
    if (i > 0) CHECK(row["cycles"] <= report["rows"][i - 1]["cycles"]);
  }
  CHECK(report["best"] == 32);
  // Between two steps nothing changes: each count has the warps of the step at or above it.
  const ArchConfig h100 = arch("h100");
  Diagnostics diagnostics;
  KernelConfig kernel = load_workload("register_ladder", {}, diagnostics).kernel;
  for (std::uint32_t registers = 1; registers <= 255; ++registers) {
    kernel.registers_per_thread = registers;
    const auto step = std::find_if(steps.rbegin(), steps.rend(),
                                   [&](const auto& s) { return s.first >= static_cast<int>(registers); });
    CAPTURE(registers);
    CHECK(calculate_occupancy(h100, kernel).warps_per_sm == static_cast<std::uint64_t>(step->second));
  }
  for (const auto& [registers, warps] : steps) {
    const RunResult result =
        run_shipped("register_ladder", "h100", {"launch.max_registers=" + std::to_string(registers)});
    CHECK(4 * most_resident(result) == static_cast<std::uint64_t>(warps));
  }
}

TEST_CASE(
    "four waves on the whole GPU, the last a quarter full, achieve exactly 81.25 percent of theoretical")
{
  const RunResult result = run_shipped("four_waves", "h100", {"dispatch.launch_latency=1000"}, 132);
  CHECK(result.cycles == 4000);
  CHECK(result.waves() == 3.25);
  CHECK(result.occupancy.ratio() == 1);
  CHECK(result.achieved_occupancy() == 0.8125);
  CHECK(result.achieved_occupancy_elapsed() == 0.8125);
}

TEST_CASE("from 1 to 5 waves of equal blocks achieved is theoretical x waves / waves rounded up, exactly")
{
  for (std::uint64_t grid = 32; grid <= 160; ++grid) {
    CAPTURE(grid);
    const RunResult result = run_shipped(
        "four_waves", "h100", {"dispatch.launch_latency=1000", "launch.grid=" + std::to_string(grid)}, 4);
    CHECK(result.achieved_occupancy_elapsed() == share_of_waves(grid, 32));
  }
}

TEST_CASE("from 1 to 5 waves of blocks that work, achieved occupancy is within 1.1 percent of the same saw")
{
  for (std::uint64_t grid = 32; grid <= 160; grid += 8) {
    CAPTURE(grid);
    const RunResult result = run_shipped("wave_sweep", "h100", {"launch.grid=" + std::to_string(grid)}, 4);
    CHECK(result.occupancy.ratio() == 1);
    CHECK(result.achieved_occupancy_elapsed() / share_of_waves(grid, 32) ==
          doctest::Approx(1).epsilon(0.011));
  }
}

TEST_CASE("a small grid of large blocks leaves half of the SMs without work")
{
  const RunResult large = run_shipped("large_blocks", "h100", {}, 132);
  const RunResult small = run_shipped("large_blocks", "h100", {"launch.grid=264", "launch.block=256"}, 132);
  CHECK(large.occupancy.ratio() == 1);
  CHECK(small.occupancy.ratio() == 1);
  CHECK(sms_without_a_block(large) == 66);
  CHECK(sms_without_a_block(small) == 0);
  CHECK(large.instructions() == small.instructions());
  CHECK(ratio_of(large, small) > 1.9);
}

TEST_CASE("uneven blocks leave SMs idle although theoretical occupancy is 100 percent")
{
  const RunResult uneven = run_shipped("uneven_blocks", "h100", {}, 4);
  CHECK(uneven.occupancy.ratio() == 1);
  CHECK(uneven.achieved_occupancy() < 0.4);
  CHECK(uneven.achieved_occupancy_elapsed() < 0.25);
  // One SM works to the end; the least busy is idle for more than half of the time.
  std::uint64_t least = uneven.cycles;
  for (const SmResult& sm : uneven.sms)
    least = std::min(least, sm.active_cycles);
  CHECK(2 * least < uneven.cycles);
  CHECK(uneven.tail_cycles() > uneven.cycles / 2);
  const std::string equal =
      "program=[{loop: {count: {per: block, distribution: constant, value: 205}, branch: true, "
      "body: [\"ld.global r4, [r2]\", \"ffma r5, r4, r4, r5\"]}}, \"st.global [r3], r5\"]";
  const RunResult even = run_shipped("uneven_blocks", "h100", {equal}, 4);
  CHECK(even.achieved_occupancy_elapsed() > 0.99);
  CHECK(even.instructions() == doctest::Approx(static_cast<double>(uneven.instructions())).epsilon(0.05));
  CHECK(ratio_of(uneven, even) > 4);
}

TEST_CASE("shared memory one byte over a boundary loses a block")
{
  const RunResult fits = run_shipped("shared_boundary", "h100");
  const RunResult over = run_shipped("shared_boundary", "h100", {"launch.shared_memory.dynamic=57345"});
  CHECK(fits.occupancy.blocks_per_sm == 4);
  CHECK(4 * fits.occupancy.shared_bytes_per_block == fits.occupancy.shared_bytes_per_sm);
  CHECK(over.occupancy.shared_bytes_per_block == fits.occupancy.shared_bytes_per_block + 128);
  CHECK(over.occupancy.limiters == Limiters{Limiter::shared_memory});
  CHECK(most_resident(over) == 3);
  CHECK(ratio_of(over, fits) == doctest::Approx(4.0 / 3).epsilon(0.01));
}

TEST_CASE("static shared memory that no instruction uses limits the blocks all the same")
{
  const RunResult declared = run_shipped("unused_shared", "h100");
  const RunResult without = run_shipped("unused_shared", "h100", {"launch.shared_memory.static=0"});
  CHECK(declared.occupancy.limiters == Limiters{Limiter::shared_memory});
  CHECK(most_resident(declared) == 4);
  CHECK(most_resident(without) == 16);
  CHECK(declared.instructions() == without.instructions());
  CHECK(ratio_of(declared, without) > 3.9);
}

TEST_CASE("a carveout smaller than the SM's memory limits the blocks")
{
  const RunResult asked = run_shipped("small_carveout", "h100");
  const RunResult largest = run_shipped("small_carveout", "h100", {"launch.carveout=100%"});
  CHECK(asked.occupancy.shared_bytes_per_sm == 32 * 1024);
  CHECK(asked.occupancy.limiters == Limiters{Limiter::shared_memory});
  CHECK(most_resident(asked) == 4);
  CHECK(largest.occupancy.limit(Limiter::shared_memory) == 28);
  CHECK(most_resident(largest) == 16);
  CHECK(ratio_of(asked, largest) > 3.5);
}

TEST_CASE("a kernel limited by registers and warp slots gains only from an SM with twice of both")
{
  const std::string registers = "register_file.registers=131072";
  const std::string warps = "sm.max_warps=128";
  const std::vector<std::string> shared{"shared_memory.unified_capacity=512 KiB",
                                        "shared_memory.carveouts=[456 KiB]"};
  const auto cycles = [](const std::vector<std::string>& doubled, std::uint64_t blocks) {
    const RunResult result = run_shipped("doubled_sm", "h100", doubled);
    CHECK(most_resident(result) == blocks);
    return result.cycles;
  };
  const std::uint64_t plain = cycles({}, 8);
  CHECK(cycles({registers}, 8) == plain);
  CHECK(cycles({warps}, 8) == plain);
  CHECK(cycles(shared, 8) == plain);
  CHECK(cycles({registers, warps}, 16) < 0.51 * static_cast<double>(plain));
  // With 27 KiB of shared memory in each block all three limits are 8.
  const std::string third = "launch.shared_memory.dynamic=27 KiB";
  CHECK(cycles({registers, warps, third}, 8) == plain);
  CHECK(cycles({registers, shared[0], shared[1], third}, 8) == plain);
  CHECK(cycles({warps, shared[0], shared[1], third}, 8) == plain);
  CHECK(cycles({registers, warps, shared[0], shared[1], third}, 16) < 0.51 * static_cast<double>(plain));
}

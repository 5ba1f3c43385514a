// Waves of equal blocks: achieved occupancy, tails, and the dispatcher against the calculator.
#include "base/random.h"
#include "support/kernels.h"

#include <doctest/doctest.h>

using namespace smsim;
using namespace smsim::test;

namespace {

/// A kernel whose blocks live exactly `dispatch.launch_latency` cycles and issue nothing, so that no block's
/// length depends on who else is there.
Workload fixed_length(std::uint64_t grid, std::uint64_t threads, const std::string& more_launch)
{
  return kernel(grid, threads, "  - loop: {count: 0, body: [nop]}\n", more_launch);
}

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}  // namespace

TEST_CASE("equal blocks of fixed length: achieved = theoretical x (B/n) / ceil(B/n), exactly")
{
  struct Case {
    const char* preset;
    std::uint64_t threads;
    const char* launch;
  };
  const Case cases[] = {
      {"a100", 256, "  shared_memory: {static: 48 KiB}\n"},  // 3 blocks, shared memory
      {"h100", 256, ""},                                     // 8 blocks, warps and registers
      {"rtx3090", 96, ""},                                   // 16 blocks of 3 warps
      {"h100", 64, "  barriers: 16\n"},                      // 4 blocks, barriers
      {"t4", 1024, ""},                                      // 1 block
      {"p100", 224, ""},                                     // two sub-partitions, 7 warps
  };
  for (const Case& c : cases) {
    CAPTURE(c.preset);
    CAPTURE(c.threads);
    const ArchConfig sm = arch(c.preset, {"dispatch.launch_latency=100"});
    const std::uint64_t n =
        calculate_occupancy(sm, fixed_length(1, c.threads, c.launch).kernel).blocks_per_sm;
    REQUIRE(n >= 1);
    for (std::uint64_t b = 1; b <= 4 * n + 1; ++b) {
      CAPTURE(b);
      const RunResult result = run(sm, fixed_length(b, c.threads, c.launch));
      CHECK(result.cycles == 100 * divide_up(b, n));
      // achieved / theoretical == (B/n) / ceil(B/n), multiplied out so that no rounding can hide a difference
      const std::uint64_t warps = result.occupancy.warps_per_block;
      CHECK(result.active_warp_cycles() * divide_up(b, n) == warps * b * result.active_cycles());
      CHECK(result.achieved_occupancy() == result.achieved_occupancy_elapsed());
      CHECK(result.full_waves() == b / n);
    }
  }
}

TEST_CASE("the same holds where blocks issue, if no two warps share a scheduler")
{
  const ArchConfig sm = arch("h100", {"sm.sub_partitions=64", "sm.max_barriers=none"});
  for (std::uint64_t b = 1; b <= 33; ++b) {
    const RunResult result = run(sm, kernel(b, 256, "  - {op: nop, stall: 50}\n  - nop\n"));
    CHECK(result.cycles == 51 * divide_up(b, 8));
    CHECK(result.active_warp_cycles() * divide_up(b, 8) == 8 * b * result.active_cycles());
  }
}

TEST_CASE("published examples of achieved occupancy in a tail")
{
  // 64 warps, 8 blocks of 8 warps: 8 blocks fill it, 9 need a second wave for one.
  const ArchConfig h100 = arch("h100", {"dispatch.launch_latency=1000"});
  CHECK(run(h100, fixed_length(8, 256, "")).achieved_occupancy() == 1.0);
  CHECK(run(h100, fixed_length(9, 256, "")).achieved_occupancy() == 0.5625);
  CHECK(run(h100, fixed_length(12, 256, "")).achieved_occupancy() == 0.75);
  CHECK(run(h100, fixed_length(16, 256, "")).achieved_occupancy() == 1.0);
  // Four waves of which the last is a quarter full: 81.25 % of theoretical.
  CHECK(run(h100, fixed_length(26, 256, "")).achieved_occupancy() == 0.8125);
}

TEST_CASE("a long grid reaches exactly the calculator's resident blocks, never more: 1000 random launches")
{
  std::vector<ArchConfig> archs;
  for (const PresetInfo& preset : list_arch_presets())
    archs.push_back(arch(preset.name));
  std::uint64_t draws = 0;
  const auto draw = [&](std::uint64_t below) { return draw_u32({2026, 0, 0, 0, draws++}) % below; };
  int launched = 0;
  while (launched < 1000) {
    const ArchConfig& sm = archs[draw(archs.size())];
    Workload w = kernel(1, 32, "  - {op: nop, stall: 20}\n  - nop\n");
    w.kernel.block = {static_cast<std::uint32_t>(1 + draw(1024)), 1, 1};
    w.kernel.registers_per_thread = static_cast<std::uint32_t>(draw(256));
    w.kernel.static_shared_bytes = draw(3) == 0 ? draw(48 * 1024) : 0;
    w.kernel.dynamic_shared_bytes = draw(3) == 0 ? draw(sm.shared_memory.max_per_block) : draw(4096);
    w.kernel.barriers = static_cast<std::uint32_t>(draw(4) == 0 ? draw(17) : 1);
    if (draw(3) == 0) w.kernel.carveout = {Carveout::Kind::percent, draw(101)};
    const std::uint64_t n = resident_blocks(sm, w.kernel);
    if (n == 0) continue;
    ++launched;
    w.kernel.grid = {static_cast<std::uint32_t>(3 * n + 1), 1, 1};
    const RunResult result = run(sm, w);
    CAPTURE(sm.name);
    CAPTURE(w.kernel.block[0]);
    CAPTURE(w.kernel.registers_per_thread);
    CHECK(result.sms[0].most_resident_blocks == n);
    CHECK(result.sms[0].blocks == 3 * n + 1);
  }
}

TEST_CASE("blocks of three warps with 40 registers fill the SM with balanced placement and not with modulo")
{
  // 16 blocks of 3 warps are 12 warps in each sub-partition; restarting at sub-partition 0 leaves the last
  // one empty.
  const Workload w = kernel(64, 96, "  - {op: nop, stall: 50}\n  - nop\n");
  Workload w40 = w;
  w40.kernel.registers_per_thread = 40;
  CHECK(run(arch("a100"), w40).sms[0].most_resident_blocks == 16);
  CHECK(run(arch("a100", {"dispatch.placement=modulo"}), w40).sms[0].most_resident_blocks == 12);
}

TEST_CASE("several SMs share the grid, one block each before any gets its second")
{
  const ArchConfig h100 = arch("h100", {"dispatch.launch_latency=100"});
  const RunResult result = run(h100, fixed_length(20, 256, ""), {}, RunOptions{}.max_cycles, 3);
  CHECK(result.sms[0].blocks == 7);
  CHECK(result.sms[1].blocks == 7);
  CHECK(result.sms[2].blocks == 6);
  CHECK(result.cycles == 100);
  CHECK(result.active_warp_cycles() == 20 * 8 * 100);
}

TEST_CASE("waves and the tail: the cycles after the last launch and the slots empty in them")
{
  const ArchConfig h100 = arch("h100", {"dispatch.launch_latency=100"});
  const RunResult result = run(h100, fixed_length(26, 256, ""));
  CHECK(result.waves() == 3.25);
  CHECK(result.full_waves() == 3);
  CHECK(result.tail_cycles() == 100);
  CHECK(result.tail_empty_slot_cycles() == 100 * (64 - 2 * 8));
}

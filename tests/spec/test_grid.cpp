// The grid over many SMs: launch order, clusters, waves and tails, in whole runs.
#include "engine/tail_analysis.h"
#include "occupancy/clusters.h"
#include "sm/launch_order.h"
#include "support/kernels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace smsim;
using namespace smsim::test;

namespace {

/// One block an SM at a time: it takes nearly all of the shared memory.
const std::string whole_sm = "  shared_memory: {dynamic: 200 KiB}\n";

ArchConfig h100(std::vector<std::string> more = {})
{
  more.emplace_back("memory.dram.bytes_per_cycle=none");
  return arch("h100", more);
}

RunResult run_on(const ArchConfig& sm, const Workload& w, std::uint32_t sms)
{
  return run(sm, w, {}, std::uint64_t{1} << 40U, sms);
}

std::vector<std::uint64_t> blocks_by_sm(const RunResult& result)
{
  std::vector<std::uint64_t> blocks;
  for (const SmResult& sm : result.sms)
    blocks.push_back(sm.blocks);
  return blocks;
}

/// Blocks of 32 threads that wait for the given numbers of cycles.
Workload sleepers(const std::vector<int>& cycles, const std::string& more_launch)
{
  std::string values;
  for (const int c : cycles)
    values += (values.empty() ? "" : ", ") + std::to_string(c);
  return kernel(cycles.size(), 32,
                "  - loop: {count: {per: block, values: [" + values + "]}, body: [{op: nop, stall: 1}]}\n",
                more_launch);
}

}  // namespace

TEST_CASE("blocks are spread over the SMs, or fill one before the next")
{
  const Workload six = kernel(6, 256, "  - nanosleep 100\n  - nop\n");
  CHECK(blocks_by_sm(run_on(h100(), six, 4)) == std::vector<std::uint64_t>{2, 2, 1, 1});
  CHECK(blocks_by_sm(run_on(h100({"dispatch.fill=depth_first"}), six, 4)) ==
        std::vector<std::uint64_t>{6, 0, 0, 0});
  // 8 of these fit.
  const Workload twenty = kernel(20, 256, "  - nanosleep 100\n  - nop\n");
  CHECK(blocks_by_sm(run_on(h100({"dispatch.fill=depth_first"}), twenty, 4)) ==
        std::vector<std::uint64_t>{8, 8, 4, 0});
}

TEST_CASE("a launch interval holds for each SM by itself")
{
  const RunResult result = run_on(h100({"dispatch.launch_interval=50"}), kernel(6, 32, "  - nop\n"), 2);
  // Three blocks each, at 0, 50 and 100.
  CHECK(blocks_by_sm(result) == std::vector<std::uint64_t>{3, 3});
  CHECK(result.cycles == 101);
}

TEST_CASE("the longest block first shortens the tail that the grid's order leaves")
{
  const Workload w = sleepers({10, 10, 10, 10, 40}, whole_sm);
  const RunResult in_order = run_on(h100(), w, 2);
  // 10 + 10 on each SM, then 40 on one.
  CHECK(in_order.cycles == 60);
  CHECK(occupancy_loss(in_order).launch_order > 0);
  const RunResult longest = run_on(h100({"dispatch.order=longest_first"}), w, 2);
  // 40 beside 4 x 10.
  CHECK(longest.cycles == 40);
  CHECK(occupancy_loss(longest).total == 0);
}

TEST_CASE("a block longer than all the rest leaves SMs idle in any order, and is named as the cause")
{
  const RunResult result =
      run_on(h100({"dispatch.order=longest_first"}), sleepers({100, 10, 10, 10}, whole_sm), 2);
  CHECK(result.cycles == 100);
  const OccupancyLoss loss = occupancy_loss(result);
  // 70 cycles of one slot. Average blocks of 32.5 would take two waves of 65: what outlasts them, 35 cycles
  // of both SMs, no order could avoid.
  CHECK(loss.total == 70);
  CHECK(loss.uneven_blocks == 70);
}

TEST_CASE("a random order is a permutation, another for each seed")
{
  const ArchConfig sm = h100();
  const Workload w = kernel(1, 32, "  - nop\n");
  Diagnostics diagnostics;
  const BoundProgram program = bind_program(w.program, sm, w.kernel, 1, diagnostics);
  for (std::uint64_t clusters = 1; clusters <= 300; ++clusters) {
    const LaunchOrder order(BlockOrder::random, clusters, 1, program, w.kernel, 32, 7);
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < clusters; ++i)
      seen.insert(order[i]);
    CHECK(seen.size() == clusters);
    CHECK(*seen.rbegin() == clusters - 1);
  }
  const LaunchOrder one(BlockOrder::random, 1000, 1, program, w.kernel, 32, 1);
  const LaunchOrder two(BlockOrder::random, 1000, 1, program, w.kernel, 32, 2);
  std::uint64_t same = 0;
  for (std::uint64_t i = 0; i < 1000; ++i)
    same += one[i] == two[i] ? 1U : 0U;
  CHECK(same < 20);  // one is expected
}

TEST_CASE("maximum active clusters: whole GPCs, whole clusters, the rest of the SMs is idle")
{
  const ArchConfig sm = h100();  // GPCs of 18, 18, 18, 18, 18, 18, 18 and 6 SMs
  const auto active = [&](std::uint32_t cluster) {
    const Workload w = kernel(48, 1024, "  - nanosleep 1000\n  - nop\n",
                              whole_sm + "  cluster: " + std::to_string(cluster) + "\n");
    return max_active_clusters(sm, w.kernel, calculate_occupancy(sm, w.kernel), sm.sms);
  };
  CHECK(active(1) == 132);
  CHECK(active(2) == 66);
  CHECK(active(4) == 7 * 4 + 1);
  CHECK(active(8) == 7 * 2);
  CHECK(active(16) == 7);

  const auto result = [&](std::uint64_t count) {
    return run_on(sm, kernel(16 * count, 1024, "  - nanosleep 1000\n  - nop\n", whole_sm + "  cluster: 16\n"),
                  132);
  };
  const RunResult wave = result(7);
  CHECK(wave.waves() == doctest::Approx(1));
  const std::vector<std::uint64_t> blocks = blocks_by_sm(wave);
  CHECK(std::count(blocks.begin(), blocks.end(), 0) == 132 - 7 * 16);
  // 8 warps a scheduler: the last sleeps from 7 to 1007 and issues once more.
  CHECK(wave.cycles == 1008);
  CHECK(result(14).cycles == 2 * 1008);
  CHECK(result(8).cycles == 2 * 1008);
}

TEST_CASE("a cluster launches whole: it waits until all of its blocks fit")
{
  // Two SMs of one GPC, a block each. The first cluster's blocks take 10 and 50 cycles, the next follows
  // at 50.
  const Workload w = sleepers({10, 50, 10, 10}, whole_sm + "  cluster: 2\n");
  CHECK(run_on(h100(), w, 2).cycles == 60);
  CHECK(run_on(h100(), sleepers({10, 50, 10, 10}, whole_sm), 2).cycles == 50);
  const OccupancyLoss loss = occupancy_loss(run_on(h100(), w, 2));
  CHECK(loss.before_tail == 40);
  CHECK(loss.total == 40);
}

TEST_CASE("clusters of single SMs and of a whole GPC, in both engines")
{
  for (const std::uint32_t cluster : {1U, 2U, 3U, 4U, 6U}) {
    CAPTURE(cluster);
    const Workload w =
        kernel(24, 64, "  - ld.global r4, [r2]\n  - fadd r5, r4, r4\n",
               "  shared_memory: {dynamic: 60 KiB}\n  cluster: " + std::to_string(cluster) + "\n");
    const ArchConfig sm = h100({"dispatch.sms_per_gpc=6", "dispatch.launch_interval=7"});
    RunOptions options;
    options.sms = 14;
    const RunResult event = run_kernel(sm, w, options);
    options.engine = Engine::every_cycle;
    const RunResult plain = run_kernel(sm, w, options);
    CHECK(event.cycles == plain.cycles);
    CHECK(blocks_by_sm(event) == blocks_by_sm(plain));
    CHECK(event.blocks_run() == 24);
  }
}

TEST_CASE(
    "four waves, the last a quarter full: achieved is 81.25 percent of theoretical, and the partial wave is "
    "all of the loss")
{
  const ArchConfig sm = h100({"dispatch.launch_latency=100"});
  // Blocks that only wait out the launch latency, 8 on each of 4 SMs.
  const Workload w = kernel(32 * 3 + 8, 256, "  - loop: {count: 0, body: [nop]}\n");
  const RunResult result = run_on(sm, w, 4);
  CHECK(result.cycles == 400);
  CHECK(result.achieved_occupancy_elapsed() == doctest::Approx(0.8125));
  const OccupancyLoss loss = occupancy_loss(result);
  CHECK(loss.partial_wave == loss.total);
  CHECK(result.full_waves() == 3);
  CHECK(*nsight_tail_effect(result) == doctest::Approx(0.25));
}

TEST_CASE("the launches that are recommended against a tail end in a full wave")
{
  const ArchConfig sm = h100();
  for (const std::uint64_t grid : {1U, 7U, 31U, 33U, 100U, 1000U})
    for (const std::uint64_t threads : {32U, 96U, 256U, 384U, 1024U}) {
      CAPTURE(grid);
      CAPTURE(threads);
      const Workload w = kernel(grid, threads, "  - nop\n");
      const RunResult result = run_on(sm, w, 4);
      const WithoutTail near = without_tail(sm, w.kernel, result);
      CHECK(near.grid_above % result.block_places() == 0);
      CHECK(near.grid_above >= grid);
      CHECK(near.grid_above < grid + result.block_places());
      if (near.grid_below) CHECK(*near.grid_below % result.block_places() == 0);
      if (!near.block) continue;
      const RunResult better = run_on(sm, kernel(near.block->grid, near.block->threads, "  - nop\n"), 4);
      CHECK(better.grid % better.block_places() == 0);
      CHECK(near.block->grid * near.block->threads >= grid * threads);
    }
}

TEST_CASE("SMs that get no block count as idle, and their slots as lost")
{
  const RunResult result = run_on(h100(), kernel(2, 32, "  - nanosleep 100\n  - nop\n"), 4);
  CHECK(blocks_by_sm(result) == std::vector<std::uint64_t>{1, 1, 0, 0});
  CHECK(sm_imbalance(result) == doctest::Approx(1));
  CHECK(result.achieved_occupancy() == doctest::Approx(2 * result.achieved_occupancy_elapsed()));
}

// What holds for every run on a GPU of many SMs: blocks run once each, figures of SMs add up, losses add up,
// and no number depends on the threads.
#include "differential/random_case.h"
#include "engine/tail_analysis.h"
#include "support/kernels.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace smsim;
using namespace smsim::test;

namespace {

RunResult run_case(const RandomCase& c, std::uint32_t threads)
{
  RunOptions options = c.options(20'000);
  options.threads = threads;
  return run_kernel(arch("h100", c.arch_overrides), workload(c.workload_yaml()), options);
}

}  // namespace

TEST_CASE(
    "whatever the run: blocks run once each, SMs add up to the GPU, states to active warps, and the losses "
    "to what theory allows less what was achieved")
{
  int ran = 0;
  for (std::uint64_t number = 1; number <= 400; ++number) {
    CAPTURE(number);
    try {
      const RunResult r = run_case(draw_case(number), 1);
      ++ran;
      std::uint64_t in_states = 0;
      for (const std::uint64_t cycles : r.states())
        in_states += cycles;
      CHECK(in_states == r.active_warp_cycles());
      if (!r.stopped_early) CHECK(r.blocks_run() == r.grid);
      const OccupancyLoss loss = occupancy_loss(r);
      CHECK(loss.exited_warps + loss.before_tail + loss.partial_wave + loss.uneven_blocks +
                loss.launch_order ==
            loss.total);
      const double slots = static_cast<double>(r.occupancy.max_warps_per_sm * r.sms.size() * r.cycles);
      CHECK(r.occupancy.ratio() - r.achieved_occupancy_elapsed() ==
            doctest::Approx(static_cast<double>(loss.total) / slots).epsilon(1e-9));
      for (const SmResult& sm : r.sms) {
        CHECK(sm.tail_active_warp_cycles <= sm.active_warp_cycles);
        CHECK(sm.tail_allocated_warp_cycles <= sm.allocated_warp_cycles);
        CHECK(sm.active_warp_cycles <= sm.allocated_warp_cycles);
      }
      CHECK(r.shortest_block() * r.blocks_run() <= r.block_cycles());
      CHECK(r.block_cycles() <= r.longest_block() * r.blocks_run());
      CHECK(Uint128{r.block_cycles()} * r.block_cycles() <= r.block_cycles_squared() * r.blocks_run());
      CHECK(r.memory().l1_hits <= r.memory().l1_decisions);
    } catch (const RunError&) {
      continue;  // a deadlock is a result too, but not of this test
    }
  }
  CHECK(ran > 200);
}

TEST_CASE("SMs on one thread or on several: every number is the same")
{
  for (std::uint64_t number = 1; number <= 150; ++number) {
    RandomCase c = draw_case(number);
    if (c.sms == 1) continue;
    CAPTURE(number);
    const auto figures = [&](std::uint32_t threads) {
      std::vector<std::uint64_t> all;
      try {
        const RunResult r = run_case(c, threads);
        all = {r.cycles, r.tail_start, r.instructions(), r.active_warp_cycles(), r.tail_active_warp_cycles()};
        for (const SmResult& sm : r.sms) {
          all.insert(all.end(), {sm.blocks, sm.active_cycles, sm.block_cycles,
                                 static_cast<std::uint64_t>(sm.block_cycles_squared), sm.shortest_block,
                                 sm.longest_block});
          for (const SubPartitionResult& part : sm.sub_partitions)
            all.insert(all.end(), part.states.begin(), part.states.end());
        }
      } catch (const RunError& error) {
        for (const char letter : std::string(error.what()))
          all.push_back(static_cast<std::uint64_t>(letter));
      }
      return all;
    };
    CHECK(figures(1) == figures(2));
    CHECK(figures(1) == figures(5));
  }
}

TEST_CASE(
    "a run that is stopped in the middle has all of its SMs in the same cycle, on any number of threads")
{
  const ArchConfig sm = arch("h100");
  const Workload endless =
      kernel(64, 256, "  - loop: {count: 1000000000, body: [\"ld.global r4, [r2]\", \"fadd r5, r4, r4\"]}\n");
  for (const std::uint32_t threads : {1U, 2U, 4U}) {
    CAPTURE(threads);
    std::atomic<bool> stop{false};
    RunOptions options;
    options.sms = 5;
    options.threads = threads;
    options.stop = &stop;
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      stop = true;
    });
    const RunResult r = run_kernel(sm, endless, options);
    later.join();
    CHECK(r.stopped_early);
    CHECK(r.blocks_run() == 0);
    // 8 blocks of 8 warps on each SM, all of them still there.
    for (const SmResult& each : r.sms) {
      CHECK(each.active_cycles == r.cycles);
      CHECK(each.active_warp_cycles == 64 * r.cycles);
      std::uint64_t in_states = 0;
      for (const SubPartitionResult& part : each.sub_partitions)
        in_states += part.active_warp_cycles();
      CHECK(in_states == each.active_warp_cycles);
    }
  }
}

// The event engine: time goes from one cycle in which something is due to the next.
#include "engine/run_plan.h"
#include "sm/block_dispatcher.h"

#include <algorithm>
#include <deque>

namespace smsim {
namespace {

SmResult close_books(Sm& sm, Cycle end)
{
  sm.finish(end);
  SmResult result;
  result.blocks = sm.blocks_run();
  result.most_resident_blocks = sm.most_resident_blocks();
  result.active_cycles = sm.active_cycles();
  result.active_warp_cycles = sm.active_warp_cycles(end);
  result.allocated_warp_cycles = sm.allocated_warp_cycles();
  result.memory = sm.memory.counts();
  for (const SubPartition& part : sm.sub_partitions()) {
    SubPartitionResult& row = result.sub_partitions.emplace_back();
    row.states = part.states();
    row.eligible_cycles = part.eligible_cycles();
    row.thread_instructions = part.thread_instructions();
    row.no_eligible_cycles = result.active_cycles - part.eligible_cycles();
  }
  return result;
}

std::uint64_t active_warp_cycles(const std::deque<Sm>& sms, Cycle now)
{
  std::uint64_t sum = 0;
  for (const Sm& sm : sms)
    sum += sm.active_warp_cycles(now);
  return sum;
}

std::vector<std::vector<WarpReport>> waiting_warps(const std::deque<Sm>& sms)
{
  std::vector<std::vector<WarpReport>> warps;
  warps.reserve(sms.size());
  for (const Sm& sm : sms)
    warps.push_back(sm.waiting_warps());
  return warps;
}

}  // namespace

EngineResult run_by_events(const RunPlan& plan)
{
  EngineResult result;
  std::deque<Sm> sms;  // an SM stays where it is: its sub-partitions refer to it
  for (std::uint32_t i = 0; i < plan.sms; ++i)
    sms.emplace_back(plan.inputs);
  BlockDispatcher dispatcher(plan.grid);
  std::uint64_t before_tail = 0;
  bool finished = false;
  Cycle now{0};
  while (true) {
    for (Sm& sm : sms)
      sm.retire(now);
    finished = dispatcher.all_launched() &&
               std::all_of(sms.begin(), sms.end(), [](const Sm& sm) { return sm.empty(); });
    if (finished || now >= plan.bound || plan.is_stopped()) break;
    if (!dispatcher.all_launched()) {
      dispatcher.dispatch(sms, now);
      if (dispatcher.all_launched()) {
        result.tail_start = now.value();
        before_tail = active_warp_cycles(sms, now);
      }
    }
    Cycle next = never;
    for (Sm& sm : sms) {
      sm.issue(now);
      next = std::min(next, sm.next_event());
    }
    if (next == never) throw RunError(deadlock_report(plan, now, waiting_warps(sms)));
    now = std::min(next, plan.bound);
  }
  result.stopped_early = !finished;
  result.cycles = now.value();
  for (Sm& sm : sms)
    result.sms.push_back(close_books(sm, now));
  if (dispatcher.all_launched())
    result.tail_active_warp_cycles = active_warp_cycles(sms, now) - before_tail;
  else
    result.tail_start = now.value();
  return result;
}

}  // namespace smsim

// The engine that visits every cycle: the oracle for the event engine.
#include "engine/plain_sm.h"

#include <algorithm>
#include <deque>

namespace smsim {

EngineResult run_every_cycle(const RunPlan& plan)
{
  EngineResult result;
  std::deque<PlainSm> sms;
  for (std::uint32_t i = 0; i < plan.sms; ++i)
    sms.emplace_back(plan.inputs);
  std::uint64_t next_block = 0;
  std::size_t next_sm = 0;
  std::uint64_t before_tail = 0;
  const auto active_warp_cycles = [&] {
    std::uint64_t sum = 0;
    for (const PlainSm& sm : sms)
      sum += sm.result.active_warp_cycles;
    return sum;
  };
  Cycle now{0};
  for (;; ++now) {
    for (PlainSm& sm : sms)
      sm.retire(now);
    const bool all_empty = std::all_of(sms.begin(), sms.end(), [](const PlainSm& sm) { return sm.empty(); });
    if (all_empty && next_block == plan.grid) break;
    if (now == plan.bound || plan.is_stopped()) {
      result.stopped_early = true;
      break;
    }
    for (bool placed = next_block < plan.grid; placed && next_block < plan.grid;) {
      placed = false;
      const std::size_t start = next_sm;
      for (std::size_t step = 0; step < sms.size() && next_block < plan.grid; ++step) {
        const std::size_t index = (start + step) % sms.size();
        if (!sms[index].launch_if_room(BlockId{next_block}, now)) continue;
        placed = true;
        next_sm = (index + 1) % sms.size();
        if (++next_block == plan.grid) {
          result.tail_start = now.value();
          before_tail = active_warp_cycles();
        }
      }
    }
    bool alive = false;
    for (PlainSm& sm : sms) {
      sm.issue(now);
      sm.account();
      alive |= sm.alive(now);
    }
    if (!alive) {
      std::vector<std::vector<WarpReport>> warps;
      warps.reserve(sms.size());
      for (const PlainSm& sm : sms)
        warps.push_back(sm.waiting_warps());
      throw RunError(deadlock_report(plan, now, warps));
    }
  }
  result.cycles = now.value();
  if (next_block == plan.grid)
    result.tail_active_warp_cycles = active_warp_cycles() - before_tail;
  else
    result.tail_start = now.value();
  for (PlainSm& sm : sms) {
    sm.finish();
    result.sms.push_back(sm.result);
  }
  return result;
}

}  // namespace smsim

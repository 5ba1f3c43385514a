// How the warps of a sub-partition wait: for their own results, counters and holds, at barriers, to leave.
#include "base/random.h"
#include "sm/sub_partition.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace smsim {

void SubPartition::leave(WarpSlot slot, Cycle now)
{
  scheduler_->on_stall(slot, WarpState::drain);
  Warp& warp = warps_[slot.value()];
  const Cycle leaves = std::max(now + 1, warp.accesses_done);
  warp.phase = Warp::Phase::leaving;
  warp.verdict = {};
  warp.verdict.add(leaves, WarpState::drain);
  wake_.add(slot, leaves, now);
}

/// Tells the policy what the warp that issued at `now` waits for, of its stall count and of results.
void SubPartition::tell_wait(WarpSlot slot, Cycle now)
{
  const Warp& warp = warps_[slot.value()];
  const BoundOp& next = program_.ops[warp.pc];
  ReadyKey last = std::max(make_ready(warp.holds.stall, warp.holds.stall_state),
                           warp.counters.zero_at(next.wait_mask, now + 2));
  for (std::size_t i = 0; i < next.operand_count; ++i)
    last = std::max(last, warp.ready[next.operands[i]]);
  if (ready_cycle(last) > now + 1) scheduler_->on_stall(slot, ready_state(last));
}

void SubPartition::settle(WarpSlot slot, Cycle from, Entry entry)
{
  Warp& warp = warps_[slot.value()];
  if (!warp.others.empty() || !warp.moved) return settle_paths(slot, from, entry);
  Verdict verdict = holds_of(warp);
  const Cycle start = std::max(verdict.until, from);
  if (add_results(warp, from, verdict) != 0) recheck_[(start.value() + 1) % 2] |= bit(slot);
  if (verdict.until <= from && entry == Entry::at_once) {
    if (verdict.count > 0) {
      warp.verdict = verdict;
      charge_verdict(warp, from);
    }
    return enter_group(slot, from);
  }
  warp.verdict = verdict;
  // `from` is the first cycle in which the warp could issue; the cycle before it is the last that has been
  // seen.
  wake_.add(slot, std::max(verdict.until, from), from.value() > 0 ? Cycle{from.value() - 1} : from);
}

Verdict SubPartition::holds_of(const Warp& warp) const
{
  Verdict verdict;
  verdict.until = warp.blocked_since;
  const Holds& holds = warp.holds;
  verdict.add(holds.barrier, WarpState::barrier);
  verdict.add(holds.fence, WarpState::membar);
  verdict.add(holds.sleep, WarpState::sleeping);
  verdict.add(holds.fetch, WarpState::no_instruction);
  verdict.add(holds.branch, WarpState::branch_resolving);
  verdict.add(holds.stall, holds.stall_state);
  return verdict;
}

void SubPartition::settle_plain(WarpSlot slot, std::uint8_t number, Cycle now)
{
  Warp& warp = warps_[slot.value()];
  const BoundOp& next = program_.ops[warp.pc];
  ReadyKey latest = 0;
  for (std::size_t i = 0; i < next.operand_count; ++i)
    latest = std::max(latest, warp.ready[next.operands[i]]);
  const Cycle ready = ready_cycle(latest);
  const Cycle from = now + 1;
  if (ready <= from && next.group == number) return;
  leave_group(slot, number, from);
  if (ready <= from) return enter_group(slot, from);
  warp.blocked_since = from;
  warp.verdict.count = 0;
  warp.verdict.until = from;
  warp.verdict.add(ready, ready_state(latest));
  wake_.add(slot, ready, now);
}

/// Adds the wait for operands or counters, and for an immediate constant, behind the spans so far. The answer
/// is what a counter that was just raised holds back from the second cycle on, if the warp can issue in the
/// first; or 0.
ReadyKey SubPartition::add_results(Warp& warp, Cycle from, Verdict& verdict)
{
  const BoundOp& next = program_.ops[warp.pc];
  const Cycle start = std::max(verdict.until, from);
  ReadyKey latest = 0;
  ReadyKey unseen =
      0;  // a counter just raised, which the warp does not see in `start` yet, but from the next cycle on
  if (next.wait_mask != 0) {
    const ReadyKey seen = warp.counters.zero_at(next.wait_mask, start);
    const ReadyKey all = warp.counters.zero_at(next.wait_mask, start + 1);
    if (ready_cycle(seen) > start) {
      verdict.add(start + 1, ready_state(seen));
      latest = all;
    } else if (ready_cycle(all) > start + 1) {
      unseen = all;
    }
  }
  for (std::size_t i = 0; i < next.operand_count; ++i)
    latest = std::max(latest, warp.ready[next.operands[i]]);
  verdict.add(ready_cycle(latest), ready_state(latest));
  const bool misses = next.constant_miss != 0 && !warp.constant_fetched && draw_constant_miss(warp, next);
  warp.constant_fetched = true;
  if (misses) {
    const Cycle there = std::max(verdict.until, from) + arch_.memory.constant_miss_latency;
    if (unseen != 0) {
      verdict.add(start + 1, WarpState::imc_miss);
      verdict.add(ready_cycle(unseen), ready_state(unseen));
    }
    verdict.add(there, WarpState::imc_miss);
    return 0;
  }
  return unseen;
}

void SubPartition::settle_paths(WarpSlot slot, Cycle from, Entry entry)
{
  Warp& warp = warps_[slot.value()];
  weigh(warp, from);
  for (Path& other : warp.others) {
    if (!other.moved) continue;
    warp.turn_to(other);
    weigh(warp, from);
    warp.turn_to(other);
  }
  choose_path(slot, from, entry);
}

/// Finds out how long the path that the warp is on waits.
void SubPartition::weigh(Warp& warp, Cycle from)
{
  if (!std::exchange(warp.moved, false) || warp.at_join) return;
  Verdict verdict = holds_of(warp);
  const ReadyKey unseen = add_results(warp, from, verdict);
  warp.flickers = unseen != 0;
  if (warp.flickers) {
    warp.flicker_at = std::max(verdict.until, from);
    verdict.add(warp.flicker_at + 1, WarpState::wait);  // never charged: it can issue then
    verdict.add(ready_cycle(unseen), ready_state(unseen));
  }
  warp.ready_from = verdict.until;
  warp.verdict = verdict;
}

/// Lets the warp go on with the first of its paths that waits no more: the one that it is on before others,
/// then in the order of the program.
void SubPartition::choose_path(WarpSlot slot, Cycle from, Entry entry)
{
  Warp& warp = warps_[slot.value()];
  const auto can_issue = [&](const Path& path) {
    return path.flickers && path.flicker_at >= from ? path.flicker_at : std::max(path.ready_from, from);
  };
  Cycle first = can_issue(warp);
  Path* best = nullptr;
  for (Path& other : warp.others) {
    if (other.at_join) continue;
    const Cycle when = can_issue(other);
    if (when > first || (when == first && (best == nullptr || best->pc < other.pc))) continue;
    first = when;
    best = &other;
  }
  if (first > from || entry == Entry::by_wake_up) {
    wake_.add(slot, first, from.value() > 0 ? Cycle{from.value() - 1} : from);
    return;
  }
  charge_verdict(warp, from);
  warp.blocked_since = from;
  if (best) {
    warp.turn_to(*best);
    ports_.forget(slot);
  }
  if (warp.flickers && warp.flicker_at == from) recheck_[(from.value() + 1) % 2] |= bit(slot);
  enter_group(slot, from);
}

bool SubPartition::draw_constant_miss(Warp& warp, const BoundOp& op)
{
  const std::uint64_t repetition = warp.repetitions[op.constant_site]++;
  return draw_u32({seed_, warp.block.value(), warp.warp_in_block, op.constant_site, repetition}) <
         op.constant_miss;
}

/// A counter that was raised two cycles ago becomes visible: a warp that could have issued before and did not
/// waits now.
void SubPartition::recheck(Cycle now)
{
  for (WarpMask rest = std::exchange(recheck_[now.value() % 2], 0); rest != 0; rest &= rest - 1) {
    const WarpSlot slot{static_cast<std::uint32_t>(std::countr_zero(rest))};
    Warp& warp = warps_[slot.value()];
    leave_group(slot, program_.ops[warp.pc].group, now);
    warp.blocked_since = now;
    warp.holds = {};
    settle(slot, now);
  }
}

void SubPartition::leave_barrier(WarpSlot slot, Cycle opens, Cycle now, bool retiring)
{
  Warp& warp = warps_[slot.value()];
  assert(warp.phase == Warp::Phase::at_barrier);
  warp.phase = Warp::Phase::running;
  const Cycle from = retiring ? now : now + 1;
  // In the cycle of its own arrival a warp is `selected`: it starts to wait in the next.
  warp.holds.barrier = std::max(opens, from);
  for (Path& other : warp.others)  // the barrier was the last instruction before a split
    other.holds.barrier = warp.holds.barrier;
  if (warp.pc == program_.ops.size()) {
    const Cycle leaves = std::max({warp.holds.barrier, warp.accesses_done, now + 1});
    warp.phase = Warp::Phase::leaving;
    warp.verdict = {};
    warp.verdict.until = warp.blocked_since;
    warp.verdict.add(warp.holds.barrier, WarpState::barrier);
    warp.verdict.add(leaves, WarpState::drain);
    wake_.add(slot, leaves, now);
  } else {
    // In the issue phase this sub-partition may be still to come in `now`: the warp may not be seen before
    // the next.
    settle(slot, from, retiring ? Entry::at_once : Entry::by_wake_up);
  }
  schedule_next(now);
  if (retiring && occupied_groups_ != 0) next_event_ = now;
}

void SubPartition::charge_verdict(Warp& warp, Cycle end)
{
  if (trace_) [[unlikely]]
    return charge_traced(warp, end);
  warp.blocked_since =
      warp.verdict.charge(warp.blocked_since, end, [&](WarpState state, Cycle from, Cycle until) {
        states_[index_of(state)] += until - from;
      });
}

}  // namespace smsim

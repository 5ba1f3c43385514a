// What a sub-partition reports where somebody listens.
#include "sm/sub_partition.h"

namespace smsim {

void SubPartition::trace_charge(WarpSlot slot, WarpState state, Cycle from, Cycle until)
{
  trace_->charge({index_, slot}, state, from, until);
}

void SubPartition::charge_traced(IssueGroup& group, Cycle until)
{
  group.charge(until, dispatch_free_, [&](WarpState state, Cycle from, Cycle end) {
    states_[index_of(state)] += static_cast<std::uint64_t>(std::popcount(group.warps)) * (end - from);
    for (WarpMask rest = group.warps; rest != 0; rest &= rest - 1)
      trace_charge(WarpSlot{static_cast<std::uint32_t>(std::countr_zero(rest))}, state, from, end);
  });
}

void SubPartition::charge_traced(Warp& warp, Cycle end)
{
  const WarpSlot slot{static_cast<std::uint32_t>(&warp - warps_.data())};
  warp.blocked_since =
      warp.verdict.charge(warp.blocked_since, end, [&](WarpState state, Cycle from, Cycle until) {
        states_[index_of(state)] += until - from;
        trace_charge(slot, state, from, until);
      });
}

/// The warp is `selected` at `now`, whatever its group is charged: what is reported first stands.
void SubPartition::trace_selected(WarpSlot slot, Cycle now)
{
  charge(groups_[program_.ops[warps_[slot.value()].pc].group], now);
  trace_charge(slot, WarpState::selected, now, now + 1);
}

void SubPartition::trace_issue(WarpSlot slot, Cycle now, Cycle ready, Cycle departure)
{
  const Warp& warp = warps_[slot.value()];
  const BoundOp& op = program_.ops[warp.pc];
  trace_->issue({index_, slot}, now, warp.pc, warp.lanes, ready);
  if (op.kind == OpKind::shared_access || op.kind == OpKind::global_access)
    trace_->access({index_, slot}, now, warp.pc, departure, ready, op.kind == OpKind::shared_access);
  if (op.kind == OpKind::barrier || op.kind == OpKind::arrive)
    trace_->arrive({index_, slot}, op.barrier, op.kind == OpKind::barrier, now);
}

}  // namespace smsim

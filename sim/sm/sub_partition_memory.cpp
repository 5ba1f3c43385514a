// How the accesses of a sub-partition go out to shared and global memory, and what it hears of them.
#include "sm/sub_partition.h"

#include <algorithm>
#include <utility>

namespace smsim {

void SubPartition::complete_access(Cycle now)
{
  const auto [slot, allocated] = *std::exchange(pending_, std::nullopt);
  Warp& warp = warps_[slot.value()];
  const BoundOp& op = program_.ops[warp.pc];
  const std::uint32_t passes = passes_of(program_, op, warp.trace);
  const Cycle departure = queue_.enter(allocated, passes, sm_.memory_stage);
  Cycle ready{0};
  if (op.kind == OpKind::global_access) {
    ready = access_global(slot, op, departure, now);
    if (sm_.outstanding.bounded()) sm_.outstanding.add(now, ready);
  } else {
    const std::uint64_t extra = std::uint64_t{passes - 1} * arch_.memory.sm_interval;
    ready = Cycle{departure.value() - arch_.memory.front_latency + op.latency + extra};
  }
  warp.accesses_done = std::max(warp.accesses_done, ready);
  update_memory_groups(now);
  after_issue(slot, op, now, ready, departure);
  schedule_next(now);
}

Cycle SubPartition::access_global(WarpSlot slot, const BoundOp& op, Cycle departure, Cycle now)
{
  Warp& warp = warps_[slot.value()];
  const bool counted = op.draws_level || op.address.kind != AddressPattern::Kind::none;
  const std::uint64_t repetition = counted ? warp.repetitions[op.draw_site]++ : 0;
  const Cycle ready = sm_.memory.access(
      op, {warp.block, warp.warp_in_block, repetition, index_, slot, runs_of(program_, warp.trace)},
      departure);
  if (scheduler_->wants.l1) sm_.tell_l1_changes(now);
  return ready;
}

void SubPartition::l1_changed(const L1Change& change, Cycle now)
{
  const L1Owner& owner = change.owner;
  const Warp& warp = warps_[owner.slot.value()];
  // Another warp may have the slot by now.
  if (warp.phase == Warp::Phase::gone || warp.block != owner.block || warp.warp_in_block != owner.warp)
    return;
  if (change.lost)
    scheduler_->on_l1_evict(owner.slot, change.line);
  else
    scheduler_->on_l1_miss(owner.slot, change.line, now);
}

void SubPartition::update_memory_groups(Cycle now)
{
  set_free_at(numbers_.shared_memory, queue_.free_at(), now + 1);
  set_free_at(numbers_.global_memory, std::max(queue_.free_at(), outstanding_free_), now + 1);
}

void SubPartition::unit_taken(std::uint8_t group, Cycle free_at, Cycle from)
{
  if (group == numbers_.global_memory) {
    outstanding_free_ = free_at;
    free_at = std::max(free_at, queue_.free_at());
  }
  set_free_at(group, free_at, from);
}

}  // namespace smsim

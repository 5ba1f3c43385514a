#include "sm/sub_partition.h"

#include "base/random.h"

#include <algorithm>
#include <cassert>

namespace smsim {

SubPartition::SubPartition(const ArchConfig& arch, const BoundProgram& program, std::uint64_t seed,
                           SubPartitionIndex index, SmUnits& sm, std::unique_ptr<WarpScheduler> scheduler)
    : arch_(arch), program_(program), numbers_(issue_groups(arch)), seed_(seed), index_(index), sm_(sm),
      scheduler_(std::move(scheduler)), warps_(arch.warps_per_sub_partition()),
      scoreboards_(warps_.size() * program.register_count), repetitions_(warps_.size() * program.draw_sites),
      all_slots_(warps_.size() == 64 ? ~WarpMask{0} : (WarpMask{1} << warps_.size()) - 1),
      groups_(numbers_.count), ports_(arch.register_file), queue_(arch.memory)
{
  for (std::size_t slot = 0; slot < warps_.size(); ++slot) {
    warps_[slot].ready = scoreboards_.data() + slot * program.register_count;
    warps_[slot].repetitions = repetitions_.data() + slot * program.draw_sites;
  }
  for (std::size_t pipe = 0; pipe < arch.pipes.size(); ++pipe)
    groups_[pipe].throttle = WarpState::math_pipe_throttle;
  groups_[numbers_.shared_memory].throttle = WarpState::mio_throttle;
  groups_[numbers_.global_memory].throttle = WarpState::lg_throttle;
}

WarpSlot SubPartition::launch(BlockId block, std::uint32_t warp_in_block, std::uint32_t block_slot, Cycle now,
                              Cycle may_issue)
{
  assert((all_slots_ & ~used_) != 0);
  const WarpSlot slot{static_cast<std::uint32_t>(std::countr_zero(all_slots_ & ~used_))};
  age_.launch(slot, used_);
  used_ |= bit(slot);
  ++active_;
  Warp& warp = warps_[slot.value()];
  std::fill_n(warp.ready, program_.register_count, 0U);
  std::fill_n(warp.repetitions, program_.draw_sites, 0U);
  warp.depth = 0;
  warp.accesses_done = Cycle{0};
  warp.block = block;
  warp.warp_in_block = warp_in_block;
  warp.block_slot = block_slot;
  warp.phase = Warp::Phase::running;
  warp.blocked_since = now;
  scheduler_->on_launch(slot);
  arrive_at(warp, 0);
  Verdict verdict;
  if (may_issue > now) verdict.add(may_issue, WarpState::no_instruction);
  if (warp.pc == program_.ops.size()) {
    // Every loop of its program runs zero times: it is there for a cycle and goes.
    warp.phase = Warp::Phase::leaving;
    warp.verdict = verdict;
    warp.verdict.add(std::max(may_issue, now + 1), WarpState::drain);
    wake_.add(slot, std::max(may_issue, now + 1), now);
  } else {
    settle(slot, verdict, now, may_issue);
  }
  schedule_next(now);
  // A warp that may issue in this very cycle is seen by this cycle's issue phase.
  if (warp.phase == Warp::Phase::running && may_issue == now) next_event_ = now;
  return slot;
}

void SubPartition::retire(Cycle now, std::vector<WarpSlot>& left)
{
  for (WarpMask woken = wake_.take(now); woken != 0; woken &= woken - 1) {
    const WarpSlot slot{static_cast<std::uint32_t>(std::countr_zero(woken))};
    Warp& warp = warps_[slot.value()];
    charge_verdict(warp, now);
    if (warp.phase == Warp::Phase::leaving) {
      warp.phase = Warp::Phase::gone;
      --active_;
      scheduler_->on_exit(slot);
      left.push_back(slot);
    } else {
      enter_group(slot, now);
    }
  }
}

void SubPartition::issue(Cycle now)
{
  if (now >= dispatch_free_) {
    WarpMask eligible = 0;
    for (std::uint64_t rest = occupied_groups_; rest != 0; rest &= rest - 1) {
      const IssueGroup& group = groups_[static_cast<std::size_t>(std::countr_zero(rest))];
      if (group.free_at <= now) eligible |= group.warps;
    }
    if (eligible != 0) {
      ++eligible_cycles_;
      const WarpSlot slot = scheduler_->pick({now, eligible, age_});
      assert((eligible & bit(slot)) != 0);
      execute(slot, now);
      scheduler_->on_issue(slot);
    }
  }
  schedule_next(now);
}

void SubPartition::execute(WarpSlot slot, Cycle now)
{
  Warp& warp = warps_[slot.value()];
  const BoundOp& op = program_.ops[warp.pc];
  IssueGroup& group = groups_[op.group];
  group.charge(now, dispatch_free_, states_);
  group.warps &= ~bit(slot);
  if (group.warps == 0) occupied_groups_ &= ~(std::uint64_t{1} << op.group);
  ++states_[index_of(WarpState::selected)];

  Cycle allocated = now;
  if (program_.reads_ports) {
    const std::span<const BankRead> reads(program_.bank_reads.data() + op.bank_reads_begin,
                                          program_.bank_reads.data() + op.bank_reads_end);
    allocated = ports_.allocate(now, slot, reads);
    if (allocated > now) {
      // The cycles up to this one are charged under the old hold, the following under the new one.
      for (std::uint64_t rest = occupied_groups_; rest != 0; rest &= rest - 1)
        groups_[static_cast<std::size_t>(std::countr_zero(rest))].charge(now + 1, dispatch_free_, states_);
      dispatch_free_ = allocated + 1;
    }
  }
  const Cycle ready = use_unit(warp, op, now, allocated);
  if (op.destination != no_register) warp.ready[op.destination] = make_ready(ready, op.result_state);

  warp.blocked_since = now + 1;
  const Cycle stalled_until = now + op.stall;
  if (op.kind == OpKind::exit) return leave(slot, now);
  advance(warp);
  if (op.kind == OpKind::barrier) {
    warp.phase = Warp::Phase::at_barrier;
    warp.barrier = op.barrier;
    warp.may_issue = stalled_until;
    warp.stall_state = op.stall_state;
    sm_.arrive_at_barrier(warp, op, now);
    return;
  }
  if (warp.pc == program_.ops.size()) return leave(slot, now);
  Verdict verdict;
  Cycle earliest = stalled_until;
  if (op.kind == OpKind::branch && op.latency > 1) {
    verdict.add(now + op.latency, WarpState::branch_resolving);
    earliest = std::max(earliest, now + op.latency);
  }
  if (stalled_until > now + 1 && stalled_until == earliest) verdict.add(stalled_until, op.stall_state);
  settle(slot, verdict, now + 1, earliest);
}

/// Occupies the unit of `op`; the answer is when its result is readable.
Cycle SubPartition::use_unit(Warp& warp, const BoundOp& op, Cycle now, Cycle allocated)
{
  switch (op.kind) {
  case OpKind::math: {
    const Cycle free_at = allocated + op.interval;
    // A pipe that takes an instruction every cycle is never seen busy.
    if (op.pipe_is_shared)
      sm_.take_shared_unit(op.group, free_at, index_, now);
    else if (free_at > now + 1)
      set_free_at(op.group, free_at, now + 1);
    return allocated + op.latency;
  }
  case OpKind::shared_access: {
    const Cycle departure = queue_.enter(allocated, op.passes, sm_.memory_stage);
    const std::uint64_t extra = std::uint64_t{op.passes - 1} * arch_.memory.sm_interval;
    const Cycle ready{departure.value() - arch_.memory.front_latency + op.latency + extra};
    warp.accesses_done = std::max(warp.accesses_done, ready);
    update_memory_groups(now);
    return ready;
  }
  case OpKind::global_access: {
    const Cycle departure = queue_.enter(allocated, 1, sm_.memory_stage);
    const Cycle ready = access_global(warp, op, departure);
    warp.accesses_done = std::max(warp.accesses_done, ready);
    if (sm_.outstanding.bounded())
      sm_.take_shared_unit(numbers_.global_memory, sm_.outstanding.add(now, ready), index_, now);
    update_memory_groups(now);
    return ready;
  }
  case OpKind::nop:
  case OpKind::barrier:
  case OpKind::branch:
  case OpKind::exit:
    break;
  }
  return allocated + op.latency;
}

Cycle SubPartition::access_global(Warp& warp, const BoundOp& op, Cycle departure)
{
  std::uint64_t draw = 0;
  if (op.draws_level)
    draw = draw_u32(
        {seed_, warp.block.value(), warp.warp_in_block, op.draw_site, warp.repetitions[op.draw_site]++});
  const Level level = draw < op.levels.below_l1   ? Level::l1
                      : draw < op.levels.below_l2 ? Level::l2
                                                  : Level::dram;
  return sm_.memory_levels.ready_at(departure, level, op.bytes);
}

void SubPartition::update_memory_groups(Cycle now)
{
  set_free_at(numbers_.shared_memory, queue_.free_at(), now + 1);
  set_free_at(numbers_.global_memory, std::max(queue_.free_at(), outstanding_free_), now + 1);
}

void SubPartition::set_free_at(std::uint8_t number, Cycle free_at, Cycle from)
{
  IssueGroup& group = groups_[number];
  if (group.free_at == free_at) return;
  group.charge(from, dispatch_free_, states_);
  group.free_at = free_at;
}

void SubPartition::unit_taken(std::uint8_t group, Cycle free_at, Cycle from)
{
  if (group == numbers_.global_memory) {
    outstanding_free_ = free_at;
    free_at = std::max(free_at, queue_.free_at());
  }
  set_free_at(group, free_at, from);
}

void SubPartition::leave(WarpSlot slot, Cycle now)
{
  Warp& warp = warps_[slot.value()];
  const Cycle leaves = std::max(now + 1, warp.accesses_done);
  warp.phase = Warp::Phase::leaving;
  warp.verdict = {};
  warp.verdict.add(leaves, WarpState::drain);
  wake_.add(slot, leaves, now);
}

void SubPartition::settle(WarpSlot slot, Verdict verdict, Cycle from, Cycle earliest, Entry entry)
{
  Warp& warp = warps_[slot.value()];
  const BoundOp& next = program_.ops[warp.pc];
  ReadyKey latest = 0;
  for (std::size_t i = 0; i < next.operand_count; ++i)
    latest = std::max(latest, warp.ready[next.operands[i]]);
  if (ready_cycle(latest) > earliest) {
    earliest = ready_cycle(latest);
    verdict.add(earliest, ready_state(latest));
  }
  if (earliest <= from && entry == Entry::at_once) {
    if (verdict.count > 0) {
      warp.verdict = verdict;
      charge_verdict(warp, from);
    }
    return enter_group(slot, from);
  }
  warp.verdict = verdict;
  // `from` is the first cycle in which the warp could issue; the cycle before it is the last that has been
  // seen.
  wake_.add(slot, earliest, from.value() > 0 ? Cycle{from.value() - 1} : from);
}

void SubPartition::leave_barrier(WarpSlot slot, Cycle opens, Cycle now, bool retiring)
{
  Warp& warp = warps_[slot.value()];
  assert(warp.phase == Warp::Phase::at_barrier);
  warp.phase = Warp::Phase::running;
  const Cycle from = retiring ? now : now + 1;
  opens = std::max(opens, from);
  Verdict verdict;
  // In the cycle of its own arrival a warp is `selected`: it starts to wait in the next.
  if (opens > warp.blocked_since) verdict.add(opens, WarpState::barrier);
  Cycle earliest = opens;
  if (warp.pc == program_.ops.size()) {
    warp.phase = Warp::Phase::leaving;
    const Cycle leaves = std::max({opens, warp.accesses_done, now + 1});
    verdict.add(leaves, WarpState::drain);
    warp.verdict = verdict;
    wake_.add(slot, leaves, now);
  } else {
    if (warp.may_issue > opens) {
      earliest = warp.may_issue;
      verdict.add(earliest, warp.stall_state);
    }
    // In the issue phase this sub-partition may be still to come in `now`: the warp may not be seen before
    // the next.
    settle(slot, verdict, from, earliest, retiring ? Entry::at_once : Entry::by_wake_up);
  }
  schedule_next(now);
  if (retiring && occupied_groups_ != 0) next_event_ = now;
}

void SubPartition::enter_group(WarpSlot slot, Cycle from)
{
  const std::uint8_t number = program_.ops[warps_[slot.value()].pc].group;
  IssueGroup& group = groups_[number];
  group.charge(from, dispatch_free_, states_);
  group.warps |= bit(slot);
  occupied_groups_ |= std::uint64_t{1} << number;
}

void SubPartition::charge_verdict(Warp& warp, Cycle end)
{
  Cycle from = warp.blocked_since;
  for (std::uint32_t i = 0; i < warp.verdict.count; ++i) {
    const Cycle until = std::min(warp.verdict.spans[i].until, end);
    if (until <= from) continue;
    states_[index_of(warp.verdict.spans[i].state)] += until - from;
    from = until;
  }
  warp.blocked_since = from;
}

void SubPartition::advance(Warp& warp)
{
  if (program_.ops[warp.pc].loop_edge)
    arrive_at(warp, warp.pc + 1);
  else
    ++warp.pc;
}

/// Brings a warp to `position`, where loops may end, repeat and begin. A loop that is entered or repeated
/// here and ends again before any instruction was reached has an empty body for this warp: it is left at
/// once, whatever its count.
void SubPartition::arrive_at(Warp& warp, std::uint32_t position)
{
  const std::vector<Loop>& loops = program_.loops;
  std::uint32_t fresh = 0;  // bit d: frame d was entered or repeated in this call
  bool moved = true;
  while (moved) {
    moved = false;
    std::uint32_t first = program_.first_loop_from[position];
    while (warp.depth > 0 && loops[warp.frames[warp.depth - 1].loop].end == position) {
      const std::uint32_t frame_bit = 1U << (warp.depth - 1);
      LoopFrame& frame = warp.frames[warp.depth - 1];
      if ((fresh & frame_bit) == 0 && ++frame.iteration < frame.count) {
        fresh |= frame_bit;
        position = loops[frame.loop].begin;
        first = frame.loop + 1;
        break;
      }
      fresh &= ~frame_bit;
      --warp.depth;
    }
    for (std::uint32_t i = first; i < loops.size() && loops[i].begin == position; ++i) {
      const std::uint64_t count = loops[i].count.of(warp.block.value(), warp.warp_in_block);
      if (count == 0) {
        position = loops[i].end;
        moved = true;
        break;
      }
      fresh |= 1U << warp.depth;
      warp.frames[warp.depth++] = {i, 0, count};
    }
  }
  warp.pc = position;
}

void SubPartition::schedule_next(Cycle now)
{
  Cycle next = wake_.next(now);
  for (std::uint64_t rest = occupied_groups_; rest != 0; rest &= rest - 1) {
    const IssueGroup& group = groups_[static_cast<std::size_t>(std::countr_zero(rest))];
    next = std::min(next, std::max({group.free_at, dispatch_free_, now + 1}));
  }
  next_event_ = next;
}

void SubPartition::finish(Cycle end)
{
  for (IssueGroup& group : groups_)
    group.charge(end, dispatch_free_, states_);
  for (std::size_t slot = 0; slot < warps_.size(); ++slot) {
    Warp& warp = warps_[slot];
    const WarpMask mask = WarpMask{1} << slot;
    if ((used_ & mask) == 0 || warp.phase == Warp::Phase::gone) continue;
    if (warp.phase == Warp::Phase::at_barrier) {
      if (end > warp.blocked_since) states_[index_of(WarpState::barrier)] += end - warp.blocked_since;
      continue;
    }
    bool in_group = false;
    for (const IssueGroup& group : groups_)
      in_group |= (group.warps & mask) != 0;
    if (!in_group) charge_verdict(warp, end);
  }
}

}  // namespace smsim

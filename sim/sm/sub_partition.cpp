#include "sm/sub_partition.h"

#include "sm/warp_scheduler/registry.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace smsim {

SubPartition::SubPartition(const ArchConfig& arch, const BoundProgram& program, std::uint64_t seed,
                           SubPartitionIndex index, SmUnits& sm, std::unique_ptr<WarpScheduler> scheduler)
    : arch_(arch), program_(program), numbers_(issue_groups(arch)), seed_(seed), index_(index), sm_(sm),
      trace_(sm.trace.get()), scheduler_(std::move(scheduler)), warps_(arch.warps_per_sub_partition()),
      scoreboards_(warps_.size() * program.register_count), repetitions_(warps_.size() * program.draw_sites),
      walk_(program), all_slots_(warps_.size() == 64 ? ~WarpMask{0} : (WarpMask{1} << warps_.size()) - 1),
      groups_(numbers_.count), ports_(arch.register_file), queue_(arch.memory),
      instructions_(arch.instruction_supply), pipe_cycles_(arch.pipes.size())
{
  for (std::size_t slot = 0; slot < warps_.size(); ++slot) {
    warps_[slot].ready = scoreboards_.data() + slot * program.register_count;
    warps_[slot].repetitions = repetitions_.data() + slot * program.draw_sites;
  }
  for (std::size_t pipe = 0; pipe < arch.pipes.size(); ++pipe)
    groups_[pipe].throttle = WarpState::math_pipe_throttle;
  groups_[numbers_.shared_memory].throttle = WarpState::mio_throttle;
  groups_[numbers_.global_memory].throttle = WarpState::lg_throttle;
  if (scheduler_->wants.l1) sm_.memory.watch_l1();
  // A unit that the sub-partitions share may be taken from behind its back.
  may_rest_ = scheduler_->wants.rest && !sm_.outstanding.bounded() && !program.shares_pipes;
}

WarpSlot SubPartition::launch(BlockId block, std::uint32_t warp_in_block, std::uint32_t lanes,
                              std::uint32_t block_slot, Cycle now, Cycle may_issue,
                              const std::shared_ptr<const TraceBlock>& trace)
{
  assert((all_slots_ & ~used_) != 0);
  const WarpSlot slot{static_cast<std::uint32_t>(std::countr_zero(all_slots_ & ~used_))};
  age_.launch(slot, used_);
  used_ |= bit(slot);
  Warp& warp = warps_[slot.value()];
  std::fill_n(warp.ready, program_.register_count, 0U);
  std::fill_n(warp.repetitions, program_.draw_sites, 0U);
  warp.depth = 0;
  warp.lanes = lanes;
  warp.at_join = false;
  warp.fetched_place = std::numeric_limits<std::uint32_t>::max();  // whatever comes has to be fetched
  warp.accesses_done = Cycle{0};
  warp.counters = {};
  warp.constant_fetched = false;
  warp.holds = {};
  warp.block = block;
  warp.warp_in_block = warp_in_block;
  warp.block_slot = block_slot;
  warp.phase = Warp::Phase::running;
  warp.blocked_since = now;
  warp.verdict = {};
  warp.verdict.until = now;
  if (trace_) trace_->launch_warp({index_, slot}, block, warp_in_block, now);
  walk_.start(warp, trace);
  scheduler_->on_launch(slot, {now, block, warp_in_block, remaining_of(program_, 0, warp.trace)});
  if (warp.pc == program_.ops.size()) {
    // Every loop of its program runs zero times: it is there for a cycle and goes.
    const Cycle leaves = std::max(may_issue, now + 1);
    warp.phase = Warp::Phase::leaving;
    warp.verdict.add(may_issue, WarpState::no_instruction);
    warp.verdict.add(leaves, WarpState::drain);
    wake_.add(slot, leaves, now);
  } else {
    fetch(warp, now);
    warp.holds.fetch = std::max(warp.holds.fetch, may_issue);
    for (Path& other : warp.others)
      other.holds.fetch = std::max(other.holds.fetch, may_issue);
    settle(slot, now);
  }
  schedule_next(now);
  // A warp that may issue in this very cycle is seen by this cycle's issue phase.
  if (occupied_groups_ != 0) next_event_ = now;
  return slot;
}

void SubPartition::retire(Cycle now, std::vector<WarpSlot>& left)
{
  if (recheck_[now.value() % 2] != 0) recheck(now);
  if (!wake_.is_due(now)) return;
  for (WarpMask woken = wake_.take(now); woken != 0; woken &= woken - 1) {
    const WarpSlot slot{static_cast<std::uint32_t>(std::countr_zero(woken))};
    Warp& warp = warps_[slot.value()];
    charge_verdict(warp, now);
    if (warp.phase == Warp::Phase::leaving) {
      warp.phase = Warp::Phase::gone;
      scheduler_->on_exit(slot);
      if (last_ == slot) last_ = no_warp;
      left.push_back(slot);
    } else if (!warp.moved) {
      choose_path(slot, now, Entry::at_once);
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
    if (resting_since_) end_rest(now);
    if (eligible != 0) {
      ++eligible_cycles_;
      if (const WarpSlot slot = pick(eligible, now); slot != no_warp) execute(slot, now);
    }
  }
  if (!pending_) schedule_next(now);  // complete_access does it else
}

/// The policy would have declined in each cycle since it rests, up to (not including) `now`.
void SubPartition::end_rest(Cycle now)
{
  const std::uint64_t cycles = now - *std::exchange(resting_since_, std::nullopt);
  eligible_cycles_ += cycles;
  declines_ += cycles;
}

/// Asks the policy who of `eligible` issues, and tells it that it does.
WarpSlot SubPartition::pick(WarpMask eligible, Cycle now)
{
  const WarpMask memory = eligible & groups_[numbers_.global_memory].warps;
  const std::uint64_t backlog = scheduler_->wants.backlog ? sm_.memory.backlog(now) : 0;
  const WarpSlot slot = scheduler_->pick({now, eligible, memory, backlog, age_});
  if (slot == no_warp) {
    check_declines(++declines_, arch_.scheduler.policy);
    if (may_rest_) resting_since_ = now + 1;
    return slot;
  }
  assert((eligible & bit(slot)) != 0);
  declines_ = 0;
  const std::uint32_t pc = warps_[slot.value()].pc;
  scheduler_->on_issue(slot, {now, program_.ops[pc].kind == OpKind::global_access,
                              remaining_of(program_, pc, warps_[slot.value()].trace) - 1});
  return slot;
}

void SubPartition::execute(WarpSlot slot, Cycle now)
{
  Warp& warp = warps_[slot.value()];
  const BoundOp& op = program_.ops[warp.pc];
  // It stays in its group until it is known where it goes next. The group is charged `not_selected` for this
  // cycle, this warp included: that is put right here.
  ++states_[index_of(WarpState::selected)];
  --states_[index_of(WarpState::not_selected)];
  if (program_.uses_counters)
    for (WarpMask& mask : recheck_)
      mask &= ~bit(slot);
  thread_instructions_ += warp.lanes;
  if (trace_) [[unlikely]]
    trace_selected(slot, now);

  Cycle allocated = now;
  if (program_.reads_ports) {
    allocated = ports_.allocate(now, slot, reads_of(program_, op), needs_of(program_, op), op.reuses);
    if (allocated > now) hold_issue(allocated + 1, now);
  }
  if (arch_.scheduler.switch_penalty > 0 && last_ != slot) {
    if (last_) hold_issue(now + (1 + std::uint64_t{arch_.scheduler.switch_penalty}), now);
    last_ = slot;
  }
  if (op.kind == OpKind::shared_access || op.kind == OpKind::global_access) {
    pending_ = {slot, allocated};
    if (op.kind == OpKind::global_access && sm_.outstanding.bounded()) {
      sm_.outstanding.reserve();
      if (sm_.outstanding.full(now)) sm_.take_shared_unit(op.group, now + 1, index_, now);
    }
    return;
  }
  if (op.kind == OpKind::math) use_pipe(op, now, allocated);
  after_issue(slot, op, now, allocated + op.latency, allocated + arch_.register_file.read_window);
}

/// Nothing issues before `until`: the cycles up to this one are charged under the old hold.
void SubPartition::hold_issue(Cycle until, Cycle now)
{
  charge_groups(now + 1);
  dispatch_free_ = std::max(dispatch_free_, until);
}

/// Charges what waits in groups, before the hold on all of them changes.
void SubPartition::charge_groups(Cycle until)
{
  for (std::uint64_t rest = occupied_groups_; rest != 0; rest &= rest - 1)
    charge(groups_[static_cast<std::size_t>(std::countr_zero(rest))], until);
}

void SubPartition::use_pipe(const BoundOp& op, Cycle now, Cycle allocated)
{
  const Cycle free_at = allocated + op.interval;
  pipe_cycles_[op.group] += op.interval;
  // A pipe that takes an instruction every cycle is never seen busy.
  if (op.pipe_is_shared)
    sm_.take_shared_unit(op.group, free_at, index_, now);
  else if (free_at > now + 1)
    set_free_at(op.group, free_at, now + 1);
}

void SubPartition::after_issue(WarpSlot slot, const BoundOp& op, Cycle now, Cycle ready, Cycle sources_read)
{
  Warp& warp = warps_[slot.value()];
  if (trace_) [[unlikely]]
    trace_issue(slot, now, ready, sources_read);
  if (op.destination != no_register) warp.ready[op.destination] = make_ready(ready, op.result_state);
  if (op.is_plain) {
    // The common case: only results can hold the next instruction back.
    walk_.advance(warp);
    if (warp.pc != program_.ops.size() && program_.ops[warp.pc].is_plain) {
      if (scheduler_->wants.results) tell_wait(slot, now);
      return settle_plain(slot, op.group, now);
    }
  }
  leave_group(slot, op.group, now + 1);
  if (program_.uses_counters) {
    warp.counters.raise(op.read_counter, now, sources_read, op.result_state);
    warp.counters.raise(op.write_counter, now, ready, op.result_state);
  }
  warp.blocked_since = now + 1;
  // Before the walk: what holds a path back goes with it through a join.
  hold_back(warp, op, now);
  if (op.is_plain) {
    // It has moved on already.
  } else if (op.kind == OpKind::exit) {
    if (!walk_.exit_lanes(warp)) return leave(slot, now);
    ports_.forget(slot);
  } else if (walk_.advance(warp)) {
    ports_.forget(slot);
  }
  const bool ended = warp.pc == program_.ops.size();
  if (!ended) fetch(warp, now + 1);
  if (op.kind == OpKind::arrive) sm_.arrive_at_barrier(warp, op, now);
  if (op.kind == OpKind::barrier) {
    scheduler_->on_stall(slot, WarpState::barrier);
    warp.phase = Warp::Phase::at_barrier;
    warp.barrier = op.barrier;
    sm_.arrive_at_barrier(warp, op, now);
    return;
  }
  if (ended) return leave(slot, now);
  if (scheduler_->wants.results) tell_wait(slot, now);
  settle(slot, now + 1);
}

void SubPartition::hold_back(Warp& warp, const BoundOp& op, Cycle now)
{
  warp.moved = true;
  warp.constant_fetched = false;
  warp.holds = {};
  warp.holds.stall = now + op.stall;
  warp.holds.stall_state = op.stall_state;
  if (op.kind == OpKind::branch) warp.holds.branch = now + op.latency;
  if (op.kind == OpKind::sleep) warp.holds.sleep = now + op.latency;
  if (op.kind == OpKind::fence) warp.holds.fence = warp.accesses_done;
}

/// Fetches the next instruction of each path that has moved, in the order of the program.
void SubPartition::fetch(Warp& warp, Cycle at)
{
  if (!instructions_.modelled()) return;
  const auto fetch_for = [&](Path& path) {
    if (!path.moved || path.at_join) return;
    const std::uint32_t place = program_.ops[path.pc].place;
    path.holds.fetch =
        instructions_.same_line(path.fetched_place, place) ? Cycle{0} : instructions_.fetch(place, at);
    path.fetched_place = place;
  };
  if (warp.others.empty()) return fetch_for(warp);
  std::vector<Path*> paths{&warp};
  for (Path& other : warp.others)
    paths.push_back(&other);
  std::sort(paths.begin(), paths.end(), [](const Path* a, const Path* b) { return a->pc < b->pc; });
  for (Path* path : paths)
    fetch_for(*path);
}

void SubPartition::set_free_at(std::uint8_t number, Cycle free_at, Cycle from)
{
  IssueGroup& group = groups_[number];
  if (group.free_at == free_at) return;
  charge(group, from);
  group.free_at = free_at;
}

void SubPartition::leave_group(WarpSlot slot, std::uint8_t number, Cycle from)
{
  IssueGroup& group = groups_[number];
  charge(group, from);
  group.warps &= ~bit(slot);
  if (group.warps == 0) occupied_groups_ &= ~(std::uint64_t{1} << number);
}

void SubPartition::enter_group(WarpSlot slot, Cycle from)
{
  const std::uint8_t number = program_.ops[warps_[slot.value()].pc].group;
  IssueGroup& group = groups_[number];
  charge(group, from);
  group.warps |= bit(slot);
  occupied_groups_ |= std::uint64_t{1} << number;
}

void SubPartition::schedule_next(Cycle now)
{
  const Cycle soon = now + 1;
  if (!resting_since_ && dispatch_free_ <= soon)
    for (std::uint64_t rest = occupied_groups_; rest != 0; rest &= rest - 1)
      if (groups_[static_cast<std::size_t>(std::countr_zero(rest))].free_at <= soon) {
        next_event_ = soon;
        return;
      }
  Cycle next = wake_.next(now);
  if ((recheck_[0] | recheck_[1]) != 0)
    for (const std::uint64_t ahead : {1U, 2U})
      if (recheck_[(now.value() + ahead) % 2] != 0) next = std::min(next, now + ahead);
  for (std::uint64_t rest = occupied_groups_; rest != 0; rest &= rest - 1) {
    const IssueGroup& group = groups_[static_cast<std::size_t>(std::countr_zero(rest))];
    if (resting_since_ && group.free_at < *resting_since_) continue;  // it was declined with the others
    next = std::min(next, std::max({group.free_at, dispatch_free_, soon}));
  }
  if (resting_since_) next = std::min(next, *resting_since_ + (most_declines - declines_ - 1));
  next_event_ = next;
}

void SubPartition::charge_all(Cycle end)
{
  if (resting_since_) {
    end_rest(end);
    resting_since_ = end;
  }
  charge_groups(end);
  for (std::size_t slot = 0; slot < warps_.size(); ++slot) {
    Warp& warp = warps_[slot];
    const WarpMask mask = WarpMask{1} << slot;
    if ((used_ & mask) == 0 || warp.phase == Warp::Phase::gone) continue;
    if (warp.phase == Warp::Phase::at_barrier) {
      warp.verdict = {};
      warp.verdict.until = warp.blocked_since;
      warp.verdict.add(end, WarpState::barrier);
      charge_verdict(warp, end);
      continue;
    }
    bool in_group = false;
    for (const IssueGroup& group : groups_)
      in_group |= (group.warps & mask) != 0;
    if (!in_group) charge_verdict(warp, end);
  }
}

}  // namespace smsim

#include "engine/plain_sm.h"

#include "sm/warp_scheduler/registry.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace smsim {

PlainSm::PlainSm(const RunInputs& inputs)
    : in_(inputs), resources_(inputs.arch, inputs.kernel, inputs.occupancy),
      sm_pipe_free_(inputs.arch.pipes.size(), Cycle{0}),
      memory_(inputs.arch, inputs.kernel, inputs.program,
              inputs.arch.shared_memory.unified_capacity - inputs.occupancy.shared_bytes_per_sm, inputs.seed),
      outstanding_(inputs.arch.memory.max_outstanding)
{
  for (std::uint32_t i = 0; i < inputs.arch.sm.sub_partitions; ++i)
    parts_.emplace_back(inputs);
  if (parts_.front().scheduler->wants.l1) memory_.watch_l1();
}

void PlainSm::retire(Cycle now)
{
  std::vector<WarpPlace> leaving;
  for (SubPartitionIndex p = 0; p < parts_.size(); ++p)
    for (std::uint32_t s = 0; s < parts_[p].warps.size(); ++s)
      if (const PlainWarp& warp = parts_[p].warps[s]; warp.active && warp.ended && warp.leaves <= now)
        leaving.push_back({p, WarpSlot{s}});
  for (const WarpPlace& place : leaving) {
    warp_at(place).active = false;
    PlainPart& part = parts_[place.part];
    part.scheduler->on_exit(place.slot);
    if (part.last == place.slot) part.last = no_warp;
  }
  for (const WarpPlace& place : leaving)
    after_exit(place, now);
}

std::uint32_t PlainSm::room(std::uint32_t most) const { return resources_.room(most); }

void PlainSm::launch(BlockId id, Cycle now)
{
  const auto placement = resources_.place_block();
  resources_.take_block(*placement);
  std::uint32_t index = 0;
  while (index < blocks_.size() && blocks_[index].resident)
    ++index;
  if (index == blocks_.size()) blocks_.emplace_back();
  PlainBlock& block = blocks_[index];
  block = {true,
           id,
           now,
           {},
           std::vector<PlainBarrier>(in_.kernel.barriers),
           static_cast<std::uint32_t>(placement->size())};
  const auto trace = in_.program.trace ? in_.program.trace->read(id) : nullptr;
  for (std::uint32_t i = 0; i < placement->size(); ++i)
    block.warps.push_back(launch_warp((*placement)[i], id, i, index, now, trace));
  next_launch_ = now + in_.arch.dispatch.launch_interval;
  ++resident_;
  result.most_resident_blocks = std::max(result.most_resident_blocks, resident_);
}

bool PlainSm::issue(Cycle now)
{
  bool issued = false;
  for (std::size_t visit = 0; visit < parts_.size(); ++visit)
    issued |= visit_sub_partition(static_cast<SubPartitionIndex>((now.value() + visit) % parts_.size()), now);
  // The accesses of this cycle reach the shared stage in the order in which their own sub-partitions would
  // let them leave, ties in the order of visits.
  std::vector<std::pair<Cycle, SubPartitionIndex>> accesses;
  for (std::size_t visit = 0; visit < parts_.size(); ++visit) {
    const auto p = static_cast<SubPartitionIndex>((now.value() + visit) % parts_.size());
    if (parts_[p].access) accesses.emplace_back(parts_[p].queue.earliest(parts_[p].access->allocated), p);
  }
  std::stable_sort(accesses.begin(), accesses.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  for (const auto& access : accesses)
    complete_access(access.second, now);
  return issued;
}

void PlainSm::account()
{
  std::uint64_t active = 0;
  for (PlainPart& part : parts_)
    for (std::size_t s = 0; s < part.warps.size(); ++s) {
      if (part.warps[s].allocated) {
        ++result.allocated_warp_cycles;
        if (in_tail_) ++result.tail_allocated_warp_cycles;
      }
      if (!part.warps[s].active) continue;
      ++active;
      ++part.states[index_of(part.this_cycle[s])];
    }
  result.active_warp_cycles += active;
  if (in_tail_) result.tail_active_warp_cycles += active;
  if (active > 0) ++result.active_cycles;
}

void PlainSm::start_tail() { in_tail_ = true; }

bool PlainSm::alive() const
{
  for (const PlainPart& part : parts_)
    for (const PlainWarp& warp : part.warps)
      if (warp.active && (warp.barrier < 0 || warp.opens != never)) return true;
  return false;
}

void PlainSm::finish()
{
  result.memory = memory_.counts();
  for (const PlainPart& part : parts_)
    result.sub_partitions.push_back({part.states, part.eligible_cycles, part.thread_instructions,
                                     result.active_cycles - part.eligible_cycles, part.pipe_cycles});
}

std::vector<WarpReport> PlainSm::waiting_warps() const
{
  std::vector<WarpReport> reports;
  for (const PlainBlock& block : blocks_) {
    if (!block.resident) continue;
    for (std::uint32_t i = 0; i < block.warps.size(); ++i) {
      const WarpPlace& place = block.warps[i];
      const PlainWarp& warp = parts_[place.part].warps[place.slot.value()];
      std::string state = "exited";
      if (warp.active && warp.barrier >= 0 && warp.block == block.id && warp.warp_in_block == i) {
        const PlainBarrier& barrier = block.barriers[static_cast<std::size_t>(warp.barrier)];
        state = "barrier " + std::to_string(warp.barrier) + ": " + std::to_string(barrier.arrived) + " of " +
                std::to_string(barrier.expected ? barrier.expected : block.live) + " warps arrived";
      }
      reports.push_back({block.id, i, place.part, state, warp.paths.empty() ? 0 : warp.paths[warp.on].pc});
    }
  }
  return reports;
}

void PlainSm::after_exit(const WarpPlace& place, Cycle now)
{
  PlainBlock& block = blocks_[warp_at(place).resident_block];
  const auto free_slot = [&](const WarpPlace& freed) {
    warp_at(freed).allocated = false;
    resources_.release_warp(freed.part);
  };
  const bool at_once = in_.arch.register_file.release == ReleasePolicy::warp;
  if (at_once) free_slot(place);
  --block.live;
  for (std::size_t number = 0; number < block.barriers.size(); ++number)
    open_if_complete(block, static_cast<int>(number), now);
  if (block.live > 0) return;
  if (!at_once)
    for (const WarpPlace& held : block.warps)
      free_slot(held);
  resources_.release_block();
  block.resident = false;
  const std::uint64_t turnaround = now - block.launched;
  result.block_cycles += turnaround;
  result.block_cycles_squared += Uint128{turnaround} * turnaround;
  if (result.blocks == 0 || turnaround < result.shortest_block) result.shortest_block = turnaround;
  if (turnaround > result.longest_block) result.longest_block = turnaround;
  --resident_;
  ++result.blocks;
}

WarpPlace PlainSm::launch_warp(SubPartitionIndex p, BlockId id, std::uint32_t warp_in_block,
                               std::uint32_t resident_block, Cycle now,
                               const std::shared_ptr<const TraceBlock>& trace)
{
  PlainPart& part = parts_[p];
  std::uint32_t slot = 0;
  while (part.warps[slot].allocated)
    ++slot;
  WarpMask present = 0;
  for (std::uint32_t s = 0; s < part.warps.size(); ++s)
    if (part.warps[s].allocated) present |= WarpMask{1} << s;
  part.age.launch(WarpSlot{slot}, present);
  PlainWarp warp;
  warp.allocated = warp.active = true;
  warp.block = id;
  warp.warp_in_block = warp_in_block;
  warp.resident_block = resident_block;
  warp.drawn.assign(in_.program.draw_sites, 0);
  warp.may_issue = now + in_.arch.dispatch.launch_latency;
  PlainPath path;
  path.ready.assign(in_.program.register_count, 0);
  path.lanes = in_.kernel.lanes_of_warp(warp_in_block, in_.arch.sm.warp_size);
  path.last_place = std::numeric_limits<std::uint32_t>::max();
  if (in_.program.trace) {
    warp.trace = TraceCursor(trace, warp_in_block);
    follow_trace(warp, path);
  } else {
    walk(warp, path, 0);
  }
  const std::uint32_t remaining = remaining_of(in_.program, 0, warp.trace);
  std::sort(warp.paths.begin(), warp.paths.end(), [](const auto& x, const auto& y) { return x.pc < y.pc; });
  while (warp.paths[warp.on].at_join)
    ++warp.on;
  if (warp.paths[warp.on].pc == in_.program.ops.size()) {
    warp.ended = true;
    warp.leaves = std::max(warp.may_issue, now + 1);
  } else {
    arrive_at_instructions(part, warp, now);
  }
  part.warps[slot] = warp;
  part.scheduler->on_launch(WarpSlot{slot}, {now, id, warp_in_block, remaining});
  return {p, WarpSlot{slot}};
}

bool PlainSm::visit_sub_partition(SubPartitionIndex p, Cycle now)
{
  PlainPart& part = parts_[p];
  part.this_cycle.assign(part.warps.size(), WarpState::not_selected);
  const auto next_of = [&](const PlainWarp& warp) { return warp.paths[warp.on].pc; };
  const auto is_memory = [&](std::uint32_t pc) { return in_.program.ops[pc].kind == OpKind::global_access; };
  WarpMask eligible = 0;
  WarpMask memory = 0;
  for (std::uint32_t s = 0; s < part.warps.size(); ++s) {
    if (!part.warps[s].active) continue;
    part.this_cycle[s] = state_of(part, WarpSlot{s}, now);
    if (part.this_cycle[s] != WarpState::not_selected) continue;
    eligible |= WarpMask{1} << s;
    if (is_memory(next_of(part.warps[s]))) memory |= WarpMask{1} << s;
  }
  if (eligible == 0) return false;
  ++part.eligible_cycles;
  const WarpSlot slot = part.scheduler->pick({now, eligible, memory, memory_.backlog(now), part.age});
  if (slot == no_warp) {
    check_declines(++part.declines, in_.arch.scheduler.policy);
    return false;
  }
  part.declines = 0;
  part.this_cycle[slot.value()] = WarpState::selected;
  const std::uint32_t pc = next_of(part.warps[slot.value()]);
  part.scheduler->on_issue(
      slot, {now, is_memory(pc), remaining_of(in_.program, pc, part.warps[slot.value()].trace) - 1});
  execute(p, slot, now);
  return true;
}

void PlainSm::execute(SubPartitionIndex p, WarpSlot slot, Cycle now)
{
  PlainPart& part = parts_[p];
  PlainWarp& warp = part.warps[slot.value()];
  PlainPath& path = warp.paths[warp.on];
  const BoundOp& op = in_.program.ops[path.pc];
  part.thread_instructions += path.lanes;
  ++warp.issued;
  Cycle a = now;
  if (in_.program.reads_ports) {
    a = part.ports.allocate(now, slot, reads_of(in_.program, op), needs_of(in_.program, op), op.reuses);
    if (a > now) part.dispatch_free = a + 1;
  }
  if (part.last && part.last != slot)
    part.dispatch_free =
        std::max(part.dispatch_free, now + (1 + std::uint64_t{in_.arch.scheduler.switch_penalty}));
  part.last = slot;
  if (op.kind == OpKind::shared_access || op.kind == OpKind::global_access) {
    part.access = {slot, a};
    if (op.kind == OpKind::global_access && outstanding_.bounded()) outstanding_.reserve();
    return;
  }
  if (op.kind == OpKind::math) {
    (op.pipe_is_shared ? sm_pipe_free_ : part.pipe_free)[op.group] = a + op.interval;
    part.pipe_cycles[op.group] += op.interval;
  }
  after_issue(p, slot, now, a + op.latency, a + in_.arch.register_file.read_window);
}

void PlainSm::complete_access(SubPartitionIndex p, Cycle now)
{
  PlainPart& part = parts_[p];
  const auto [slot, a] = *std::exchange(part.access, std::nullopt);
  PlainWarp& warp = part.warps[slot.value()];
  const BoundOp& op = in_.program.ops[warp.paths[warp.on].pc];
  const std::uint32_t passes = passes_of(in_.program, op, warp.trace);
  const Cycle departure = part.queue.enter(a, passes, stage_);
  Cycle ready{departure.value() - in_.arch.memory.front_latency + op.latency +
              std::uint64_t{passes - 1} * in_.arch.memory.sm_interval};
  if (op.kind == OpKind::global_access) {
    const bool counted = op.draws_level || op.address.kind != AddressPattern::Kind::none;
    const std::uint64_t repetition = counted ? warp.drawn[op.draw_site]++ : 0;
    ready = memory_.access(
        op, {warp.block, warp.warp_in_block, repetition, p, slot, runs_of(in_.program, warp.trace)},
        departure);
    if (part.scheduler->wants.l1) tell_l1_changes(now);
    if (outstanding_.bounded()) outstanding_.add(now, ready);
  }
  warp.accesses_done = std::max(warp.accesses_done, ready);
  after_issue(p, slot, now, ready, departure);
}

void PlainSm::tell_l1_changes(Cycle now)
{
  for (const auto& [line, owner, lost] : memory_.l1_changes()) {
    PlainPart& part = parts_[owner.part];
    const PlainWarp& warp = part.warps[owner.slot.value()];
    if (!warp.active || warp.block != owner.block || warp.warp_in_block != owner.warp) continue;
    if (lost)
      part.scheduler->on_l1_evict(owner.slot, line);
    else
      part.scheduler->on_l1_miss(owner.slot, line, now);
  }
}

void PlainSm::tell_wait(PlainPart& part, WarpSlot slot, Cycle now) const
{
  const PlainWarp& warp = part.warps[slot.value()];
  const PlainPath& path = warp.paths[warp.on];
  // A counter that was just raised will be seen from the cycle after the next on.
  const ReadyKey last = std::max(last_result(path, in_.program.ops[path.pc], now + 2),
                                 make_ready(path.stalled_until, path.stall_state));
  if (ready_cycle(last) > now + 1) part.scheduler->on_stall(slot, ready_state(last));
}

void PlainSm::after_issue(SubPartitionIndex p, WarpSlot slot, Cycle now, Cycle ready, Cycle sources_read)
{
  PlainPart& part = parts_[p];
  PlainWarp& warp = part.warps[slot.value()];
  PlainPath& path = warp.paths[warp.on];
  const BoundOp& op = in_.program.ops[path.pc];
  if (op.destination != no_register) path.ready[op.destination] = make_ready(ready, op.result_state);
  if (in_.program.uses_counters) {
    path.counters.raise(op.read_counter, now, sources_read, op.result_state);
    path.counters.raise(op.write_counter, now, ready, op.result_state);
  }
  warp.barrier = -1;
  path.stalled_until = now + op.stall;
  path.stall_state = op.stall_state;
  if (op.kind == OpKind::branch) path.branch_until = now + op.latency;
  if (op.kind == OpKind::sleep) path.sleeps_until = now + op.latency;
  if (op.kind == OpKind::fence) path.fence_until = warp.accesses_done;
  if (advance(warp, op.kind == OpKind::exit)) part.ports.forget(slot);
  const bool ended = warp.paths.empty() || warp.paths[warp.on].pc == in_.program.ops.size();
  if (op.kind == OpKind::barrier)
    part.scheduler->on_stall(slot, WarpState::barrier);
  else if (ended)
    part.scheduler->on_stall(slot, WarpState::drain);
  else if (part.scheduler->wants.results)
    tell_wait(part, slot, now);
  if (warp.paths.empty()) return end(warp, now + 1);
  if (!ended) arrive_at_instructions(part, warp, now + 1);
  if (op.kind == OpKind::barrier || op.kind == OpKind::arrive) arrive(warp, op, now);
  if (ended && op.kind != OpKind::barrier) end(warp, now + 1);
}

void PlainSm::end(PlainWarp& warp, Cycle earliest)
{
  warp.ended = true;
  warp.leaves = std::max(earliest, warp.accesses_done);
}

void PlainSm::arrive(PlainWarp& warp, const BoundOp& op, Cycle now)
{
  PlainBlock& block = blocks_[warp.resident_block];
  PlainBarrier& barrier = block.barriers[op.barrier];
  if (op.kind == OpKind::barrier) {
    warp.barrier = op.barrier;
    warp.opens = never;
  }
  ++barrier.arrived;
  barrier.expected = op.barrier_warps;
  barrier.last_arrival = now;
  barrier.latency = std::max(barrier.latency, op.latency);
  open_if_complete(block, op.barrier, now);
}

void PlainSm::open_if_complete(PlainBlock& block, int number, Cycle now)
{
  PlainBarrier& barrier = block.barriers[static_cast<std::size_t>(number)];
  if (barrier.arrived == 0 || barrier.arrived < (barrier.expected ? barrier.expected : block.live)) return;
  barrier.arrived = 0;
  const std::uint32_t latency = std::exchange(barrier.latency, 0);
  for (const WarpPlace& place : block.warps) {
    PlainWarp& warp = warp_at(place);
    // With release: warp the slot of a warp that has left may hold another block's.
    if (!warp.active || &blocks_[warp.resident_block] != &block || warp.barrier != number ||
        warp.opens != never)
      continue;
    warp.opens = std::max(barrier.last_arrival + latency, now);
    if (warp.paths[warp.on].pc == in_.program.ops.size()) end(warp, std::max(warp.opens, now + 1));
  }
}

}  // namespace smsim

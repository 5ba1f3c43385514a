#include "sm/sm.h"

#include <algorithm>
#include <bit>

namespace smsim {

namespace {

/// Cycles that are recorded before a listener is told of them.
constexpr std::uint64_t cycles_between_catch_ups = 1024;

std::unique_ptr<SmRecorder> recorder_of(const RunInputs& inputs, std::uint32_t number)
{
  if (!inputs.listener || !inputs.listener->wants(number)) return nullptr;
  return std::make_unique<SmRecorder>(*inputs.listener, number, inputs.arch.sm.sub_partitions,
                                      inputs.arch.warps_per_sub_partition());
}

}  // namespace

Sm::Sm(const RunInputs& inputs, std::uint32_t number)
    : SmUnits(GlobalMemory(inputs.arch, inputs.kernel, inputs.program,
                           inputs.arch.shared_memory.unified_capacity - inputs.occupancy.shared_bytes_per_sm,
                           inputs.seed),
              inputs.arch.memory, recorder_of(inputs, number)),
      inputs_(inputs), number_(number), resources_(inputs.arch, inputs.kernel, inputs.occupancy)
{
  parts_.reserve(inputs.arch.sm.sub_partitions);
  for (SubPartitionIndex i = 0; i < inputs.arch.sm.sub_partitions; ++i)
    parts_.emplace_back(inputs.arch, inputs.program, inputs.seed, i, *this, inputs.make_scheduler());
  if (trace) catch_up_at_ = Cycle{0};
}

void Sm::count_until(Cycle now)
{
  const std::uint64_t cycles = now - counted_;
  snapshots_.push_back(
      {counted_, {active_warp_cycles_, allocated_warp_cycles_}, active_warps_, allocated_warps_});
  active_warp_cycles_ += active_warps_ * cycles;
  allocated_warp_cycles_ += allocated_warps_ * cycles;
  if (active_warps_ > 0) active_cycles_ += cycles;
  counted_ = now;
}

/// Before anything of `now` is done: all that was before is known.
void Sm::catch_up(Cycle now)
{
  for (SubPartition& part : parts_)
    part.charge_all(now);
  trace->deliver(now);
  catch_up_at_ = now + cycles_between_catch_ups;
  if (!inputs_.listener->is_done(number_)) return;
  trace->finish(now);
  trace.reset();
  for (SubPartition& part : parts_)
    part.stop_tracing();
  catch_up_at_ = never;
}

void Sm::retire(Cycle now)
{
  if (now >= catch_up_at_) catch_up(now);
  leaving_.clear();
  for (SubPartitionIndex part = 0; part < parts_.size(); ++part) {
    if (parts_[part].next_event() > now) continue;
    due_ |= std::uint64_t{1} << part;
    left_.clear();
    parts_[part].retire(now, left_);
    for (const WarpSlot slot : left_)
      leaving_.push_back({part, slot});
  }
  if (leaving_.empty()) return;
  count_until(now);
  for (const WarpPlace& place : leaving_)
    warp_left(place.part, place.slot, now);
}

void Sm::warp_left(SubPartitionIndex part, WarpSlot slot, Cycle now)
{
  const Warp& warp = parts_[part].warp(slot);
  const std::uint32_t block_slot = warp.block_slot;
  ResidentBlock& block = blocks_[block_slot];
  --active_warps_;
  if (trace) trace->warp_left({part, slot}, now);
  const bool at_once = inputs_.arch.register_file.release == ReleasePolicy::warp;
  const auto free_place = [&](const WarpPlace& place) {
    parts_[place.part].free_slot(place.slot);
    resources_.release_warp(place.part);
    --allocated_warps_;
  };
  if (at_once) {
    free_place({part, slot});
    placement_known_ = false;
  }
  block.barriers.exit(
      now, [&](std::uint8_t barrier, Cycle opens) { open_barrier(block_slot, barrier, opens, now, true); });
  if (block.barriers.live_warps() > 0) return;
  if (!at_once)
    for (const WarpPlace& place : block.warps)
      free_place(place);
  resources_.release_block();
  placement_known_ = false;
  free_block_slots_.push_back(block_slot);
  const std::uint64_t cycles = now - block.launched;
  block_cycles_ += cycles;
  block_cycles_squared_ += Uint128{cycles} * cycles;
  shortest_block_ = blocks_run_ == 0 ? cycles : std::min(shortest_block_, cycles);
  longest_block_ = std::max(longest_block_, cycles);
  --resident_blocks_;
  ++blocks_run_;
  if (trace) trace->end_block(block.id, block.launched, now);
}

Sm::Integrals Sm::integrals_at(Cycle cycle) const
{
  Snapshot last{counted_, {active_warp_cycles_, allocated_warp_cycles_}, active_warps_, allocated_warps_};
  for (std::size_t i = snapshots_.size(); last.counted > cycle && i-- > 0;)
    last = snapshots_[i];
  const std::uint64_t since = cycle - last.counted;
  return {last.integrals.active + last.active_warps * since,
          last.integrals.allocated + last.allocated_warps * since};
}

std::uint32_t Sm::room(std::uint32_t most)
{
  if (most == 0 || !fits()) return 0;
  return most == 1 ? 1 : resources_.room(most);
}

bool Sm::fits()
{
  if (!placement_known_) {
    placement_ = resources_.place_block();
    placement_known_ = true;
  }
  return placement_.has_value();
}

void Sm::launch(BlockId id, Cycle now)
{
  count_until(now);
  snapshots_.clear();
  if (free_block_slots_.empty()) {
    free_block_slots_.push_back(static_cast<std::uint32_t>(blocks_.size()));
    blocks_.emplace_back();
  }
  const std::uint32_t block_slot = free_block_slots_.back();
  free_block_slots_.pop_back();
  ResidentBlock& block = blocks_[block_slot];
  block.id = id;
  block.launched = now;
  block.warps.clear();
  block.barriers.reset(inputs_.kernel.barriers, resources_.warps_per_block());
  resources_.take_block(*placement_);
  const Cycle may_issue = now + inputs_.arch.dispatch.launch_latency;
  if (trace) trace->launch(id, now);
  const auto executed = inputs_.program.trace ? inputs_.program.trace->read(id) : nullptr;
  for (std::uint32_t i = 0; i < placement_->size(); ++i) {
    const SubPartitionIndex part = (*placement_)[i];
    const std::uint32_t lanes = inputs_.kernel.lanes_of_warp(i, inputs_.arch.sm.warp_size);
    block.warps.push_back({part, parts_[part].launch(id, i, lanes, block_slot, now, may_issue, executed)});
    if (parts_[part].next_event() <= now) due_ |= std::uint64_t{1} << part;
  }
  placement_known_ = false;
  next_launch_ = now + inputs_.arch.dispatch.launch_interval;
  active_warps_ += resources_.warps_per_block();
  allocated_warps_ += resources_.warps_per_block();
  ++resident_blocks_;
  most_resident_blocks_ = std::max(most_resident_blocks_, resident_blocks_);
}

void Sm::issue(Cycle now)
{
  // The visits start at `first`: those from there on, then those before.
  const std::uint64_t before = (std::uint64_t{1} << first_visited(now)) - 1;
  pending_.clear();
  for (const std::uint64_t visits : {due_ & ~before, due_ & before})
    for (std::uint64_t rest = visits; rest != 0; rest &= rest - 1) {
      const auto index = static_cast<SubPartitionIndex>(std::countr_zero(rest));
      SubPartition& part = parts_[index];
      part.issue(now);
      if (part.has_pending_access()) pending_.push_back({part.access_ready(), pending_.size(), index});
    }
  due_ = 0;
  if (!pending_.empty()) complete_accesses(now);
  next_event_ = never;
  for (const SubPartition& part : parts_)
    next_event_ = std::min(next_event_, part.next_event());
}

/// The accesses of this cycle reach the shared stage in the order in which their own sub-partitions would let
/// them leave, ties in the order of visits.
void Sm::complete_accesses(Cycle now)
{
  std::sort(pending_.begin(), pending_.end());
  for (const PendingAccess& access : pending_)
    parts_[access.part].complete_access(now);
  if (!outstanding.bounded()) return;
  const std::uint8_t group = issue_groups(inputs_.arch).global_memory;
  for (SubPartition& part : parts_)
    part.unit_taken(group, outstanding.free_at(now), now + 1);
}

void Sm::arrive_at_barrier(Warp& warp, const BoundOp& op, Cycle now)
{
  const auto opens = blocks_[warp.block_slot].barriers.arrive(op.barrier, op.barrier_warps, op.latency, now);
  if (opens) open_barrier(warp.block_slot, op.barrier, *opens, now, false);
}

void Sm::open_barrier(std::uint32_t block_slot, std::uint8_t barrier, Cycle opens, Cycle now, bool retiring)
{
  if (trace) trace->open_barrier(blocks_[block_slot].id, barrier, std::max(opens, retiring ? now : now + 1));
  for (const WarpPlace& place : blocks_[block_slot].warps) {
    SubPartition& part = parts_[place.part];
    const Warp& warp = part.warp(place.slot);
    const bool waits =
        warp.block_slot == block_slot && warp.phase == Warp::Phase::at_barrier && warp.barrier == barrier;
    if (!waits) continue;
    part.leave_barrier(place.slot, opens, now, retiring);
    if (retiring) due_ |= std::uint64_t{1} << place.part;
  }
}

void Sm::take_shared_unit(std::uint8_t group, Cycle free_at, SubPartitionIndex taker, Cycle now)
{
  const std::uint64_t taken_in = turn(taker, now);
  for (SubPartitionIndex part = 0; part < parts_.size(); ++part)
    parts_[part].unit_taken(group, free_at, turn(part, now) <= taken_in ? now + 1 : now);
}

void Sm::tell_l1_changes(Cycle now)
{
  for (const L1Change& change : memory.l1_changes())
    parts_[change.owner.part].l1_changed(change, now);
}

void Sm::finish(Cycle end)
{
  count_until(end);
  for (SubPartition& part : parts_)
    part.charge_all(end);
  if (trace) trace->finish(end);
}

std::vector<WarpReport> Sm::waiting_warps() const
{
  std::vector<WarpReport> reports;
  for (const ResidentBlock& block : blocks_) {
    if (block.barriers.live_warps() == 0) continue;
    for (std::uint32_t i = 0; i < block.warps.size(); ++i) {
      const WarpPlace& place = block.warps[i];
      const Warp& warp = parts_[place.part].warp(place.slot);
      WarpReport report{block.id, i, place.part, "exited", warp.pc};
      // With release: warp the slot of an exited warp may hold another block's by now.
      const bool is_ours = warp.block == block.id && warp.warp_in_block == i;
      if (is_ours && warp.phase == Warp::Phase::at_barrier) {
        const BarrierUnit::Barrier& barrier = block.barriers.barrier(warp.barrier);
        const std::uint32_t needed = barrier.expected ? barrier.expected : block.barriers.live_warps();
        report.state = "barrier " + std::to_string(warp.barrier) + ": " + std::to_string(barrier.arrived) +
                       " of " + std::to_string(needed) + " warps arrived";
      } else if (is_ours && warp.phase == Warp::Phase::running) {
        report.state = "running";
      }
      reports.push_back(std::move(report));
    }
  }
  return reports;
}

}  // namespace smsim

#include "engine/schedule_bound.h"

#include <algorithm>

namespace smsim {
namespace {

/// Cycles from an instruction's issue until its result can be used, at least.
std::uint64_t least_latency(const ArchConfig& arch, const BoundOp& op)
{
  if (op.kind != OpKind::global_access) return op.latency;
  const MemoryConfig& memory = arch.memory;
  if (op.draws_level || op.address.kind != AddressPattern::Kind::none)
    return std::min({memory.l1.latency, memory.l2.latency, memory.dram.latency});
  if (op.levels.below_l1 > 0) return memory.l1.latency;
  return op.levels.below_l2 > 0 ? memory.l2.latency : memory.dram.latency;
}

/// Cycles from its issue until the next instruction of its warp can issue, at least.
std::uint64_t least_step(const BoundOp& op)
{
  const bool timed = op.kind == OpKind::barrier || op.kind == OpKind::branch || op.kind == OpKind::sleep;
  return std::max<std::uint64_t>({1, op.stall, timed ? op.latency : 0});
}

/// When the last of `tails` is over if `count` of them begin every `interval` cycles, the longest first.
std::uint64_t finish(std::vector<std::uint64_t>& tails, std::uint64_t count, std::uint64_t interval)
{
  std::sort(tails.begin(), tails.end(), std::greater<>{});
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < tails.size(); ++i)
    last = std::max(last, i / count * interval + tails[i]);
  return last;
}

}  // namespace

ScheduleBound::ScheduleBound(const RunInputs& inputs, const std::vector<std::vector<std::uint32_t>>& streams)
    : warps_per_block_(static_cast<std::uint32_t>(streams.size() / inputs.kernel.blocks())),
      schedulers_(inputs.arch.sm.sub_partitions), pipes_(inputs.arch.pipes.size())
{
  for (const BoundOp& op : inputs.program.ops) {
    if (op.kind != OpKind::math) continue;
    Pipe& pipe = pipes_[op.group];
    pipe.interval = pipe.interval == 0 ? op.interval : std::min<std::uint64_t>(pipe.interval, op.interval);
    pipe.count = op.pipe_is_shared ? 1 : schedulers_;
  }
  for (const std::vector<std::uint32_t>& stream : streams)
    steps_.push_back(steps_of(inputs, stream));
}

std::vector<ScheduleBound::Step> ScheduleBound::steps_of(const RunInputs& inputs,
                                                         const std::vector<std::uint32_t>& stream) const
{
  const BoundProgram& program = inputs.program;
  const bool order_is_known = std::none_of(program.regions.begin(), program.regions.end(),
                                           [](const Region& r) { return r.kind == Region::Kind::split; });
  std::vector<Step> steps(stream.size());
  for (std::size_t i = stream.size(); i-- > 0;) {
    const BoundOp& op = program.ops[stream[i]];
    Step& step = steps[i];
    step.pipe = op.kind == OpKind::math && pipes_[op.group].interval > 1 ? op.group : no_pipe;
    step.tail = 1;
    if (!order_is_known) continue;
    if (op.kind == OpKind::global_access || op.kind == OpKind::shared_access)
      step.tail = std::max(step.tail, least_latency(inputs.arch, op));
    if (i + 1 < stream.size()) step.tail = std::max(step.tail, least_step(op) + steps[i + 1].tail);
    if (op.destination == no_register || program.uses_counters) continue;
    for (std::size_t j = i + 1; j < stream.size(); ++j) {
      const BoundOp& reader = program.ops[stream[j]];
      const auto* const end = reader.operands.begin() + reader.operand_count;
      if (std::find(reader.operands.begin(), end, op.destination) == end) continue;
      step.tail = std::max(step.tail, least_latency(inputs.arch, op) + steps[j].tail);
      break;
    }
  }
  return steps;
}

Cycle ScheduleBound::end(const PlainSm& sm, Cycle now, const std::vector<bool>& launched) const
{
  std::vector<std::uint64_t> tails;
  std::vector<std::vector<std::uint64_t>> of_pipes(pipes_.size());
  Cycle last = now;
  const auto add = [&](const std::vector<Step>& steps, std::size_t from) {
    for (std::size_t i = from; i < steps.size(); ++i) {
      tails.push_back(steps[i].tail);
      if (steps[i].pipe != no_pipe) of_pipes[steps[i].pipe].push_back(steps[i].tail);
    }
  };
  for (const PlainSm::Progress& warp : sm.progress(now)) {
    const std::vector<Step>& steps = steps_[warp.block.value() * warps_per_block_ + warp.warp_in_block];
    const bool over = warp.ended || warp.issued >= steps.size();
    last = std::max(last, over ? warp.earliest : warp.earliest + steps[warp.issued].tail);
    add(steps, warp.issued);
  }
  for (std::size_t block = 0; block < launched.size(); ++block)
    for (std::uint32_t warp = 0; !launched[block] && warp < warps_per_block_; ++warp)
      add(steps_[block * warps_per_block_ + warp], 0);
  last = std::max(last, now + finish(tails, schedulers_, 1));
  for (std::size_t pipe = 0; pipe < pipes_.size(); ++pipe)
    last = std::max(last, now + finish(of_pipes[pipe], pipes_[pipe].count, pipes_[pipe].interval));
  return last;
}

}  // namespace smsim

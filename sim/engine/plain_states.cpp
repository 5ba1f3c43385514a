// Which state a warp of the plain engine is in, and whether it may issue.
#include "base/random.h"
#include "engine/plain_sm.h"

#include <algorithm>

namespace smsim {

WarpState PlainSm::state_of(PlainPart& part, WarpSlot slot, Cycle now)
{
  PlainWarp& warp = part.warps[slot.value()];
  if (warp.barrier >= 0 && now < warp.opens) return WarpState::barrier;
  if (now < warp.may_issue) return WarpState::no_instruction;
  if (warp.ended) return WarpState::drain;
  // The warp stays on its path, unless that waits and another, the first in the program, does not.
  std::vector<std::optional<WarpState>> waits;
  for (PlainPath& path : warp.paths)
    waits.push_back(path.at_join ? WarpState::wait : own_wait(path, now));
  if (waits[warp.on]) {
    const auto other = std::find(waits.begin(), waits.end(), std::nullopt);
    if (other == waits.end()) return *waits[warp.on];
    warp.on = static_cast<std::size_t>(other - waits.begin());
    part.ports.forget(slot);
  }
  return unit_wait(part, in_.program.ops[warp.paths[warp.on].pc], now).value_or(WarpState::not_selected);
}

std::optional<WarpState> PlainSm::own_wait(PlainPath& path, Cycle now) const
{
  if (now < path.fence_until) return WarpState::membar;
  if (now < path.sleeps_until) return WarpState::sleeping;
  if (now < path.fetched) return WarpState::no_instruction;
  if (now < path.branch_until) return WarpState::branch_resolving;
  if (now < path.stalled_until) return path.stall_state;
  const BoundOp& op = in_.program.ops[path.pc];
  if (const ReadyKey last = last_result(path, op, now); ready_cycle(last) > now) return ready_state(last);
  if (path.constant_misses) {
    path.constant_misses = false;
    path.constant_there = now + in_.arch.memory.constant_miss_latency;
  }
  if (now < path.constant_there) return WarpState::imc_miss;
  return std::nullopt;
}

std::optional<WarpState> PlainSm::unit_wait(const PlainPart& part, const BoundOp& op, Cycle now)
{
  if (op.kind == OpKind::math) {
    const Cycle free = op.pipe_is_shared ? sm_pipe_free_[op.group] : part.pipe_free[op.group];
    if (now < free) return WarpState::math_pipe_throttle;
  }
  if (op.kind == OpKind::shared_access && now < part.queue.free_at()) return WarpState::mio_throttle;
  if (op.kind == OpKind::global_access && (now < part.queue.free_at() || outstanding_.full(now)))
    return WarpState::lg_throttle;
  if (now < part.dispatch_free) return WarpState::dispatch_stall;
  return std::nullopt;
}

ReadyKey PlainSm::last_result(const PlainPath& path, const BoundOp& op, Cycle now) const
{
  ReadyKey last = path.counters.zero_at(op.wait_mask, now);
  for (std::size_t i = 0; i < op.operand_count; ++i)
    last = std::max(last, path.ready[op.operands[i]]);
  return last;
}

void PlainSm::draw_constant(PlainWarp& warp, PlainPath& path) const
{
  const BoundOp& op = in_.program.ops[path.pc];
  path.constant_there = Cycle{0};
  path.constant_misses =
      op.constant_miss != 0 && draw_u32({in_.seed, warp.block.value(), warp.warp_in_block, op.constant_site,
                                         warp.drawn[op.constant_site]++}) < op.constant_miss;
}

void PlainSm::arrive_at_instructions(PlainPart& part, PlainWarp& warp, Cycle at)
{
  for (PlainPath& path : warp.paths) {
    if (!path.moved || path.at_join) continue;
    path.moved = false;
    const std::uint32_t place = in_.program.ops[path.pc].place;
    if (part.instructions.modelled() && !part.instructions.same_line(path.last_place, place))
      path.fetched = part.instructions.fetch(place, at);
    draw_constant(warp, path);
  }
}

}  // namespace smsim

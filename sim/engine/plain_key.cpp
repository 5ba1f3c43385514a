// What the future of a plain SM depends on.
#include "engine/plain_sm.h"

#include <algorithm>

namespace smsim {
namespace {

void append_path(StateKey& key, const PlainPath& path, bool lines_matter)
{
  key.number(path.pc);
  if (lines_matter) key.number(path.last_place);
  key.number(path.lanes);
  key.number(path.regions.size());
  for (const PlainRegion& region : path.regions)
    for (const std::uint64_t part :
         {std::uint64_t{region.region}, region.left, std::uint64_t{region.reached},
          std::uint64_t{region.in_else}, std::uint64_t{region.else_lanes}, std::uint64_t{region.through}})
      key.number(part);
  key.number(path.at_join ? 1 : 0);
  for (const ReadyKey ready : path.ready)
    key.time(ready_cycle(ready));
  for (const Cycle until : {path.fence_until, path.sleeps_until, path.fetched, path.branch_until,
                            path.stalled_until, path.constant_there})
    key.time(until);
  key.number(path.constant_misses ? 1 : 0);
  path.counters.append_to(key);
}

}  // namespace

std::vector<PlainSm::Progress> PlainSm::progress(Cycle now) const
{
  std::vector<Progress> found;
  for (const PlainPart& part : parts_)
    for (const PlainWarp& warp : part.warps) {
      if (!warp.active) continue;
      Cycle earliest = std::max(now, warp.may_issue);
      if (warp.barrier >= 0 && warp.opens != never) earliest = std::max(earliest, warp.opens);
      if (warp.ended) {
        earliest = std::max(earliest, warp.leaves);
      } else if (warp.paths.size() == 1) {
        const PlainPath& path = warp.paths.front();
        const BoundOp& op = in_.program.ops[path.pc];
        earliest = std::max({earliest, path.fence_until, path.sleeps_until, path.fetched, path.branch_until,
                             path.stalled_until});
        for (std::size_t i = 0; i < op.operand_count; ++i)
          earliest = std::max(earliest, ready_cycle(path.ready[op.operands[i]]));
      }
      found.push_back({warp.block, warp.warp_in_block, warp.issued, warp.ended, earliest});
    }
  return found;
}

void PlainSm::append_to(StateKey& key, bool exchangeable) const
{
  const bool lines_matter = parts_.front().instructions.modelled();
  std::vector<std::string> blocks;
  for (const PlainBlock& block : blocks_) {
    if (!block.resident) continue;
    std::vector<std::string> warps;
    for (std::uint32_t i = 0; i < block.warps.size(); ++i) {
      const WarpPlace& place = block.warps[i];
      const PlainPart& part = parts_[place.part];
      const PlainWarp& warp = part.warps[place.slot.value()];
      StateKey own(key.now());
      own.number(place.part);
      if (!exchangeable) own.number(i);
      const bool is_here = warp.active && warp.block == block.id && warp.warp_in_block == i;
      own.number(is_here ? 1 : 0);
      if (is_here) {
        own.number(part.last == place.slot ? 1 : 0);
        own.number(part.ports.kept_for() == place.slot ? 1 : 0);
        own.number(static_cast<std::uint64_t>(warp.barrier) + 1);
        own.number(warp.opens == never ? 1 : 0);
        for (const Cycle until :
             {warp.opens == never ? Cycle{0} : warp.opens, warp.may_issue, warp.leaves, warp.accesses_done})
          own.time(until);
        own.number(warp.ended ? 1 : 0);
        own.number(warp.on);
        for (const std::uint64_t drawn : warp.drawn)
          own.number(drawn);
        for (const PlainPath& path : warp.paths)
          append_path(own, path, lines_matter);
      }
      warps.push_back(own.bytes());
    }
    if (exchangeable) std::sort(warps.begin(), warps.end());
    StateKey whole(key.now());
    if (!exchangeable) whole.number(block.id.value());
    for (const std::string& warp : warps)
      whole.text(warp);
    for (const PlainBarrier& barrier : block.barriers) {
      whole.number(barrier.arrived);
      whole.number(barrier.expected);
      whole.number(barrier.latency);
      whole.time(barrier.last_arrival + barrier.latency);
    }
    blocks.push_back(whole.bytes());
  }
  if (exchangeable) std::sort(blocks.begin(), blocks.end());
  for (const std::string& block : blocks)
    key.text(block);
  key.number(0);
  if (parts_.size() > 1) key.number(key.now().value() % parts_.size());
  key.number(resources_.next_part());
  for (const Cycle free : sm_pipe_free_)
    key.time(free);
  key.time(stage_.next_departure);
  memory_.append_to(key);
  outstanding_.append_to(key);
  key.time(next_launch_);
  for (const PlainPart& part : parts_) {
    for (const Cycle free : part.pipe_free)
      key.time(free);
    part.ports.append_to(key);
    part.queue.append_to(key);
    part.instructions.append_to(key);
    key.time(part.dispatch_free);
    key.number(!part.last ? 0 : part.last == no_warp ? 1 : 2);
  }
}

}  // namespace smsim

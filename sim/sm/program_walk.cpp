#include "sm/program_walk.h"

#include <algorithm>

namespace smsim {
namespace {

bool is_in(const Path& path, std::uint32_t region)
{
  const auto end = path.frames.begin() + path.depth;
  return std::any_of(path.frames.begin(), end, [&](const Frame& frame) { return frame.region == region; });
}

bool waits_behind(const Path& path, std::uint32_t region)
{
  return path.at_join && path.frames[path.depth - 1].region == region;
}

/// The held-back path of two that meet waits for what either waited for.
void join_holds(Holds& holds, const Holds& other)
{
  holds.fence = std::max(holds.fence, other.fence);
  holds.sleep = std::max(holds.sleep, other.sleep);
  holds.branch = std::max(holds.branch, other.branch);
  if (other.stall > holds.stall) {
    holds.stall = other.stall;
    holds.stall_state = other.stall_state;
  }
}

}  // namespace

std::uint64_t* ScoreboardPool::take_copy(const std::uint64_t* of)
{
  if (free_.empty()) {
    all_.push_back(std::make_unique<std::uint64_t[]>(registers_ + 1U));
    free_.push_back(all_.back().get());
  }
  std::uint64_t* taken = free_.back();
  free_.pop_back();
  std::copy_n(of, registers_, taken);
  return taken;
}

void ProgramWalk::start(Warp& warp, const std::shared_ptr<const TraceBlock>& trace)
{
  if (!program_.trace) {
    go_to(warp, 0);
    return;
  }
  warp.trace = TraceCursor(trace, warp.warp_in_block);
  warp.moved = true;
  follow_trace(warp);
}

/// Where the trace is. At its end the block that was read for the warp is let go.
bool ProgramWalk::follow_trace(Warp& warp) const
{
  if (warp.trace.at_end()) {
    warp.trace = {};
    warp.pc = static_cast<std::uint32_t>(program_.ops.size());
    return false;
  }
  warp.pc = warp.trace.step().op;
  warp.lanes = warp.trace.step().lanes;
  return false;
}

bool ProgramWalk::go_to(Warp& warp, std::uint32_t position)
{
  if (program_.trace) {
    warp.trace.next();
    return follow_trace(warp);
  }
  lanes_changed_ = paths_changed_ = false;
  walk(warp, position, 0);
  return settle_paths(warp);
}

/// Walks the paths that came about on the way, and lets the warp be on the right one.
bool ProgramWalk::settle_paths(Warp& warp)
{
  while (!unwalked_.empty()) {
    const Unwalked next = unwalked_.back();
    unwalked_.pop_back();
    const auto path = std::find_if(warp.others.begin(), warp.others.end(),
                                   [&](const Path& other) { return other.ready == next.ready; });
    warp.turn_to(*path);
    walk(warp, warp.pc, next.fresh);
  }
  if (!paths_changed_) return lanes_changed_;
  for (Path& other : warp.others)
    if (!other.at_join && (warp.at_join || other.pc < warp.pc)) warp.turn_to(other);
  return true;
}

/// bit d of `fresh`: frame d was entered or repeated since the last instruction.
void ProgramWalk::walk(Warp& warp, std::uint32_t position, std::uint32_t fresh)
{
  const std::vector<Region>& regions = program_.regions;
  warp.moved = true;
  bool moved = true;
  while (moved) {
    moved = false;
    std::uint32_t first = program_.first_region_from[position];
    while (warp.depth > 0 && side_end(warp.frames[warp.depth - 1]) == position) {
      const std::uint32_t frame_bit = 1U << (warp.depth - 1);
      Frame& frame = warp.frames[warp.depth - 1];
      if (regions[frame.region].kind == Region::Kind::split) {
        if (!leave_side(warp, position)) {
          warp.pc = position;
          return;
        }
        first = program_.first_region_from[position];
        continue;
      }
      if ((fresh & frame_bit) == 0 && ++frame.iteration < frame.count) {
        fresh |= frame_bit;
        position = regions[frame.region].begin;
        first = frame.region + 1;
        break;
      }
      fresh &= ~frame_bit;
      --warp.depth;
    }
    for (std::uint32_t i = first; i < regions.size() && regions[i].begin == position; ++i) {
      if (regions[i].kind == Region::Kind::split) {
        moved = enter_split(warp, i, position, fresh);
        if (moved) break;
        continue;
      }
      const std::uint64_t count = regions[i].count.of(warp.block.value(), warp.warp_in_block);
      if (count == 0) {
        position = regions[i].end;
        moved = true;
        break;
      }
      fresh |= 1U << warp.depth;
      warp.frames[warp.depth] = {i};
      warp.frames[warp.depth++].count = count;
    }
  }
  warp.pc = position;
}

/// At the end of a side. False if the path waits there for another.
bool ProgramWalk::leave_side(Warp& warp, std::uint32_t& position)
{
  Frame& frame = warp.frames[warp.depth - 1];
  const Region& split = program_.regions[frame.region];
  if (program_.independent) {
    if (!join(warp, frame.region)) return false;
  } else {
    frame.joined += warp.lanes;
    if (frame.waiting > 0) {
      warp.lanes = frame.waiting;
      frame.waiting = 0;
      frame.in_else = true;
      lanes_changed_ = true;
      return true;  // `position` is where the other side begins
    }
    lanes_changed_ |= warp.lanes != frame.joined;
    warp.lanes = frame.joined;
  }
  position = split.end;
  --warp.depth;
  return true;
}

/// True if that changed the position: to the other side, or behind the split.
bool ProgramWalk::enter_split(Warp& warp, std::uint32_t index, std::uint32_t& position, std::uint32_t fresh)
{
  const Region& split = program_.regions[index];
  const bool has_else = split.middle < split.end;
  const std::uint32_t here = split.lanes.of(warp.block.value(), warp.warp_in_block, warp.lanes);
  const std::uint32_t there = warp.lanes - here;
  Frame frame{index};
  if (here == 0) {
    position = split.middle;
    frame.in_else = true;
    if (has_else) warp.frames[warp.depth++] = frame;
    return true;
  }
  if (there > 0) {
    lanes_changed_ = true;
    if (program_.independent)
      split_off(warp, warp, frame, there, fresh);
    else
      (has_else ? frame.waiting : frame.joined) = there;
    warp.lanes = here;
  }
  warp.frames[warp.depth++] = frame;
  return false;
}

void ProgramWalk::split_off(const Path& path, Warp& warp, const Frame& frame, std::uint32_t lanes,
                            std::uint32_t fresh)
{
  Path other = path;
  other.ready = scoreboards_.take_copy(path.ready);
  other.lanes = lanes;
  other.pc = program_.regions[frame.region].middle;
  other.frames[other.depth] = frame;
  other.frames[other.depth++].in_else = true;
  unwalked_.push_back({other.ready, fresh});
  warp.others.push_back(other);
  paths_changed_ = true;
}

/// The path has come to the join behind a split. False if it waits there for lanes that are on their way.
bool ProgramWalk::join(Warp& warp, std::uint32_t region)
{
  auto waiting = warp.others.end();
  for (auto other = warp.others.begin(); other != warp.others.end(); ++other) {
    if (!is_in(*other, region)) continue;
    if (!waits_behind(*other, region)) {
      warp.at_join = paths_changed_ = true;
      return false;
    }
    waiting = other;
  }
  if (waiting == warp.others.end()) return true;
  warp.lanes += waiting->lanes;
  for (std::uint32_t r = 0; r < scoreboards_.registers(); ++r)
    warp.ready[r] = std::max(warp.ready[r], waiting->ready[r]);
  join_holds(warp.holds, waiting->holds);
  warp.counters.join(waiting->counters);
  scoreboards_.give_back(waiting->ready);
  warp.others.erase(waiting);
  paths_changed_ = true;
  return true;
}

bool ProgramWalk::exit_lanes(Warp& warp)
{
  lanes_changed_ = paths_changed_ = false;
  if (program_.independent) return exit_path(warp);
  for (; warp.depth > 0; --warp.depth) {
    Frame& frame = warp.frames[warp.depth - 1];
    if (frame.waiting + frame.joined == 0) continue;
    warp.lanes = 0;
    const Region& split = program_.regions[frame.region];
    walk(warp, frame.waiting > 0 ? split.middle : split.end, 0);
    return true;
  }
  return false;
}

bool ProgramWalk::exit_path(Warp& warp)
{
  if (warp.others.empty()) return false;
  paths_changed_ = true;
  // The lanes that wait for these alone go on.
  auto released = warp.others.end();
  for (std::uint32_t depth = warp.depth; depth-- > 0 && released == warp.others.end();) {
    const std::uint32_t region = warp.frames[depth].region;
    if (program_.regions[region].kind != Region::Kind::split) continue;
    const auto comes = [&](const Path& path) { return is_in(path, region) && !waits_behind(path, region); };
    if (std::any_of(warp.others.begin(), warp.others.end(), comes)) break;
    released = std::find_if(warp.others.begin(), warp.others.end(),
                            [&](const Path& path) { return waits_behind(path, region); });
  }
  const bool releases = released != warp.others.end();
  if (!releases) released = std::prev(released);
  warp.turn_to(*released);
  scoreboards_.give_back(released->ready);
  warp.others.erase(released);
  if (releases) {
    warp.at_join = false;
    walk(warp, side_end(warp.frames[warp.depth - 1]), 0);
  }
  settle_paths(warp);
  return true;
}

}  // namespace smsim

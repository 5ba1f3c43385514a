// How a warp of the plain engine goes through its program.
#include "engine/plain_sm.h"

#include <algorithm>

namespace smsim {
namespace {

bool is_in(const PlainPath& path, std::uint32_t region)
{
  for (const PlainRegion& r : path.regions)
    if (r.region == region) return true;
  return false;
}

bool is_parked_behind(const PlainPath& path, std::uint32_t region)
{
  return path.at_join && path.regions.back().region == region;
}

/// Two paths meet: what is true of either is true of both.
void absorb(PlainPath& path, const PlainPath& other)
{
  path.lanes += other.lanes;
  for (std::size_t i = 0; i < path.ready.size(); ++i)
    path.ready[i] = std::max(path.ready[i], other.ready[i]);
  for (std::size_t i = 0; i < path.regions.size(); ++i)
    path.regions[i].reached |= other.regions[i].reached;
  path.fence_until = std::max(path.fence_until, other.fence_until);
  path.sleeps_until = std::max(path.sleeps_until, other.sleeps_until);
  path.branch_until = std::max(path.branch_until, other.branch_until);
  if (other.stalled_until > path.stalled_until) {
    path.stalled_until = other.stalled_until;
    path.stall_state = other.stall_state;
  }
  path.counters.join(other.counters);
}

}  // namespace

void PlainSm::follow_trace(PlainWarp& warp, PlainPath path)
{
  const bool ended = warp.trace.at_end();
  path.moved = true;
  path.pc = ended ? static_cast<std::uint32_t>(in_.program.ops.size()) : warp.trace.step().op;
  path.lanes = ended ? 0U : warp.trace.step().lanes;
  warp.paths.push_back(std::move(path));
}

void PlainSm::walk(PlainWarp& warp, PlainPath path, std::uint32_t position, std::uint32_t next)
{
  const std::vector<Region>& regions = in_.program.regions;
  path.at_join = false;
  path.moved = true;
  while (true) {
    const std::uint32_t before = position;
    if (!path.regions.empty()) {
      const PlainRegion innermost = path.regions.back();
      const Region& region = regions[innermost.region];
      const bool on_first_side = region.kind == Region::Kind::split && !innermost.in_else;
      if ((on_first_side ? region.middle : region.end) == position) {
        if (!leave_region(warp, path, position)) return;
        const bool repeats = region.kind == Region::Kind::loop && position == region.begin;
        next = repeats ? innermost.region + 1 : 0;
        continue;
      }
    }
    while (next < regions.size() && regions[next].begin != position)
      ++next;
    if (next == regions.size()) break;
    enter_region(warp, path, next, position);
    next = position == before ? next + 1 : 0;
  }
  path.pc = position;
  warp.paths.push_back(std::move(path));
}

/// False if the path is parked at a join, or went into another.
bool PlainSm::leave_region(PlainWarp& warp, PlainPath& path, std::uint32_t& position)
{
  PlainRegion& innermost = path.regions.back();
  const std::uint32_t number = innermost.region;
  const Region& region = in_.program.regions[number];
  if (region.kind == Region::Kind::loop) {
    // A run without an instruction stands for all: the body is empty for this warp.
    if (--innermost.left == 0 || !innermost.reached) {
      path.regions.pop_back();
    } else {
      innermost.reached = false;
      position = region.begin;
    }
    return true;
  }
  if (!in_.program.independent) {
    innermost.through += path.lanes;
    if (innermost.else_lanes > 0) {
      path.lanes = std::exchange(innermost.else_lanes, 0);
      warp.lanes_changed = true;
      innermost.in_else = true;
      return true;
    }
    warp.lanes_changed |= path.lanes != innermost.through;
    path.lanes = innermost.through;
  } else {
    for (std::size_t i = 0; i < warp.paths.size(); ++i) {
      if (!is_in(warp.paths[i], number)) continue;
      warp.lanes_changed = true;
      if (is_parked_behind(warp.paths[i], number)) {
        absorb(path, warp.paths[i]);
        warp.paths.erase(warp.paths.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
      path.at_join = true;
      path.pc = position;
      warp.paths.push_back(std::move(path));
      return false;
    }
  }
  path.regions.pop_back();
  position = region.end;
  return true;
}

void PlainSm::enter_region(PlainWarp& warp, PlainPath& path, std::uint32_t number, std::uint32_t& position)
{
  const Region& region = in_.program.regions[number];
  if (region.kind == Region::Kind::loop) {
    const std::uint64_t count = region.count.of(warp.block.value(), warp.warp_in_block);
    if (count == 0)
      position = region.end;
    else
      path.regions.push_back({number, count});
    return;
  }
  const std::uint32_t first = region.lanes.of(warp.block.value(), warp.warp_in_block, path.lanes);
  const std::uint32_t second = path.lanes - first;
  const bool has_else = region.middle < region.end;
  PlainRegion entered{number};
  if (first == 0) {
    entered.in_else = true;
    if (has_else) path.regions.push_back(entered);
    position = region.middle;
    return;
  }
  path.lanes = first;
  warp.lanes_changed |= second > 0;
  if (second > 0 && in_.program.independent) {
    PlainPath other = path;
    other.id = ++warp.last_id;
    other.lanes = second;
    other.regions.push_back(entered);
    other.regions.back().in_else = true;
    path.regions.push_back(entered);
    // Each must find the other when it comes to the join: the second waits its turn among the warp's paths.
    warp.paths.push_back(other);
    walk(warp, std::move(path), position, number + 1);
    const auto same = [&](const PlainPath& p) { return p.id == other.id; };
    warp.paths.erase(std::find_if(warp.paths.begin(), warp.paths.end(), same));
    path = std::move(other);
    position = region.middle;
    return;
  }
  if (has_else)
    entered.else_lanes = second;
  else
    entered.through = second;
  path.regions.push_back(entered);
}

void PlainSm::exit_lanes(PlainWarp& warp, PlainPath path)
{
  const std::vector<Region>& regions = in_.program.regions;
  for (; !path.regions.empty(); path.regions.pop_back()) {
    const PlainRegion& innermost = path.regions.back();
    const Region& region = regions[innermost.region];
    if (region.kind != Region::Kind::split) continue;
    if (!in_.program.independent) {
      if (innermost.else_lanes + innermost.through == 0) continue;
      path.lanes = 0;
      return walk(warp, path, innermost.else_lanes > 0 ? region.middle : region.end);
    }
    // Lanes that wait at the join for these alone go on.
    std::size_t parked = warp.paths.size();
    for (std::size_t i = 0; i < warp.paths.size(); ++i) {
      if (!is_in(warp.paths[i], innermost.region)) continue;
      if (!is_parked_behind(warp.paths[i], innermost.region)) return;
      parked = i;
    }
    if (parked == warp.paths.size()) continue;
    PlainPath freed = warp.paths[parked];
    warp.paths.erase(warp.paths.begin() + static_cast<std::ptrdiff_t>(parked));
    for (PlainRegion& each : freed.regions)
      each.reached = true;
    return walk(warp, freed, freed.pc);
  }
}

bool PlainSm::advance(PlainWarp& warp, bool exits)
{
  PlainPath path = warp.paths[warp.on];
  const std::uint64_t id = path.id;
  warp.paths.erase(warp.paths.begin() + static_cast<std::ptrdiff_t>(warp.on));
  for (PlainRegion& each : path.regions)
    each.reached = true;
  path.last_place = in_.program.ops[path.pc].place;
  warp.lanes_changed = exits;
  if (in_.program.trace) {
    warp.trace.next();
    follow_trace(warp, std::move(path));
  } else if (exits)
    exit_lanes(warp, path);
  else
    walk(warp, path, path.pc + 1);
  const auto by_pc = [](const PlainPath& x, const PlainPath& y) { return x.pc < y.pc; };
  std::sort(warp.paths.begin(), warp.paths.end(), by_pc);
  warp.on = 0;
  if (warp.paths.empty()) return true;
  while (warp.lanes_changed ? warp.paths[warp.on].at_join : warp.paths[warp.on].id != id)
    ++warp.on;
  return warp.lanes_changed;
}

}  // namespace smsim

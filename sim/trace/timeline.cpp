#include "trace/timeline.h"

#include <algorithm>

namespace smsim {

bool Timeline::shows(const TracedWarp& warp) const
{
  const auto has = [](const std::vector<std::uint32_t>& numbers, std::uint32_t number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
  };
  return has(choice_.sub_partitions, warp.sub_partition) &&
         (choice_.slots.empty() || has(choice_.slots, warp.slot));
}

Timeline::Warp& Timeline::warp_of(const TracedWarp& warp)
{
  Warp& found = warps_[{warp.sub_partition, warp.block, warp.warp}];
  found.warp = warp;
  return found;
}

void Timeline::on(const WarpSpan& span)
{
  if (span.until <= choice_.from || span.from >= choice_.until || !shows(span.warp)) return;
  WarpSpan cut = span;
  cut.from = std::max(span.from, choice_.from);
  cut.until = std::min(span.until, choice_.until);
  warp_of(span.warp).spans.push_back(cut);
}

void Timeline::on(const InstructionIssue& issue)
{
  if (is_inside(issue.cycle)) issues_[issue.warp.sub_partition].push_back(issue);
}

void Timeline::on(const BlockLaunch& launch)
{
  if (launch.cycle < choice_.until) blocks_[launch.block] = {launch.block, launch.cycle, std::nullopt, {}};
}

void Timeline::on(const BlockEnd& end)
{
  if (end.cycle <= choice_.from)
    blocks_.erase(end.block);
  else if (end.cycle < choice_.until)
    blocks_.at(end.block).ended = end.cycle;
}

void Timeline::on(const BarrierArrival& arrival)
{
  if (is_inside(arrival.cycle) && shows(arrival.warp))
    warp_of(arrival.warp).arrivals.push_back(arrival.cycle);
}

void Timeline::on(const BarrierOpening& opening)
{
  if (is_inside(opening.cycle)) blocks_.at(opening.block).openings.push_back(opening.cycle);
}

std::vector<const Timeline::Warp*> Timeline::warps(std::uint32_t sub_partition) const
{
  std::vector<const Warp*> found;
  for (const auto& [key, warp] : warps_)
    if (std::get<0>(key) == sub_partition) found.push_back(&warp);
  return found;
}

const std::vector<InstructionIssue>& Timeline::issues(std::uint32_t sub_partition) const
{
  static const std::vector<InstructionIssue> none;
  const auto found = issues_.find(sub_partition);
  return found == issues_.end() ? none : found->second;
}

}  // namespace smsim

#include "sm/block_dispatcher.h"

#include <algorithm>

namespace smsim {

void BlockDispatcher::dispatch(std::vector<Candidate>& candidates)
{
  const bool depth_first = fill_ == FillOrder::depth_first;
  if (!depth_first) {
    const auto is_before = [&](const Candidate& c) { return c.index < next_group_; };
    const auto first = std::find_if_not(candidates.begin(), candidates.end(), is_before);
    std::rotate(candidates.begin(), first, candidates.end());
  }
  bool placed = true;
  while (placed && !all_launched()) {
    placed = false;
    for (const Candidate& candidate : candidates) {
      while (!all_launched() && candidate.group->has_room()) {
        candidate.group->grant(BlockId{order_[next_++] * cluster_}, depth_first);
        next_group_ = (candidate.index + 1) % groups_;
        placed = true;
        if (!depth_first) break;
      }
    }
  }
}

}  // namespace smsim

// Two-level, active set: at most `active_set` warps are scheduled, loose round robin. One that waits for
// memory or at a barrier goes to the end of the pending ones; the first of these takes its place. Source:
// Gebhart et al., "Energy-Efficient Mechanisms for Managing Thread Context in Throughput Processors",
// ISCA'11; GPGPU-Sim. In GPGPU-Sim a pending warp takes the place at once, even if it still waits; here the
// first that can issue does, so that the set does not turn in cycles in which nothing happens.
#include "sm/warp_scheduler/round_robin.h"
#include "sm/warp_scheduler/warp_scheduler.h"

#include <vector>

namespace smsim {
namespace {

class TwoLevelActive final : public WarpScheduler {
 public:
  explicit TwoLevelActive(const PolicySetup& setup)
      : WarpScheduler({.results = true}), most_(setup.parameters[0])
  {
  }

  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    WarpMask candidates = view.eligible & active_;
    std::size_t room = most_ - static_cast<std::size_t>(std::popcount(active_));
    for (auto next = pending_.begin(); next != pending_.end() && room > 0; ++next) {
      if ((view.eligible & bit(*next)) == 0) continue;
      candidates |= bit(*next);
      --room;
    }
    return candidates != 0 ? turn_.next(candidates) : no_warp;
  }
  void on_issue(WarpSlot slot, const IssueInfo&) override
  {
    turn_.went(slot);
    if ((active_ & bit(slot)) == 0) std::erase(pending_, slot);
    active_ |= bit(slot);
  }
  void on_launch(WarpSlot slot, const LaunchInfo&) override
  {
    if (static_cast<std::size_t>(std::popcount(active_)) < most_)
      active_ |= bit(slot);
    else
      pending_.push_back(slot);
  }
  void on_exit(WarpSlot slot) override
  {
    active_ &= ~bit(slot);
    std::erase(pending_, slot);
  }
  void on_stall(WarpSlot slot, WarpState state) override
  {
    if (!is_long(state)) return;
    active_ &= ~bit(slot);
    pending_.push_back(slot);
  }

 private:
  std::size_t most_;
  RoundRobin turn_;
  WarpMask active_ = 0;
  std::vector<WarpSlot> pending_;  ///< in the order in which they came
};

}  // namespace

std::unique_ptr<WarpScheduler> make_two_level_active(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_two_level_active(const PolicySetup& setup)
{
  return std::make_unique<TwoLevelActive>(setup);
}

}  // namespace smsim

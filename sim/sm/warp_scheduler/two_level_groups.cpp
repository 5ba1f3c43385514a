// Two-level, fetch groups: slots are put together in groups of `group_size`. Groups have priority from the
// present one on, in turn; inside a group loose round robin. The priority goes on when all warps of the
// present group wait for memory, at a barrier or for their end. Source: Narasiman et al., "Improving GPU
// Performance via Large Warps and Two-Level Warp Scheduling", MICRO'11, as it is cited. While the present
// group waits for something short, the next ones fill in and it keeps its priority.
#include "sm/warp_scheduler/round_robin.h"
#include "sm/warp_scheduler/warp_scheduler.h"

namespace smsim {
namespace {

class TwoLevelGroups final : public WarpScheduler {
 public:
  explicit TwoLevelGroups(const PolicySetup& setup)
      : WarpScheduler({.results = true}), size_(setup.parameters[0])
  {
  }

  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    std::size_t group = current_;
    while ((view.eligible & warps_of(group)) == 0)
      group = group + 1 < groups() ? group + 1 : 0;
    return turns_[group].next(view.eligible & warps_of(group));
  }
  void on_issue(WarpSlot slot, const IssueInfo&) override
  {
    const std::size_t group = slot.value() / size_;
    if ((present_ & warps_of(current_) & ~waiting_) == 0) current_ = group;
    waiting_ &= ~bit(slot);
    turns_[group].went(slot);
  }
  void on_launch(WarpSlot slot, const LaunchInfo&) override
  {
    present_ |= bit(slot);
    waiting_ &= ~bit(slot);
  }
  void on_exit(WarpSlot slot) override { present_ &= ~bit(slot); }
  void on_stall(WarpSlot slot, WarpState state) override
  {
    if (is_long(state)) waiting_ |= bit(slot);
  }

 private:
  [[nodiscard]] std::size_t groups() const { return (max_slots_per_sub_partition + size_ - 1) / size_; }
  [[nodiscard]] WarpMask warps_of(std::size_t group) const
  {
    const WarpMask first = size_ == max_slots_per_sub_partition ? ~WarpMask{0} : (WarpMask{1} << size_) - 1;
    return first << (group * size_);
  }

  std::size_t size_;
  std::size_t current_ = 0;  ///< the group with priority
  WarpMask present_ = 0;
  WarpMask waiting_ = 0;  ///< began a long wait, and have not issued since
  std::array<RoundRobin, max_slots_per_sub_partition> turns_{};
};

}  // namespace

std::unique_ptr<WarpScheduler> make_two_level_groups(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_two_level_groups(const PolicySetup& setup)
{
  return std::make_unique<TwoLevelGroups>(setup);
}

}  // namespace smsim

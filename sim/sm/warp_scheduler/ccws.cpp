// Cache-conscious: a warp that misses a line which it had brought and lost (one of its last `victim_tags`)
// scores `base_score` + `hit_score`, falling by one a cycle to `base_score`. Warps are stacked, the highest
// score lowest, the older of equals first; those above base_score x warps may not access memory. Among the
// others greedy, then oldest. Source: Rogers, O'Connor, Aamodt, "Cache-Conscious Wavefront Scheduling",
// MICRO'12, where the rate of such misses sets the score, and only loads are held back.
#include "sm/warp_scheduler/greedy.h"
#include "sm/warp_scheduler/warp_scheduler.h"

#include <algorithm>
#include <deque>
#include <vector>

namespace smsim {
namespace {

class Ccws final : public WarpScheduler {
 public:
  explicit Ccws(const PolicySetup& s) : WarpScheduler({.l1 = true}), with_(s.parameters) {}
  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    WarpMask allowed = view.eligible;
    if (view.memory != 0 && view.now < all_base_again_) allowed &= ~(view.memory & pushed_out(view));
    const WarpSlot last = greedy_.stay(allowed);
    return last != no_warp || allowed == 0 ? last : view.age.oldest(allowed);
  }
  void on_issue(WarpSlot slot, const IssueInfo&) override { greedy_.issued(slot); }
  void on_launch(WarpSlot slot, const LaunchInfo&) override
  {
    present_ |= bit(slot);
    lost_[slot.value()].clear();
    base_again_[slot.value()] = Cycle{0};
  }
  void on_exit(WarpSlot slot) override
  {
    present_ &= ~bit(slot);
    greedy_.left(slot);
  }
  void on_l1_miss(WarpSlot slot, std::uint64_t line, Cycle now) override
  {
    if (std::erase(lost_[slot.value()], line) == 0) return;
    base_again_[slot.value()] = all_base_again_ = now + with_[2];
  }
  void on_l1_evict(WarpSlot slot, std::uint64_t line) override
  {
    lost_[slot.value()].push_back(line);
    if (lost_[slot.value()].size() > with_[0]) lost_[slot.value()].pop_front();
  }

 private:
  [[nodiscard]] WarpMask pushed_out(const PickView& view) const
  {
    const auto score = [&](WarpSlot slot) {
      return with_[1] + (std::max(base_again_[slot.value()], view.now) - view.now);
    };
    std::vector<WarpSlot> stack;
    for (WarpMask rest = present_; rest != 0; rest &= ~bit(stack.back()))
      stack.push_back(view.age.oldest(rest));
    std::stable_sort(stack.begin(), stack.end(), [&](WarpSlot a, WarpSlot b) { return score(a) > score(b); });
    std::uint64_t height = 0;
    WarpMask out = 0;
    for (const WarpSlot slot : stack)
      if ((height += score(slot)) > with_[1] * stack.size() && slot != stack.front()) out |= bit(slot);
    return out;
  }

  std::array<std::uint32_t, 4> with_;  ///< victim tags, base score, hit score
  WarpMask present_ = 0;
  Cycle all_base_again_{0};  ///< when every score is
  Greedy greedy_;
  std::array<std::deque<std::uint64_t>, max_slots_per_sub_partition> lost_;  ///< lines, the latest last
  std::array<Cycle, max_slots_per_sub_partition> base_again_{};  ///< when a warp's score is the base again
};

}  // namespace

std::unique_ptr<WarpScheduler> make_ccws(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_ccws(const PolicySetup& setup) { return std::make_unique<Ccws>(setup); }

}  // namespace smsim

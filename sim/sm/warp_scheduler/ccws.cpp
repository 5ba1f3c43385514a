// Cache-conscious: a warp that misses a line which it had brought and lost (one of its last `victim_tags`)
// scores `base_score` + `hit_score`, falling by one a cycle to `base_score`. Warps are stacked, the highest
// score lowest, the older of equals first; those above base_score x warps may not access memory. Among the
// others greedy, then oldest. Source: Rogers, O'Connor, Aamodt, "Cache-Conscious Wavefront Scheduling",
// MICRO'12, as cited: there the rate of such misses sets the score, and only loads are held back.
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
    const WarpMask held_back = view.memory != 0 ? view.memory & pushed_out(view) : 0;
    const WarpMask allowed = view.eligible & ~held_back;
    const WarpSlot last = greedy_.stay(allowed);
    return last != no_warp || allowed == 0 ? last : view.age.oldest(allowed);
  }
  void on_issue(WarpSlot slot, const IssueInfo&) override { greedy_.issued(slot); }
  void on_launch(WarpSlot slot, const LaunchInfo&) override
  {
    present_ |= bit(slot);
    warps_[slot.value()] = {};
  }
  void on_exit(WarpSlot slot) override
  {
    present_ &= ~bit(slot);
    greedy_.left(slot);
  }
  void on_l1_miss(WarpSlot slot, std::uint64_t line, Cycle now) override
  {
    if (std::erase(warps_[slot.value()].lost, line) > 0) warps_[slot.value()].base_again = now + with_[2];
  }
  void on_l1_evict(WarpSlot slot, std::uint64_t line) override
  {
    warps_[slot.value()].lost.push_back(line);
    if (warps_[slot.value()].lost.size() > with_[0]) warps_[slot.value()].lost.pop_front();
  }

 private:
  struct WarpScore {
    std::deque<std::uint64_t> lost;  ///< lines, the latest last
    Cycle base_again{0};             ///< when its score is the base again
  };

  [[nodiscard]] WarpMask pushed_out(const PickView& view) const
  {
    const auto score = [&](WarpSlot slot) {
      return with_[1] + (std::max(warps_[slot.value()].base_again, view.now) - view.now);
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
  Greedy greedy_;
  std::array<WarpScore, max_slots_per_sub_partition> warps_;
};

}  // namespace

std::unique_ptr<WarpScheduler> make_ccws(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_ccws(const PolicySetup& setup) { return std::make_unique<Ccws>(setup); }

}  // namespace smsim

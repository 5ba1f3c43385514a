// CTA-aware groups: the blocks of a sub-partition are put together in groups of `group_blocks`, in the order
// of their launch. A group keeps its priority while one of its warps can issue; then it goes to the next
// group that has one. Inside a group loose round robin. Source: Jog et al., "OWL: Cooperative Thread Array
// Aware Scheduling", ASPLOS'13. This is its first layer only, as its abstract and its citations tell it; its
// layers for bank parallelism and prefetching need addresses in DRAM, which are not modelled.
#include "sm/warp_scheduler/round_robin.h"
#include "sm/warp_scheduler/warp_scheduler.h"

namespace smsim {
namespace {

class Owl final : public WarpScheduler {
 public:
  explicit Owl(const PolicySetup& setup) : group_blocks_(setup.parameters[0]) {}

  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    if (const WarpMask own = view.eligible & mates_; own != 0) return turn_.next(own);
    // How far behind the present group; groups launched before it come last.
    std::uint64_t nearest = ~std::uint64_t{0};
    WarpMask group = 0;
    for (WarpMask rest = view.eligible; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint64_t distance = group_[slot] - current_;
      if (distance > nearest) continue;
      if (distance < nearest) group = 0;
      nearest = distance;
      group |= WarpMask{1} << slot;
    }
    return turn_.next(group);
  }
  void on_issue(WarpSlot slot, const IssueInfo&) override
  {
    turn_.went(slot);
    if (group_[slot.value()] == current_) return;
    current_ = group_[slot.value()];
    mates_ = 0;
    for (std::uint32_t other = 0; other < max_slots_per_sub_partition; ++other)
      if (group_[other] == current_) mates_ |= bit(WarpSlot{other});
  }
  void on_launch(WarpSlot slot, const LaunchInfo& info) override
  {
    if (blocks_ == 0 || info.block != newest_) ++blocks_;
    newest_ = info.block;
    group_[slot.value()] = (blocks_ - 1) / group_blocks_;
    mates_ = group_[slot.value()] == current_ ? mates_ | bit(slot) : mates_ & ~bit(slot);
  }

 private:
  std::uint32_t group_blocks_;
  RoundRobin turn_;
  std::uint64_t current_ = 0;  ///< the group with priority
  WarpMask mates_ = 0;         ///< its slots; some may be empty
  std::uint64_t blocks_ = 0;   ///< launched here
  BlockId newest_{0};
  std::array<std::uint64_t, max_slots_per_sub_partition> group_{};
};

}  // namespace

std::unique_ptr<WarpScheduler> make_owl(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_owl(const PolicySetup& setup) { return std::make_unique<Owl>(setup); }

}  // namespace smsim

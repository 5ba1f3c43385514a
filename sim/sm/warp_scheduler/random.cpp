// Random: any warp that can issue, all with the same chance. The draw is a pure function of the seed, the
// first warp that can issue and how many instructions were issued here before; so the order in which engines
// or threads ask changes nothing. A baseline without a paper.
#include "base/random.h"

#include "sm/warp_scheduler/warp_scheduler.h"

namespace smsim {
namespace {

class Random final : public WarpScheduler {
 public:
  explicit Random(const PolicySetup& setup) : seed_(setup.seed) {}

  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    WarpMask rest = view.eligible;
    const Ticket& first = tickets_[static_cast<std::size_t>(std::countr_zero(rest))];
    const std::uint64_t drawn = draw_u32({seed_, first.block, first.warp, no_site, issued_});
    const auto warps = static_cast<std::uint64_t>(std::popcount(rest));
    for (std::uint64_t skip = drawn * warps >> 32U; skip > 0; --skip)
      rest &= rest - 1;
    return WarpSlot{static_cast<std::uint32_t>(std::countr_zero(rest))};
  }
  void on_issue(WarpSlot, const IssueInfo&) override { ++issued_; }
  void on_launch(WarpSlot slot, const LaunchInfo& info) override
  {
    tickets_[slot.value()] = {info.block.value(), info.warp_in_block};
  }

 private:
  static constexpr std::uint32_t no_site = 0xFFFF'FFFFU;  ///< no place in a program draws as this one

  struct Ticket {
    std::uint64_t block;
    std::uint32_t warp;
  };
  std::uint64_t seed_;
  std::uint64_t issued_ = 0;
  std::array<Ticket, max_slots_per_sub_partition> tickets_{};
};

}  // namespace

std::unique_ptr<WarpScheduler> make_random(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_random(const PolicySetup& setup)
{
  return std::make_unique<Random>(setup);
}

}  // namespace smsim

// Random: any warp that can issue, all with the same chance. The draw is a pure function of the seed, the
// first warp that was launched here and how many instructions were issued here before; so the order in which
// engines or threads ask changes nothing. A baseline without a paper.
#include "base/random.h"

#include "sm/warp_scheduler/warp_scheduler.h"

#include <optional>

namespace smsim {
namespace {

class Random final : public WarpScheduler {
 public:
  explicit Random(const PolicySetup& setup) : seed_(setup.seed) {}

  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    WarpMask rest = view.eligible;
    const auto warps = static_cast<std::uint64_t>(std::popcount(rest));
    for (std::uint64_t skip = drawn_[issued_ % drawn_.size()] * warps >> 32U; skip > 0; --skip)
      rest &= rest - 1;
    return WarpSlot{static_cast<std::uint32_t>(std::countr_zero(rest))};
  }
  void on_issue(WarpSlot, const IssueInfo&) override
  {
    if (++issued_ % drawn_.size() == 0) draw();
  }
  void on_launch(WarpSlot, const LaunchInfo& info) override
  {
    if (first_) return;
    first_ = {info.block.value(), info.warp_in_block};
    draw();
  }

 private:
  static constexpr std::uint32_t no_site = 0xFFFF'FFFFU;  ///< no place in a program draws as this one

  void draw() { drawn_ = draw_four({seed_, first_->block, first_->warp, no_site, issued_ / drawn_.size()}); }

  struct Ticket {
    std::uint64_t block;
    std::uint32_t warp;
  };
  std::uint64_t seed_;
  std::uint64_t issued_ = 0;
  std::optional<Ticket> first_;
  std::array<std::uint32_t, 4> drawn_{};  ///< for the next instructions, by their numbers
};

}  // namespace

std::unique_ptr<WarpScheduler> make_random(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_random(const PolicySetup& setup)
{
  return std::make_unique<Random>(setup);
}

}  // namespace smsim

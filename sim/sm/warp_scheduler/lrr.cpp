// Loose round robin: the search starts behind the slot that issued last; the first warp that can issue does.
// Source: the scheduler called lrr in GPGPU-Sim (Bakhoda et al., ISPASS'09) and in most papers that compare
// with it.
#include "sm/warp_scheduler/warp_scheduler.h"

namespace smsim {
namespace {

class Lrr final : public WarpScheduler {
 public:
  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    const WarpMask behind = view.eligible & ~before_;
    return WarpSlot{static_cast<std::uint32_t>(std::countr_zero(behind != 0 ? behind : view.eligible))};
  }
  void on_issue(WarpSlot slot) override { before_ = bit(slot) | (bit(slot) - 1); }

 private:
  WarpMask before_ = 0;  ///< the slots up to the one that issued last
};

}  // namespace

std::unique_ptr<WarpScheduler> make_lrr();
std::unique_ptr<WarpScheduler> make_lrr() { return std::make_unique<Lrr>(); }

}  // namespace smsim

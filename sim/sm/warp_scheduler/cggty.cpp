// Compiler-guided greedy then youngest: the warp that issued last goes on as long as it can; else the one
// that was launched last. The compiler guides by stall counts and yields, which the eligibility of warps
// already holds. Source: Huerta et al., "Dissecting and Modeling the Architecture of Modern GPU Cores",
// MICRO'25, section 5.1.
#include "sm/warp_scheduler/warp_scheduler.h"

namespace smsim {
namespace {

class Cggty final : public WarpScheduler {
 public:
  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    if (const WarpMask greedy = view.eligible & last_)
      return WarpSlot{static_cast<std::uint32_t>(std::countr_zero(greedy))};
    return view.age.youngest(view.eligible);
  }
  void on_issue(WarpSlot slot) override { last_ = bit(slot); }
  void on_exit(WarpSlot slot) override { last_ &= ~bit(slot); }

 private:
  WarpMask last_ = 0;  ///< the warp that issued last, if it is still there
};

}  // namespace

std::unique_ptr<WarpScheduler> make_cggty();
std::unique_ptr<WarpScheduler> make_cggty() { return std::make_unique<Cggty>(); }

}  // namespace smsim

// Greedy then oldest: the warp that issued last goes on as long as it can; else the one that was launched
// first. Source: Rogers, O'Connor, Aamodt, "Cache-Conscious Wavefront Scheduling", MICRO'12.
#include "sm/warp_scheduler/warp_scheduler.h"

namespace smsim {
namespace {

class Gto final : public WarpScheduler {
 public:
  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    if (const WarpMask greedy = view.eligible & last_)
      return WarpSlot{static_cast<std::uint32_t>(std::countr_zero(greedy))};
    return view.age.oldest(view.eligible);
  }
  void on_issue(WarpSlot slot) override { last_ = bit(slot); }
  void on_exit(WarpSlot slot) override { last_ &= ~bit(slot); }

 private:
  WarpMask last_ = 0;  ///< the warp that issued last, if it is still there
};

}  // namespace

std::unique_ptr<WarpScheduler> make_gto();
std::unique_ptr<WarpScheduler> make_gto() { return std::make_unique<Gto>(); }

}  // namespace smsim

// Youngest first: always the warp that was launched last of those that can issue. GPGPU-Sim names it without
// building it; here it is cggty without the greed.
#include "sm/warp_scheduler/warp_scheduler.h"

namespace smsim {
namespace {

class Youngest final : public WarpScheduler {
 public:
  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    return view.age.youngest(view.eligible);
  }
};

}  // namespace

std::unique_ptr<WarpScheduler> make_youngest(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_youngest(const PolicySetup&) { return std::make_unique<Youngest>(); }

}  // namespace smsim

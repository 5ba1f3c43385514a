// Oldest first: always the warp that was launched first of those that can issue. Source: the scheduler of
// that name in GPGPU-Sim (Bakhoda et al., ISPASS'09).
#include "sm/warp_scheduler/warp_scheduler.h"

namespace smsim {
namespace {

class Oldest final : public WarpScheduler {
 public:
  [[nodiscard]] WarpSlot pick(const PickView& view) const override { return view.age.oldest(view.eligible); }
};

}  // namespace

std::unique_ptr<WarpScheduler> make_oldest(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_oldest(const PolicySetup&) { return std::make_unique<Oldest>(); }

}  // namespace smsim

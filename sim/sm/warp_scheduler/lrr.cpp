// Loose round robin: the search starts behind the slot that issued last; the first warp that can issue does.
// Source: the scheduler called lrr in GPGPU-Sim (Bakhoda et al., ISPASS'09) and in most papers that compare
// with it.
#include "sm/warp_scheduler/round_robin.h"
#include "sm/warp_scheduler/warp_scheduler.h"

namespace smsim {
namespace {

class Lrr final : public WarpScheduler {
 public:
  [[nodiscard]] WarpSlot pick(const PickView& view) const override { return turn_.next(view.eligible); }
  void on_issue(WarpSlot slot, const IssueInfo&) override { turn_.went(slot); }

 private:
  RoundRobin turn_;
};

}  // namespace

std::unique_ptr<WarpScheduler> make_lrr(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_lrr(const PolicySetup&) { return std::make_unique<Lrr>(); }

}  // namespace smsim

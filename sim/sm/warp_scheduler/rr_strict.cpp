// Strict round robin: only the warp whose turn it is may issue, and all wait for it. The turn goes on when
// it has issued; a warp that has left, has ended or waits at a barrier is passed over. Source: the scheduler
// called rrr in GPGPU-Sim (Bakhoda et al., ISPASS'09). There the turn moves by one warp a cycle; here it
// passes over all such warps at once.
#include "sm/warp_scheduler/round_robin.h"
#include "sm/warp_scheduler/warp_scheduler.h"

namespace smsim {
namespace {

class RrStrict final : public WarpScheduler {
 public:
  RrStrict() : WarpScheduler({.rest = true}) {}

  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    const WarpMask passed_over = parked_ & ~view.eligible;
    const WarpSlot turn = turn_.next(present_ & ~passed_over);
    return (view.eligible & bit(turn)) != 0 ? turn : no_warp;
  }
  void on_issue(WarpSlot slot, const IssueInfo&) override
  {
    turn_.went(slot);
    parked_ &= ~bit(slot);
  }
  void on_launch(WarpSlot slot, const LaunchInfo&) override { present_ |= bit(slot); }
  void on_exit(WarpSlot slot) override
  {
    present_ &= ~bit(slot);
    parked_ &= ~bit(slot);
  }
  void on_stall(WarpSlot slot, WarpState state) override
  {
    if (state == WarpState::barrier || state == WarpState::drain) parked_ |= bit(slot);
  }

 private:
  RoundRobin turn_;
  WarpMask present_ = 0;
  WarpMask parked_ = 0;  ///< ended, or came to a barrier and have not issued since
};

}  // namespace

std::unique_ptr<WarpScheduler> make_rr_strict(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_rr_strict(const PolicySetup&) { return std::make_unique<RrStrict>(); }

}  // namespace smsim

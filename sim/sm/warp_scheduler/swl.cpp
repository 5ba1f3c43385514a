// Static warp limiting: of the warps that neither have ended nor wait at a barrier only the oldest, as many
// as `limit` says, may issue; among them greedy, then oldest. Source: Rogers, O'Connor, Aamodt, "Cache-
// Conscious Wavefront Scheduling", MICRO'12 (SWL); warp_limiting in GPGPU-Sim. Here the warp that issued
// last goes on only while it is one of the oldest.
#include "sm/warp_scheduler/greedy.h"
#include "sm/warp_scheduler/warp_scheduler.h"

namespace smsim {
namespace {

class Swl final : public WarpScheduler {
 public:
  explicit Swl(const PolicySetup& setup) : WarpScheduler({.rest = true}), limit_(setup.parameters[0]) {}

  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    WarpMask rest = present_ & ~(parked_ & ~view.eligible);
    WarpMask allowed = 0;
    for (std::uint32_t i = 0; i < limit_ && rest != 0; ++i) {
      const WarpMask oldest = bit(view.age.oldest(rest));
      allowed |= oldest;
      rest &= ~oldest;
    }
    allowed &= view.eligible;
    if (allowed == 0) return no_warp;
    if (const WarpSlot slot = greedy_.stay(allowed); slot != no_warp) return slot;
    return view.age.oldest(allowed);
  }
  void on_issue(WarpSlot slot, const IssueInfo&) override
  {
    greedy_.issued(slot);
    parked_ &= ~bit(slot);
  }
  void on_launch(WarpSlot slot, const LaunchInfo&) override { present_ |= bit(slot); }
  void on_exit(WarpSlot slot) override
  {
    present_ &= ~bit(slot);
    parked_ &= ~bit(slot);
    greedy_.left(slot);
  }
  void on_stall(WarpSlot slot, WarpState state) override
  {
    if (state == WarpState::barrier || state == WarpState::drain) parked_ |= bit(slot);
  }

 private:
  std::uint32_t limit_;
  WarpMask present_ = 0;
  WarpMask parked_ = 0;  ///< ended, or came to a barrier and have not issued since
  Greedy greedy_;
};

}  // namespace

std::unique_ptr<WarpScheduler> make_swl(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_swl(const PolicySetup& setup) { return std::make_unique<Swl>(setup); }

}  // namespace smsim

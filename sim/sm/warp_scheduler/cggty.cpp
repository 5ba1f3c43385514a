// Compiler-guided greedy then youngest: the warp that issued last goes on as long as it can; else the one
// that was launched last. The compiler guides by stall counts and yields, which the eligibility of warps
// already holds. Source: Huerta et al., "Dissecting and Modeling the Architecture of Modern GPU Cores",
// MICRO'25, section 5.1.
#include "sm/warp_scheduler/greedy.h"
#include "sm/warp_scheduler/warp_scheduler.h"

namespace smsim {
namespace {

class Cggty final : public WarpScheduler {
 public:
  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    if (const WarpSlot slot = greedy_.stay(view.eligible); slot != no_warp) return slot;
    return view.age.youngest(view.eligible);
  }
  void on_issue(WarpSlot slot, const IssueInfo&) override { greedy_.issued(slot); }
  void on_exit(WarpSlot slot) override { greedy_.left(slot); }

 private:
  Greedy greedy_;
};

}  // namespace

std::unique_ptr<WarpScheduler> make_cggty(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_cggty(const PolicySetup&) { return std::make_unique<Cggty>(); }

}  // namespace smsim

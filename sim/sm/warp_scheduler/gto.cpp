// Greedy then oldest: the warp that issued last goes on as long as it can; else the one that was launched
// first. Source: Rogers, O'Connor, Aamodt, "Cache-Conscious Wavefront Scheduling", MICRO'12.
#include "sm/warp_scheduler/greedy.h"
#include "sm/warp_scheduler/warp_scheduler.h"

namespace smsim {
namespace {

class Gto final : public WarpScheduler {
 public:
  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    if (const WarpSlot slot = greedy_.stay(view.eligible); slot != no_warp) return slot;
    return view.age.oldest(view.eligible);
  }
  void on_issue(WarpSlot slot, const IssueInfo&) override { greedy_.issued(slot); }
  void on_exit(WarpSlot slot) override { greedy_.left(slot); }

 private:
  Greedy greedy_;
};

}  // namespace

std::unique_ptr<WarpScheduler> make_gto(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_gto(const PolicySetup&) { return std::make_unique<Gto>(); }

}  // namespace smsim

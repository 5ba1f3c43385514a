// Memory-aware: greedy, then oldest, until L2's and DRAM's bandwidth is booked `backlog` cycles ahead. Then
// one warp, the owner, has memory to itself: other warps may only compute. The owner is the warp that issued
// the last memory access; it ceases to be when it waits for memory, at a barrier or for its end. Source:
// Sethia, Jamshidi, Mahlke, "Mascar: Speeding up GPU Warps by Reducing Memory Pitstops", HPCA'15, as it is
// cited: it sees saturation at L1's miss queue, and its queue for re-execution is not modelled.
#include "sm/warp_scheduler/greedy.h"
#include "sm/warp_scheduler/warp_scheduler.h"

namespace smsim {
namespace {

class Mascar final : public WarpScheduler {
 public:
  explicit Mascar(const PolicySetup& setup)
      : WarpScheduler({.results = true, .backlog = true}), backlog_(setup.parameters[0])
  {
  }

  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    WarpMask allowed = view.eligible;
    if (view.backlog >= backlog_ && owner_ != 0) allowed &= ~(view.memory & ~owner_);
    if (allowed == 0) return no_warp;
    if (const WarpSlot slot = greedy_.stay(allowed); slot != no_warp) return slot;
    return view.age.oldest(allowed);
  }
  void on_issue(WarpSlot slot, const IssueInfo& info) override
  {
    greedy_.issued(slot);
    if (info.memory) owner_ = bit(slot);
  }
  void on_exit(WarpSlot slot) override
  {
    greedy_.left(slot);
    owner_ &= ~bit(slot);
  }
  void on_stall(WarpSlot slot, WarpState state) override
  {
    if (is_long(state)) owner_ &= ~bit(slot);
  }

 private:
  std::uint64_t backlog_;
  WarpMask owner_ = 0;
  Greedy greedy_;
};

}  // namespace

std::unique_ptr<WarpScheduler> make_mascar(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_mascar(const PolicySetup& setup)
{
  return std::make_unique<Mascar>(setup);
}

}  // namespace smsim

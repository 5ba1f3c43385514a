// Oldest block first: of the warps that can issue those whose block was launched first, among them loose
// round robin. The block's warps keep together, so that blocks end one after the other. The idea is that of
// CTA-aware scheduling (Jog et al., "OWL", ASPLOS'13) with groups of one block and a fixed order; no paper
// has it in this form.
#include "sm/warp_scheduler/round_robin.h"
#include "sm/warp_scheduler/warp_scheduler.h"

namespace smsim {
namespace {

class BlockOldest final : public WarpScheduler {
 public:
  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    const BlockId block = block_[view.age.oldest(view.eligible).value()];
    WarpMask mates = 0;
    for (WarpMask rest = view.eligible; rest != 0; rest &= rest - 1)
      if (const auto slot = static_cast<std::size_t>(std::countr_zero(rest)); block_[slot] == block)
        mates |= WarpMask{1} << slot;
    return turn_.next(mates);
  }
  void on_issue(WarpSlot slot, const IssueInfo&) override { turn_.went(slot); }
  void on_launch(WarpSlot slot, const LaunchInfo& info) override { block_[slot.value()] = info.block; }

 private:
  RoundRobin turn_;
  std::array<BlockId, max_slots_per_sub_partition> block_{};
};

}  // namespace

std::unique_ptr<WarpScheduler> make_block_oldest(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_block_oldest(const PolicySetup&)
{
  return std::make_unique<BlockOldest>();
}

}  // namespace smsim

// Criticality-aware: greedy on a warp until it stalls, then the most critical one. Criticality is what the
// warp still has to issue x its cycles per instruction + the cycles in which it did not issue. Source: Lee,
// Arunkumar, Wu, "CAWA: Coordinated Warp Scheduling and Cache Prioritization for Critical Warp
// Acceleration", ISCA'15, as it is cited. What is still to issue is the length of the program behind the
// last instruction, each counted once: a jump back makes it longer, as the paper's count of branch paths
// does. Its cache prioritisation is not modelled.
#include "sm/warp_scheduler/greedy.h"
#include "sm/warp_scheduler/warp_scheduler.h"

#include <algorithm>

namespace smsim {
namespace {

class Cawa final : public WarpScheduler {
 public:
  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    if (const WarpSlot slot = greedy_.stay(view.eligible); slot != no_warp) return slot;
    WarpMask most_critical = 0;
    std::uint64_t highest = 0;
    for (WarpMask rest = view.eligible; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint64_t value = criticality(warps_[slot], view.now);
      if (value < highest) continue;
      if (value > highest) most_critical = 0;
      highest = value;
      most_critical |= WarpMask{1} << slot;
    }
    return view.age.oldest(most_critical);
  }
  void on_issue(WarpSlot slot, const IssueInfo& info) override
  {
    greedy_.issued(slot);
    Progress& warp = warps_[slot.value()];
    ++warp.issued;
    warp.remaining = info.remaining;
  }
  void on_launch(WarpSlot slot, const LaunchInfo& info) override
  {
    warps_[slot.value()] = {info.now, 0, info.remaining};
  }
  void on_exit(WarpSlot slot) override { greedy_.left(slot); }

 private:
  struct Progress {
    Cycle launched{0};
    std::uint64_t issued = 0;
    std::uint64_t remaining = 0;
  };
  static std::uint64_t criticality(const Progress& warp, Cycle now)
  {
    const std::uint64_t cycles = now - warp.launched;
    return warp.remaining * cycles / std::max<std::uint64_t>(warp.issued, 1) + (cycles - warp.issued);
  }

  Greedy greedy_;
  std::array<Progress, max_slots_per_sub_partition> warps_{};
};

}  // namespace

std::unique_ptr<WarpScheduler> make_cawa(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_cawa(const PolicySetup&) { return std::make_unique<Cawa>(); }

}  // namespace smsim

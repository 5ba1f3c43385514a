// The contract of a warp-scheduling policy. One object schedules one sub-partition.
//
// In a cycle, in this order:
//   on_exit        retire phase: the slot's warp has left
//   on_launch      dispatch phase: a warp was launched into the slot
//   pick           issue phase, only in a cycle with an eligible warp: chooses who issues, or no_warp:
//   nobody.
//                  Who declines is asked again in the next cycle, or later if it wants to rest.
//   on_issue       the picked warp issues
//   on_l1_evict, on_l1_miss   its access has changed L1; only for a policy that wants it
//   on_stall       what the warp waits for that has just issued, if it cannot issue in the next cycle
//
// A policy may not know anything of the SM but what it is given, and may not pick a warp that is not
// eligible. pick is const, and the other calls come when something happens: cycles in which nothing can
// issue, which the engine skips, leave no trace. What goes by time is to be computed from the cycle that a
// call is given.
#pragma once

#include "base/ids.h"
#include "sm/warp_scheduler/age_order.h"
#include "stats/warp_states.h"

#include <array>
#include <memory>

namespace smsim {

/// What a policy object is made from.
struct PolicySetup {
  std::uint64_t seed = 0;
  std::array<std::uint32_t, 4> parameters{};  ///< of the policy, in the order of config/policy_parameters.h
};

/// What a policy has a use for beyond the common calls. It is found out and told only where it is wanted.
struct PolicyWants {
  bool results = false;  ///< on_stall for stall counts and results too
  bool backlog = false;  ///< PickView::backlog
  bool l1 = false;       ///< on_l1_miss and on_l1_evict
  bool rest = false;     ///< who declines need not be asked again before other warps are eligible
};

struct PickView {
  Cycle now;
  WarpMask eligible;      ///< never empty
  WarpMask memory;        ///< those of them whose next instruction accesses global or local memory
  std::uint64_t backlog;  ///< cycles that L2's and DRAM's bandwidth is booked ahead
  const AgeOrder& age;
};

struct LaunchInfo {
  Cycle now;
  BlockId block;  ///< the warps of a block are launched one after the other
  std::uint32_t warp_in_block;
  std::uint32_t remaining;  ///< instructions of the program, each counted once
};

struct IssueInfo {
  Cycle now;
  bool memory;              ///< the instruction accesses global or local memory
  std::uint32_t remaining;  ///< instructions behind it in the program, each counted once
};

class WarpScheduler {
 public:
  explicit WarpScheduler(const PolicyWants& what = {}) : wants(what) {}
  WarpScheduler(const WarpScheduler&) = delete;
  WarpScheduler& operator=(const WarpScheduler&) = delete;
  virtual ~WarpScheduler() = default;

  [[nodiscard]] virtual WarpSlot pick(const PickView& view) const = 0;
  virtual void on_issue(WarpSlot, const IssueInfo&) {}
  virtual void on_launch(WarpSlot, const LaunchInfo&) {}
  virtual void on_exit(WarpSlot) {}
  /// `barrier`: it has arrived at one, even if that opens at once. `drain`: its program is over. Otherwise
  /// the state that it waits in last, of its stall count and of the results that its next instruction needs.
  virtual void on_stall(WarpSlot, WarpState) {}
  /// The slot's warp asked for a line that L1 did not have, and has brought it.
  virtual void on_l1_miss(WarpSlot, std::uint64_t /*line*/, Cycle /*now*/) {}
  /// A line that the slot's warp had brought had to go.
  virtual void on_l1_evict(WarpSlot, std::uint64_t /*line*/) {}

  const PolicyWants wants;
};

/// Whether a wait, as on_stall tells it, is a long one: for memory, for other warps, or for the end.
inline bool is_long(WarpState state)
{
  return state == WarpState::long_scoreboard || state == WarpState::barrier || state == WarpState::drain;
}

}  // namespace smsim

// The contract of a warp-scheduling policy. One object schedules one sub-partition.
//
// In a cycle, in this order:
//   on_launch(slot)  dispatch phase: a warp was launched into the slot
//   pick(view)       issue phase, only in a cycle with an eligible warp: chooses who issues. It is const: a
//   policy's
//                    state may change only in the other calls, so that cycles in which nothing can issue,
//                    which the engine skips, leave no trace.
//   on_issue(slot)   right after the picked warp has issued
//   on_exit(slot)    retire phase: the slot's warp has left
//
// A policy may not know anything of the SM but what it is given, and may not pick a warp that is not
// eligible.
#pragma once

#include "base/ids.h"
#include "sm/warp_scheduler/age_order.h"

#include <memory>

namespace smsim {

struct PickView {
  Cycle now;
  WarpMask eligible;  ///< never empty
  const AgeOrder& age;
};

class WarpScheduler {
 public:
  WarpScheduler() = default;
  WarpScheduler(const WarpScheduler&) = delete;
  WarpScheduler& operator=(const WarpScheduler&) = delete;
  virtual ~WarpScheduler() = default;

  [[nodiscard]] virtual WarpSlot pick(const PickView& view) const = 0;
  virtual void on_issue(WarpSlot) {}
  virtual void on_launch(WarpSlot) {}
  virtual void on_exit(WarpSlot) {}
};

}  // namespace smsim

// Staying on the warp that issued last.
#pragma once

#include "base/ids.h"

#include <bit>

namespace smsim {

class Greedy {
 public:
  /// The warp that issued last, if it is one of `candidates`; else no_warp.
  [[nodiscard]] WarpSlot stay(WarpMask candidates) const
  {
    const WarpMask last = candidates & last_;
    return last != 0 ? WarpSlot{static_cast<std::uint32_t>(std::countr_zero(last))} : no_warp;
  }
  void issued(WarpSlot slot) { last_ = bit(slot); }
  void left(WarpSlot slot) { last_ &= ~bit(slot); }

 private:
  WarpMask last_ = 0;  ///< the warp that issued last, if it is still there
};

}  // namespace smsim

// Whose turn it is: the first slot, of some, behind the one that went last.
#pragma once

#include "base/ids.h"

#include <bit>

namespace smsim {

class RoundRobin {
 public:
  /// Of `candidates`, not empty.
  [[nodiscard]] WarpSlot next(WarpMask candidates) const
  {
    const WarpMask behind = candidates & ~before_;
    return WarpSlot{static_cast<std::uint32_t>(std::countr_zero(behind != 0 ? behind : candidates))};
  }
  void went(WarpSlot slot) { before_ = bit(slot) | (bit(slot) - 1); }

 private:
  WarpMask before_ = 0;  ///< the slots up to the one that went last
};

}  // namespace smsim

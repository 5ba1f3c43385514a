// Who is older: the order in which the warps of a sub-partition were launched, as masks.
// Kept by the sub-partition at launch and exit; read by policies.
#pragma once

#include "base/ids.h"

#include <array>
#include <bit>

namespace smsim {

class AgeOrder {
 public:
  /// A warp was launched into `slot`: it is younger than all in `present`.
  void launch(WarpSlot slot, WarpMask present)
  {
    older_[slot.value()] = present & ~bit(slot);
    for (WarpMask rest = present; rest != 0; rest &= rest - 1)
      older_[static_cast<std::size_t>(std::countr_zero(rest))] &= ~bit(slot);
  }

  /// The warp of `candidates` (not empty) that was launched first.
  [[nodiscard]] WarpSlot oldest(WarpMask candidates) const
  {
    auto slot = static_cast<std::size_t>(std::countr_zero(candidates));
    while (const WarpMask older = candidates & older_[slot])
      slot = static_cast<std::size_t>(std::countr_zero(older));
    return WarpSlot{static_cast<std::uint32_t>(slot)};
  }

  /// The warp of `candidates` (not empty) that was launched last.
  [[nodiscard]] WarpSlot youngest(WarpMask candidates) const
  {
    for (WarpMask rest = candidates; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<std::size_t>(std::countr_zero(rest));
      if ((candidates & ~older_[slot] & ~(WarpMask{1} << slot)) == 0)
        return WarpSlot{static_cast<std::uint32_t>(slot)};
    }
    return WarpSlot{0};
  }

  /// For each slot with a warp, those that are older.
  [[nodiscard]] const std::array<WarpMask, max_slots_per_sub_partition>& older() const { return older_; }

 private:
  std::array<WarpMask, max_slots_per_sub_partition> older_{};  ///< for each slot, who is older
};

}  // namespace smsim

// The named quantities of the model: when, which warp slot, which block.
#pragma once

#include "base/strong_int.h"

#include <limits>

namespace smsim {

/// A point in time, counted in SM clock cycles from 0. 64 bits: a run of 10^18 cycles does not wrap.
using Cycle = StrongInt<struct CycleTag, std::uint64_t>;
/// The cycle that never comes: "no event".
inline constexpr Cycle never{std::numeric_limits<std::uint64_t>::max()};

/// A block's number in the grid, in launch order, from 0.
using BlockId = StrongInt<struct BlockTag, std::uint64_t>;

/// A warp's place in its sub-partition, 0 to 63: the bit that stands for it in a `WarpMask`.
using WarpSlot = StrongInt<struct WarpSlotTag, std::uint32_t>;

/// A set of the warp slots of one sub-partition, bit s for slot s.
using WarpMask = std::uint64_t;
inline constexpr unsigned max_slots_per_sub_partition = 64;

[[nodiscard]] constexpr WarpMask bit(WarpSlot slot) { return WarpMask{1} << slot.value(); }

/// No slot's number.
inline constexpr WarpSlot no_warp{0xFFFF'FFFFU};

}  // namespace smsim

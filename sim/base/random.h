// Counter-based random draws: a draw is a pure function of what it is for, so that no policy, engine, thread
// count or order of evaluation can change it.
//
// Source: Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC'11 (Philox4x32-10).
#pragma once

#include <array>
#include <cstdint>

namespace smsim {

/// What a draw is for. Draws with different keys are independent; equal keys give equal draws.
struct DrawKey {
  std::uint64_t seed = 0;
  std::uint64_t block = 0;       ///< the block's number in the grid
  std::uint32_t warp = 0;        ///< the warp's number in its block
  std::uint32_t site = 0;        ///< which place in the program draws
  std::uint64_t repetition = 0;  ///< how often this warp has drawn at this site before
};

/// A uniform integer in [0, 2^32).
std::uint32_t draw_u32(const DrawKey& key);

/// Four of them, for the price of one; the first is draw_u32's.
std::array<std::uint32_t, 4> draw_four(const DrawKey& key);

/// A uniform real in (0, 1): one of 2^52, each in the middle of its part, so that 0 and 1 are none of them.
double draw_unit(const DrawKey& key);
inline constexpr double smallest_unit = 0x1p-53;
inline constexpr double largest_unit = 1 - 0x1p-53;

}  // namespace smsim

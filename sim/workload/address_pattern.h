// Where an access goes: the first byte that a warp touches, as a function of block, warp and repetition, so
// that every engine and policy sees the same addresses.
//
// - streaming: every access of every warp is to bytes that no other touches
//
// - strided: a warp walks from its own start in steps of `stride` bytes, over `footprint` bytes, and starts
//   again
//
// - block_shared: the warps of a block walk together over the block's own `footprint` bytes, again and again
//
// - random: anywhere in `footprint` bytes that the whole grid shares, drawn
//
// - local: slot `slot` of the `slots` that each warp has for spilled registers, one place for all
//   instructions and repetitions; no file writes it, the spill pass does
//
// - traced: where the trace says (kernel_trace.h)
#pragma once

#include <cstdint>

namespace smsim {

struct AddressPattern {
  enum class Kind { none, streaming, strided, block_shared, random, local, traced };
  Kind kind = Kind::none;
  std::uint64_t footprint = 0;  ///< bytes; a multiple of 32
  std::uint64_t stride = 0;     ///< bytes; strided
  std::uint32_t slot = 0;       ///< local
  std::uint32_t slots = 0;      ///< local: of a warp
};

/// Which access of which warp.
struct AccessIdentity {
  std::uint64_t seed = 0;
  std::uint64_t block = 0;
  std::uint32_t warp = 0;
  std::uint32_t warps_per_block = 1;
  std::uint64_t blocks = 1;      ///< of the grid
  std::uint32_t site = 0;        ///< which instruction of the program
  std::uint64_t repetition = 0;  ///< how often this warp has executed it before
};

/// The address in bytes, a multiple of 32. Patterns of different sites do not overlap; local slots are the
/// same at all sites.
std::uint64_t address_of(const AddressPattern& pattern, const AccessIdentity& access, std::uint64_t bytes);

}  // namespace smsim

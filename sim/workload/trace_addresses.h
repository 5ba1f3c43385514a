// From the addresses of a warp's threads to what an access touches: 32-byte sectors of global and local
// memory, 4-byte words of shared memory.
#pragma once

#include "workload/kernel_trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace smsim {

/// Appends the units of 2^`unit_bits` bytes that accesses of `width` bytes (at most 256) at up to 32
/// `addresses` touch, each once, in order. The answer is how many runs that are.
std::uint8_t append_runs(std::span<const std::uint64_t> addresses, std::uint32_t width, unsigned unit_bits,
                         std::vector<AccessRun>& runs);

/// The same for local memory, which lies interleaved: the same word of a warp's threads side by side, the
/// warps one behind the other. `addresses` are of the threads in `mask`, and count from `local_base`; `warp`
/// is the grid's.
std::uint8_t append_local_runs(std::span<const std::uint64_t> addresses, std::uint32_t mask,
                               std::uint32_t width, std::uint64_t local_base, std::uint64_t warp,
                               std::vector<AccessRun>& runs);

inline constexpr unsigned sector_bits = 5;
inline constexpr unsigned word_bits = 2;

}  // namespace smsim

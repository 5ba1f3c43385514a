// __launch_bounds__: the registers that a compiler gives a thread so that a promised number of blocks fits.
#pragma once

#include "config/arch_config.h"
#include "config/kernel_config.h"

#include <cstdint>
#include <optional>
#include <string>

namespace smsim {

/// The largest count of registers per thread with which `min_blocks` blocks of `threads` threads fit one SM's
/// registers, by the occupancy calculator's rules. Shared memory and barriers do not matter to it.
/// Nothing where no count satisfies the bounds; `why` then says which resource does not.
std::optional<std::uint32_t> registers_within(const ArchConfig& arch, const LaunchBounds& bounds,
                                              std::string& why);

}  // namespace smsim

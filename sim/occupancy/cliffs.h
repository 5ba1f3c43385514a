// Occupancy cliffs: the smallest change of one number of a launch, either way, that changes the blocks per
// SM.
#pragma once

#include "occupancy/calculator.h"

#include <string>
#include <vector>

namespace smsim {

enum class LaunchNumber { registers_per_thread, shared_bytes, block_size };
/// What the kernel has of it.
std::uint64_t launch_number(const KernelConfig& kernel, LaunchNumber which);

struct Cliff {
  LaunchNumber what;
  std::uint64_t from = 0;  ///< the launch's own value
  std::uint64_t to = 0;    ///< the nearest one with another answer
  std::uint64_t blocks_before = 0;
  std::uint64_t blocks_after = 0;
  double occupancy_after = 0;  ///< 0 to 1
};

/// Registers, shared memory and block size; downward before upward; those that exist. Shared memory is
/// static and dynamic together: more is dynamic, less is taken from the dynamic part first.
std::vector<Cliff> nearest_cliffs(const ArchConfig& arch, const KernelConfig& kernel);

/// "36 registers per thread instead of 40 give 6 blocks per SM instead of 5 (75 %)", or "... cannot launch".
std::string cliff_text(const Cliff& cliff);

/// One point of an occupancy curve.
struct CurvePoint {
  std::uint64_t value = 0;
  Occupancy occupancy;
};
/// The calculator's graphs: occupancy over every register count, every block size in whole warps, or shared
/// memory in steps of 1 KiB; the last point is the most that a block may have.
std::vector<CurvePoint> occupancy_curve(const ArchConfig& arch, const KernelConfig& kernel,
                                        LaunchNumber over);

}  // namespace smsim

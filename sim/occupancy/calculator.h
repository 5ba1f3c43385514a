// Theoretical occupancy: how many blocks of a kernel an SM can hold, and which resource says so.
//
// Pure arithmetic, no simulation. The rules are those of NVIDIA's occupancy calculator (cuda_occupancy.h,
// CUDA 13.0), restated; tests/reference/occupancy_oracle.csv holds 20 000 of its answers. Where the block
// dispatcher (sm/) places blocks one by one, it must come to the same number.
#pragma once

#include "config/arch_config.h"
#include "config/kernel_config.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsim {

/// The five resources that bound the resident blocks, in the order in which reports list them.
enum class Limiter { warps, blocks, registers, shared_memory, barriers };
inline constexpr std::size_t limiter_count = 5;

struct LimiterInfo {
  Limiter limiter;
  const char* key;    ///< in JSON
  const char* label;  ///< Nsight Compute's
};
inline constexpr std::array<LimiterInfo, limiter_count> limiter_table{{
    {Limiter::warps, "warps", "Block Limit Warps"},
    {Limiter::blocks, "blocks", "Block Limit SM"},
    {Limiter::registers, "registers", "Block Limit Registers"},
    {Limiter::shared_memory, "shared_memory", "Block Limit Shared Mem"},
    {Limiter::barriers, "barriers", "Block Limit Barriers"},
}};

/// Blocks per SM that one resource allows; nothing where it does not limit.
using BlockLimit = std::optional<std::uint64_t>;

struct Occupancy {
  std::uint64_t blocks_per_sm = 0;
  std::uint64_t warps_per_block = 0;
  std::uint64_t warps_per_sm = 0;
  std::uint64_t max_warps_per_sm = 0;
  std::array<BlockLimit, limiter_count> limits;  ///< by Limiter
  std::vector<Limiter> limiters;                 ///< all that equal the minimum
  std::uint64_t registers_per_warp = 0;          ///< allocated, in whole units
  std::uint64_t registers_per_block = 0;
  std::uint64_t shared_bytes_per_block = 0;  ///< allocated, with the reserve
  std::uint64_t shared_bytes_per_sm = 0;     ///< the carveout chosen
  std::string not_launchable;                ///< why no block can ever launch; "" where one can

  [[nodiscard]] bool launchable() const { return not_launchable.empty(); }
  /// 0 to 1.
  [[nodiscard]] double ratio() const
  {
    return static_cast<double>(warps_per_sm) / static_cast<double>(max_warps_per_sm);
  }
  [[nodiscard]] const BlockLimit& limit(Limiter which) const
  {
    return limits[static_cast<std::size_t>(which)];
  }
};

/// Every limit of one launch. The kernel's grid does not matter.
Occupancy calculate_occupancy(const ArchConfig& arch, const KernelConfig& kernel);

/// Only blocks_per_sm: the same arithmetic without texts, for searches over many launches.
std::uint64_t resident_blocks(const ArchConfig& arch, const KernelConfig& kernel);

/// The shared memory that the SM is configured to, in bytes: the smallest carveout that holds the preference
/// and one block (the largest of all where the kernel states no preference).
std::uint64_t chosen_carveout(const ArchConfig& arch, const KernelConfig& kernel);

/// What cudaOccupancyMaxPotentialBlockSize would suggest.
struct Suggestion {
  std::uint64_t block_size = 0;  ///< threads; 0 where no block can launch
  std::uint64_t min_grid = 0;    ///< blocks that fill the whole GPU once
};
/// The largest block size, in whole warps (or the most that a block may have), that reaches the most resident
/// threads with the kernel's registers, shared memory and barriers.
Suggestion suggest_launch(const ArchConfig& arch, const KernelConfig& kernel);

}  // namespace smsim

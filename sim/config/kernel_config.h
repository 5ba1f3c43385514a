// How a kernel is launched: the numbers of the launch, not its program.
#pragma once

#include "base/diagnostics.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace smsim {

/// What the kernel asks of the L1/shared split (cudaFuncAttributePreferredSharedMemoryCarveout).
struct Carveout {
  enum class Kind { driver_default, percent, bytes };
  Kind kind = Kind::driver_default;
  std::uint64_t value = 0;  ///< percent 0 to 100 of the largest carveout, or bytes

  friend bool operator==(const Carveout&, const Carveout&) = default;
};

/// "default", "50%" or a size such as "64 KiB"; nothing where it is anything else.
std::optional<Carveout> parse_carveout(std::string_view text);

/// What a compiler is promised so that it may choose a register cap (__launch_bounds__).
struct LaunchBounds {
  std::uint32_t threads = 1;     ///< no block has more
  std::uint32_t min_blocks = 1;  ///< so many must fit an SM's registers
};

/// One block's needs and the grid's shape.
struct KernelConfig {
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{32, 1, 1};
  std::uint32_t registers_per_thread = 0;
  std::uint64_t static_shared_bytes = 0;
  std::uint64_t dynamic_shared_bytes = 0;
  Carveout carveout;
  std::uint32_t cluster = 1;   ///< blocks of a thread-block cluster
  Mark cluster_mark;           ///< where that is written
  std::uint32_t barriers = 1;  ///< named barriers that a block uses; 0: none

  // At most one is given: what keeps a thread's registers below the need of its program.
  std::optional<Located<std::uint32_t>> max_registers;
  std::optional<Located<LaunchBounds>> launch_bounds;

  [[nodiscard]] std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
  [[nodiscard]] std::uint64_t threads_per_block() const
  {
    return std::uint64_t{block[0]} * block[1] * block[2];
  }
  /// Threads of a warp of the block: all but the last warp are full.
  [[nodiscard]] std::uint32_t lanes_of_warp(std::uint32_t warp_in_block, std::uint32_t warp_size) const
  {
    const std::uint64_t before = std::uint64_t{warp_in_block} * warp_size;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(warp_size, threads_per_block() - before));
  }
};

}  // namespace smsim

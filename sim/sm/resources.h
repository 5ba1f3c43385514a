// What an SM has to give to blocks, and what each resident block holds. Changed in the dispatch phase
// (launch) and in retire (release); asked by the block dispatcher. It decides nothing about time.
//
// The limits are those of the occupancy calculator, enforced one block at a time and per sub-partition.
#pragma once

#include "base/ids.h"
#include "config/arch_config.h"
#include "occupancy/calculator.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace smsim {

/// Where one warp of a block goes.
using SubPartitionIndex = std::uint32_t;

class Resources {
 public:
  Resources(const ArchConfig& arch, const KernelConfig& kernel, const Occupancy& occupancy);

  /// The sub-partition of each warp of one more block, or nothing where a resource does not suffice.
  /// With `placement: balanced` a warp goes to the sub-partition with the most free warp slots among those
  /// whose registers suffice, ties to the first one after the last used; with `modulo` warp i goes to i mod
  /// sub_partitions.
  [[nodiscard]] std::optional<std::vector<SubPartitionIndex>> place_block() const;

  /// How many more blocks fit at once, counted up to `most`.
  [[nodiscard]] std::uint32_t room(std::uint32_t most) const;

  /// Takes what a block needs, with the placement that place_block() gave.
  void take_block(const std::vector<SubPartitionIndex>& warps);
  /// Gives back a block's shared memory, barriers and its place among the blocks.
  void release_block();
  /// Gives back a warp's slot and registers.
  void release_warp(SubPartitionIndex where);

  [[nodiscard]] std::uint32_t warps_per_block() const { return warps_per_block_; }
  /// Where the search for a place begins: all else follows from who is resident.
  [[nodiscard]] SubPartitionIndex next_part() const { return next_part_; }

 private:
  struct Part {
    std::uint32_t free_warps;
    std::uint32_t free_registers;
  };

  std::vector<Part> parts_;
  std::uint32_t warps_per_block_;
  std::uint32_t registers_per_warp_;
  std::uint64_t shared_per_block_;
  std::uint32_t barriers_per_block_;
  Placement placement_;
  std::uint64_t free_blocks_;
  std::uint64_t free_shared_;
  std::uint64_t free_barriers_;
  SubPartitionIndex next_part_ = 0;  ///< after the last one used
};

}  // namespace smsim

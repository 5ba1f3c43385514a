// In which order the clusters of a grid (or single blocks) are launched: a permutation, asked for one number
// at a time by the block dispatcher. It takes no memory for the order of the grid and for a random one; for
// the longest first it holds a number a cluster, if their lengths differ at all.
#pragma once

#include "config/arch_config.h"
#include "sm/bound_program.h"

#include <cstdint>
#include <vector>

namespace smsim {

class LaunchOrder {
 public:
  /// `clusters` of `cluster` blocks each. The length of a block is the number of instructions that its warps
  /// issue.
  LaunchOrder(BlockOrder order, std::uint64_t clusters, std::uint32_t cluster, const BoundProgram& program,
              const KernelConfig& kernel, std::uint32_t warp_size, std::uint64_t seed);

  /// The number of the cluster that is launched as the `index`-th.
  [[nodiscard]] std::uint64_t operator[](std::uint64_t index) const;

 private:
  [[nodiscard]] std::uint64_t permuted(std::uint64_t index) const;

  BlockOrder order_;
  std::uint64_t clusters_;
  std::uint64_t seed_;
  std::uint32_t half_bits_ = 1;         ///< random: a permutation of 2^(2 half_bits) numbers
  std::vector<std::uint64_t> longest_;  ///< longest_first
};

/// Instructions that a warp issues, all loops run out; of a split both sides that some lanes take.
std::uint64_t instructions_of_warp(const BoundProgram& program, std::uint64_t block,
                                   std::uint32_t warp_in_block, std::uint32_t lanes);

}  // namespace smsim

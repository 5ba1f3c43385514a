// Where the occupancy that theory allows was lost, and what the end of the grid has to do with it: a pure
// function of a run's result.
#pragma once

#include "config/arch_config.h"
#include "config/kernel_config.h"
#include "engine/run_result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace smsim {

/// Warp-cycles that theory allows (warps per SM x SMs x cycles) and that had no active warp. The parts add up
/// to the whole, exactly; divided by (warp slots x SMs x cycles) they are theoretical - achieved (elapsed).
///
/// The last three divide what is empty in the tail, by this rule. A grid of B blocks of equal, average length
/// on n places loses the places that its last wave leaves empty: `partial_wave`. Where the longest block
/// outlasts all waves of average blocks, no launch order could fill the places meanwhile: `uneven_blocks`.
/// The rest comes of blocks that are uneven and were launched in this order: `launch_order`.
struct OccupancyLoss {
  std::int64_t total = 0;
  std::int64_t exited_warps = 0;  ///< left, while their block held their slots
  std::int64_t before_tail = 0;   ///< no block, although more were to come: launch interval, clusters
  std::int64_t partial_wave = 0;
  std::int64_t uneven_blocks = 0;
  std::int64_t launch_order = 0;
};
OccupancyLoss occupancy_loss(const RunResult& result);

/// Nsight Compute's rule "Tail Effect" takes all blocks for equally long: the partial wave may then account
/// for up to 1 / (full waves + 1) of the runtime. Nothing where no wave is partial. 0 to 1.
std::optional<double> nsight_tail_effect(const RunResult& result);

/// How uneven the SMs were busy: the most active cycles of an SM over their average, less 1.
double sm_imbalance(const RunResult& result);

/// Launches near this one that end in a full wave.
struct WithoutTail {
  std::optional<std::uint64_t> grid_below;
  std::uint64_t grid_above = 0;
  struct BlockSize {
    std::uint64_t threads;
    std::uint64_t grid;  ///< for as many threads in all, rounded up to a block
  };
  std::optional<BlockSize> block;  ///< the nearest, in whole warps
};
WithoutTail without_tail(const ArchConfig& arch, const KernelConfig& kernel, const RunResult& result);

}  // namespace smsim

// What a run found: plain numbers, all that reports read. Ratios are computed on reading and never stored.
#pragma once

#include "base/uint128.h"
#include "occupancy/calculator.h"
#include "stats/memory_counts.h"
#include "stats/warp_states.h"

#include <cstdint>
#include <string>
#include <vector>

namespace smsim {

/// Over the cycles in which the SM had an active warp.
struct SubPartitionResult {
  StateCycles states{};                   ///< warp-cycles in each state
  std::uint64_t eligible_cycles = 0;      ///< cycles with an eligible warp
  std::uint64_t thread_instructions = 0;  ///< instructions times their active lanes
  std::uint64_t no_eligible_cycles =
      0;  ///< cycles of the SM with an active warp, but none here that could issue
  std::vector<std::uint64_t> pipe_cycles;  ///< by math pipe: for so long its instructions took it

  [[nodiscard]] std::uint64_t state(WarpState which) const { return states[index_of(which)]; }
  [[nodiscard]] std::uint64_t issued() const { return state(WarpState::selected); }
  [[nodiscard]] std::uint64_t eligible_warp_cycles() const
  {
    return state(WarpState::selected) + state(WarpState::not_selected);
  }
  [[nodiscard]] std::uint64_t active_warp_cycles() const
  {
    std::uint64_t sum = 0;
    for (const std::uint64_t cycles : states)
      sum += cycles;
    return sum;
  }
};

struct SmResult {
  std::uint64_t blocks = 0;
  std::uint64_t most_resident_blocks = 0;
  std::uint64_t active_cycles = 0;  ///< cycles with an active warp
  std::uint64_t active_warp_cycles = 0;
  std::uint64_t allocated_warp_cycles = 0;    ///< of warp slots that a block held
  std::uint64_t tail_active_warp_cycles = 0;  ///< the same since the launch of the grid's last block
  std::uint64_t tail_allocated_warp_cycles = 0;
  std::uint64_t block_cycles = 0;    ///< from launch to end, summed over the blocks that have ended
  Uint128 block_cycles_squared = 0;  ///< the sum of their squares
  std::uint64_t shortest_block = 0;  ///< 0 where none has ended
  std::uint64_t longest_block = 0;
  MemoryCounts memory;
  std::vector<SubPartitionResult> sub_partitions;
};

struct RunResult {
  Occupancy occupancy;  ///< theoretical
  std::uint64_t grid = 0;
  std::uint32_t cluster = 1;              ///< blocks of a cluster
  std::uint64_t max_active_clusters = 0;  ///< that the SMs hold at once; of single blocks where cluster is 1
  std::string policy;
  PolicyParameterList policy_parameters;  ///< that it ran with
  std::uint64_t seed = 0;
  std::uint64_t cycles = 0;
  std::uint64_t tail_start = 0;  ///< the cycle in which the last block was launched
  bool stopped_early = false;    ///< by a bound on the cycles
  std::vector<SmResult> sms;

  [[nodiscard]] StateCycles states() const;
  [[nodiscard]] MemoryCounts memory() const;
  [[nodiscard]] std::uint64_t instructions() const { return states()[index_of(WarpState::selected)]; }
  [[nodiscard]] std::uint64_t thread_instructions() const;
  [[nodiscard]] std::uint64_t pipe_cycles(std::size_t pipe) const;
  [[nodiscard]] std::uint64_t active_warp_cycles() const;
  [[nodiscard]] std::uint64_t active_cycles() const;
  [[nodiscard]] std::uint64_t allocated_warp_cycles() const;
  [[nodiscard]] std::uint64_t tail_active_warp_cycles() const;
  [[nodiscard]] std::uint64_t tail_allocated_warp_cycles() const;

  /// Warp instructions per cycle, all SMs.
  [[nodiscard]] double ipc() const;
  /// Active lanes per instruction (Nsight Compute: Avg. Active Threads Per Warp).
  [[nodiscard]] double average_active_lanes() const;
  /// Active warps over warp slots, in the cycles in which an SM had an active warp (Nsight Compute's
  /// definition).
  [[nodiscard]] double achieved_occupancy() const;
  /// The same over all cycles of the kernel.
  [[nodiscard]] double achieved_occupancy_elapsed() const;

  /// Blocks that the SMs hold at once.
  [[nodiscard]] std::uint64_t block_places() const { return max_active_clusters * cluster; }
  /// Blocks that have ended; cycles from launch to end (turnaround), of all, of the shortest and the longest.
  [[nodiscard]] std::uint64_t blocks_run() const;
  [[nodiscard]] std::uint64_t block_cycles() const;
  [[nodiscard]] Uint128 block_cycles_squared() const;
  [[nodiscard]] std::uint64_t shortest_block() const;
  [[nodiscard]] std::uint64_t longest_block() const;
  [[nodiscard]] double block_turnaround() const;  ///< on average
  [[nodiscard]] double block_turnaround_deviation() const;
  /// Jain's index of the blocks' turnaround: 1 where all took as long.
  [[nodiscard]] double block_fairness() const;
  /// Jain's index of the instructions that each sub-partition issued, of the SMs that had blocks.
  [[nodiscard]] double sub_partition_fairness() const;
  /// Blocks over the blocks that the GPU holds at once.
  [[nodiscard]] double waves() const;
  [[nodiscard]] std::uint64_t full_waves() const;
  [[nodiscard]] std::uint64_t tail_cycles() const { return cycles - tail_start; }
  /// Warp slots, of those that theoretical occupancy fills, without an active warp in the tail.
  [[nodiscard]] std::uint64_t tail_empty_slot_cycles() const;
};

}  // namespace smsim

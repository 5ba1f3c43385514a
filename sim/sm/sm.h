// One streaming multiprocessor: sub-partitions, the units that they share, and the blocks that are resident.
//
// In a cycle the GPU calls, in this order: retire, can_launch/launch (dispatch), issue. Between cycles in
// which next_event() says that something is due, nothing changes.
#pragma once

#include "base/uint128.h"
#include "sm/barrier_unit.h"
#include "sm/sub_partition.h"

#include <bit>
#include <compare>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace smsim {

/// All that the SMs of a run share and nobody changes.
struct RunInputs {
  const ArchConfig& arch;
  const KernelConfig& kernel;
  const BoundProgram& program;
  const Occupancy& occupancy;
  std::function<std::unique_ptr<WarpScheduler>()> make_scheduler;
  std::uint64_t seed;
  TraceListener* listener = nullptr;
};

/// Where a warp is and why it does not go on; for the deadlock report.
struct WarpReport {
  BlockId block{0};
  std::uint32_t warp_in_block = 0;
  SubPartitionIndex sub_partition = 0;
  std::string state;
  std::uint32_t pc = 0;
};

class Sm final : public SmUnits {
 public:
  /// `number` of the GPU's.
  Sm(const RunInputs& inputs, std::uint32_t number);

  void retire(Cycle now);
  /// Whether one more block fits.
  [[nodiscard]] bool fits();
  /// How many more fit at once, counted up to `most`.
  [[nodiscard]] std::uint32_t room(std::uint32_t most);
  /// Whether the launch interval is over.
  [[nodiscard]] bool may_launch(Cycle now) const { return now >= next_launch_; }
  /// A block that fits() is launched.
  void launch(BlockId block, Cycle now);
  void issue(Cycle now);
  /// The next cycle in which retire or issue has something to do here.
  [[nodiscard]] Cycle next_event() const { return next_event_; }
  /// The end of the launch interval.
  [[nodiscard]] Cycle next_launch() const { return next_launch_; }

  /// Closes the books at `end`.
  void finish(Cycle end);

  [[nodiscard]] const std::vector<SubPartition>& sub_partitions() const { return parts_; }
  [[nodiscard]] bool empty() const { return resident_blocks_ == 0; }
  /// Warp-cycles of active warps and of allocated warp slots, and cycles with an active warp; all before
  /// `now`.
  [[nodiscard]] std::uint64_t active_warp_cycles(Cycle now) const
  {
    return active_warp_cycles_ + active_warps_ * (now - counted_);
  }
  [[nodiscard]] std::uint64_t allocated_warp_cycles() const { return allocated_warp_cycles_; }
  /// The same before a cycle that may be past, but not before the last launch here.
  struct Integrals {
    std::uint64_t active = 0;
    std::uint64_t allocated = 0;
  };
  [[nodiscard]] Integrals integrals_at(Cycle cycle) const;
  /// Cycles from launch to end of the blocks that have ended: their sum, the sum of their squares, the
  /// shortest and the longest.
  [[nodiscard]] std::uint64_t block_cycles() const { return block_cycles_; }
  [[nodiscard]] Uint128 block_cycles_squared() const { return block_cycles_squared_; }
  [[nodiscard]] std::uint64_t shortest_block() const { return shortest_block_; }
  [[nodiscard]] std::uint64_t longest_block() const { return longest_block_; }
  [[nodiscard]] std::uint64_t active_cycles() const { return active_cycles_; }
  [[nodiscard]] std::uint64_t blocks_run() const { return blocks_run_; }
  [[nodiscard]] std::uint64_t most_resident_blocks() const { return most_resident_blocks_; }
  [[nodiscard]] std::vector<WarpReport> waiting_warps() const;

  void arrive_at_barrier(Warp& warp, const BoundOp& op, Cycle now) override;
  void take_shared_unit(std::uint8_t group, Cycle free_at, SubPartitionIndex taker, Cycle now) override;
  void tell_l1_changes(Cycle now) override;

 private:
  struct WarpPlace {
    SubPartitionIndex part;
    WarpSlot slot;
  };
  struct ResidentBlock {
    BlockId id{0};
    Cycle launched{0};
    std::vector<WarpPlace> warps;
    BarrierUnit barriers;
  };

  void count_until(Cycle now);
  void catch_up(Cycle now);
  void complete_accesses(Cycle now);
  void warp_left(SubPartitionIndex part, WarpSlot slot, Cycle now);
  void open_barrier(std::uint32_t block_slot, std::uint8_t barrier, Cycle opens, Cycle now, bool retiring);
  /// The sub-partition whose visit comes first in this cycle: cycle mod sub_partitions.
  [[nodiscard]] std::uint64_t first_visited(Cycle now) const
  {
    const std::uint64_t count = parts_.size();
    return std::has_single_bit(count) ? now.value() & (count - 1) : now.value() % count;
  }
  /// The place of a sub-partition in this cycle's order of visits.
  [[nodiscard]] std::uint64_t turn(SubPartitionIndex part, Cycle now) const
  {
    const std::uint64_t first = first_visited(now);
    return part >= first ? part - first : part + parts_.size() - first;
  }

  const RunInputs& inputs_;
  const std::uint32_t number_;
  Resources resources_;
  std::vector<SubPartition> parts_;
  std::uint64_t due_ = 0;  ///< bit p: sub-partition p has something to do in this cycle
  std::vector<ResidentBlock> blocks_;
  std::vector<std::uint32_t> free_block_slots_;
  std::optional<std::vector<SubPartitionIndex>> placement_;  ///< of the next block, if it fits
  bool placement_known_ = false;
  struct PendingAccess {
    Cycle ready;
    std::size_t visited;  ///< place among the accesses of this cycle
    SubPartitionIndex part;
    friend auto operator<=>(const PendingAccess&, const PendingAccess&) = default;
  };
  std::vector<PendingAccess> pending_;  ///< scratch
  std::vector<WarpSlot> left_;
  std::vector<WarpPlace> leaving_;
  Cycle next_launch_{0};
  Cycle next_event_{0};
  Cycle catch_up_at_ = never;  ///< what happened goes to the listener then

  std::uint32_t active_warps_ = 0;
  std::uint32_t allocated_warps_ = 0;
  std::uint64_t resident_blocks_ = 0;
  std::uint64_t most_resident_blocks_ = 0;
  std::uint64_t blocks_run_ = 0;
  Cycle counted_{0};  ///< the three integrals below hold every cycle before this one
  std::uint64_t active_warp_cycles_ = 0;
  std::uint64_t allocated_warp_cycles_ = 0;
  std::uint64_t active_cycles_ = 0;
  std::uint64_t block_cycles_ = 0;
  Uint128 block_cycles_squared_ = 0;
  std::uint64_t shortest_block_ = 0;
  std::uint64_t longest_block_ = 0;
  struct Snapshot {  ///< of the integrals, and what they grew by from then on
    Cycle counted;
    Integrals integrals;
    std::uint32_t active_warps;
    std::uint32_t allocated_warps;
  };
  std::vector<Snapshot> snapshots_;  ///< since the last launch: at most one for each warp that has left
};

}  // namespace smsim

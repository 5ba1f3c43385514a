// Global and local memory as an SM sees it: who serves an access, and when its data can be used. Asked in the
// issue phase, in the order in which accesses leave the memory queues. Both engines ask this one.
//
// Without an address the level is the instruction's, or drawn. With one the L1 cache decides what it serves;
// what it misses is fetched, by the sector, from the level that the instruction says, or that is drawn. What
// spilled registers store stays in L1 and is given back to L2 when its line must go.
#pragma once

#include "config/arch_config.h"
#include "config/kernel_config.h"
#include "sm/bound_program.h"
#include "sm/l1_cache.h"
#include "sm/memory_levels.h"

#include <optional>
#include <span>

namespace smsim {

class GlobalMemory {
 public:
  /// `l1_bytes` is what the carveout leaves to L1.
  GlobalMemory(const ArchConfig& arch, const KernelConfig& kernel, const BoundProgram& program,
               std::uint64_t l1_bytes, std::uint64_t seed);

  /// Which access of which warp: `repetition` counts this warp's executions of the instruction from 0.
  struct Access {
    BlockId block;
    std::uint32_t warp;
    std::uint64_t repetition;
    std::uint32_t part = 0;  ///< where the warp is
    WarpSlot slot{0};
    std::span<const AccessRun> sectors{};  ///< what it touches, where that was traced

    [[nodiscard]] L1Owner owner() const { return {block, warp, part, slot}; }
  };

  /// When the data of an access that left the queue at `departure` can be used (a store: when it is done).
  Cycle access(const BoundOp& op, const Access& which, Cycle departure);

  /// Cycles that the bandwidth of L2 or DRAM is booked ahead.
  [[nodiscard]] std::uint64_t backlog(Cycle now) const { return levels_.backlog(now); }
  /// From now on l1_changes() are known.
  void watch_l1()
  {
    if (cache_) cache_->watch();
  }
  /// Of the last access.
  [[nodiscard]] std::span<const L1Change> l1_changes() const
  {
    return cache_ ? std::span<const L1Change>(cache_->changes) : std::span<const L1Change>();
  }

  [[nodiscard]] const MemoryCounts& counts() const { return levels_.counts(); }
  void append_to(StateKey& key) const
  {
    levels_.append_to(key);
    if (cache_) cache_->append_to(key);
  }

 private:
  [[nodiscard]] Level level_of(const BoundOp& op, const Access& which) const;
  Cycle traced(const BoundOp& op, const Access& which, Cycle departure);
  Cycle found_or_fetched(const L1Cache::Lookup& found, Level next, std::uint64_t bytes, Cycle departure);
  Cycle cached_load(const BoundOp& op, const Access& which, Cycle departure);
  [[nodiscard]] std::uint64_t address(const BoundOp& op, const Access& which) const;

  MemoryConfig config_;
  MemoryLevels levels_;
  std::optional<L1Cache> cache_;  ///< only if an instruction has an address
  std::uint64_t seed_;
  std::uint64_t blocks_;
  std::uint32_t warps_per_block_;
};

}  // namespace smsim

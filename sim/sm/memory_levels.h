// L1, L2 and DRAM as an SM sees them: latencies, and for L2 and DRAM a server with a bandwidth. Asked in the
// issue phase, in the order in which accesses leave the memory queues; answers when the data can be used.
//
// A server is busy for bytes / bytes_per_cycle after an access starts. Its time is kept in 1/65536 of a
// cycle, rounded up once an access; there is no floating point.
#pragma once

#include "base/ids.h"
#include "config/arch_config.h"
#include "sm/state_key.h"
#include "stats/memory_counts.h"

#include <algorithm>
#include <cstdint>

namespace smsim {

/// A first-come-first-served bandwidth.
class BandwidthServer {
 public:
  explicit BandwidthServer(const BandwidthConfig& config) : rate_(config.millibytes_per_cycle.value_or(0)) {}

  /// The fixed-point time at which an access that arrives at `at` starts; the server is then busy for
  /// `bytes`.
  std::uint64_t start(std::uint64_t at, std::uint64_t bytes)
  {
    if (rate_ == 0) return at;
    const std::uint64_t begin = std::max(at, free_at_);
    if (bytes != last_bytes_) {  // a division costs more than all the rest here
      last_bytes_ = bytes;
      last_time_ = (bytes * 1000 * one + rate_ - 1) / rate_;
    }
    free_at_ = begin + last_time_;
    return begin;
  }

  /// Cycles from `now` until it can start another access.
  [[nodiscard]] std::uint64_t backlog(Cycle now) const
  {
    const std::uint64_t free = (free_at_ + one - 1) >> fraction_bits;
    return free > now.value() ? free - now.value() : 0;
  }

  void append_to(StateKey& key) const
  {
    const std::uint64_t now = key.now().value() << fraction_bits;
    key.number(std::max(free_at_, now) - now);
  }

  static constexpr unsigned fraction_bits = 16;
  static constexpr std::uint64_t one = std::uint64_t{1} << fraction_bits;

 private:
  std::uint64_t rate_;            ///< thousandths of a byte per cycle; 0: without limit
  std::uint64_t free_at_ = 0;     ///< fixed point
  std::uint64_t last_bytes_ = 0;  ///< of the last access, and for how long it was busy with them
  std::uint64_t last_time_ = 0;
};

class MemoryLevels {
 public:
  explicit MemoryLevels(const MemoryConfig& config) : config_(config), l2_(config.l2), dram_(config.dram) {}

  /// When the data of an access can be used that left the queue at `departure` and is served by `level`.
  Cycle ready_at(Cycle departure, Level level, std::uint64_t bytes)
  {
    ++counts_.accesses[index_of(level)];
    counts_.bytes[index_of(level)] += bytes;
    const std::uint64_t in_front = departure.value() - config_.front_latency;
    if (level == Level::l1) return Cycle{in_front + config_.l1.latency};
    std::uint64_t start = l2_.start(departure.value() << BandwidthServer::fraction_bits, bytes);
    if (level == Level::dram) start = dram_.start(start, bytes);
    const std::uint64_t waited =
        ((start + BandwidthServer::one - 1) >> BandwidthServer::fraction_bits) - departure.value();
    return Cycle{in_front + waited + (level == Level::l2 ? config_.l2.latency : config_.dram.latency)};
  }

  /// Bytes that L1 gives back to L2 at `departure`: nobody waits for them, but L2 is busy.
  void write_back(Cycle departure, std::uint64_t bytes)
  {
    counts_.bytes[index_of(Level::l2)] += bytes;
    l2_.start(departure.value() << BandwidthServer::fraction_bits, bytes);
  }

  /// One more load for which L1 was asked.
  void count_l1_decision(bool hit)
  {
    ++counts_.l1_decisions;
    counts_.l1_hits += hit ? 1U : 0U;
  }

  [[nodiscard]] std::uint64_t backlog(Cycle now) const
  {
    return std::max(l2_.backlog(now), dram_.backlog(now));
  }

  /// One more access to the slot of a spilled register.
  void count_spill(Access access) { ++(access == Access::load ? counts_.spill_loads : counts_.spill_stores); }

  [[nodiscard]] const MemoryCounts& counts() const { return counts_; }
  void append_to(StateKey& key) const
  {
    l2_.append_to(key);
    dram_.append_to(key);
  }

 private:
  MemoryConfig config_;
  BandwidthServer l2_;
  BandwidthServer dram_;
  MemoryCounts counts_;
};

}  // namespace smsim

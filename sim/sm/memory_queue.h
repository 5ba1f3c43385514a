// The way from issue to the memory levels: a queue in each sub-partition, one stage that they share. Asked in
// the issue phase when a memory instruction has been picked; `free_at` says when the queue next has room.
//
// The n-th access leaves at d = max(a + front_latency, last d of this sub-partition + sub_partition_interval,
// last d of the SM + sm_interval x its passes); its entry is free from d on.
// Source: Huerta et al., MICRO'25, section 5.4 and Table 1 (GA102).
#pragma once

#include "base/ids.h"
#include "config/arch_config.h"
#include "sm/state_key.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace smsim {

/// What the sub-partitions share: the order in which accesses reach shared memory and L1.
struct MemoryStage {
  Cycle next_departure{0};  ///< no access leaves before
};

class MemoryQueue {
 public:
  explicit MemoryQueue(const MemoryConfig& config)
      : config_(config), departures_(config.queue_depth, Cycle{0})
  {
  }

  /// When an instruction that allocated at `a` could leave if no other sub-partition were in its way.
  /// Accesses that issue in the same cycle reach the shared stage in the order of this, ties in the order in
  /// which sub-partitions are visited.
  [[nodiscard]] Cycle earliest(Cycle a) const { return std::max(a + config_.front_latency, next_departure_); }

  /// An instruction that allocated at `a` enters; the answer is when it leaves.
  Cycle enter(Cycle a, std::uint32_t passes, MemoryStage& stage)
  {
    const Cycle departure = std::max({a + config_.front_latency, next_departure_, stage.next_departure});
    next_departure_ = departure + config_.sub_partition_interval;
    stage.next_departure = departure + std::uint64_t{config_.sm_interval} * passes;
    departures_[oldest_] = departure;
    oldest_ = oldest_ + 1 == departures_.size() ? 0 : oldest_ + 1;
    return departure;
  }

  /// The first cycle in which the queue has room for one more.
  [[nodiscard]] Cycle free_at() const { return departures_[oldest_]; }

  void append_to(StateKey& key) const
  {
    key.time(next_departure_);
    for (std::size_t i = 0; i < departures_.size(); ++i)
      key.time(departures_[(oldest_ + i) % departures_.size()]);
  }

 private:
  MemoryConfig config_;
  Cycle next_departure_{0};
  std::vector<Cycle> departures_;  ///< of the last queue_depth accesses, a ring
  std::size_t oldest_ = 0;
};

/// Counts global and local accesses in flight, where the architecture bounds them.
class OutstandingLimit {
 public:
  explicit OutstandingLimit(std::optional<std::uint32_t> most) : most_(most.value_or(0)) {}

  [[nodiscard]] bool bounded() const { return most_ != 0; }

  /// An access issues in this cycle; when it will be done is known at the end of the cycle.
  void reserve() { ++reserved_; }
  /// An access that was reserved at `t` will be done at `done`.
  void add(Cycle t, Cycle done)
  {
    --reserved_;
    retire(t);
    done_.push_back(done);
    std::push_heap(done_.begin(), done_.end(), std::greater<>{});
  }
  /// Whether no other access may issue at `t`.
  [[nodiscard]] bool full(Cycle t)
  {
    retire(t);
    return bounded() && done_.size() + reserved_ >= most_;
  }
  /// The first cycle after `t` in which another may issue, once all of `t` are added.
  [[nodiscard]] Cycle free_at(Cycle t) { return full(t) ? done_.front() : Cycle{0}; }

  void append_to(StateKey& key) const
  {
    std::vector<Cycle> done = done_;
    std::sort(done.begin(), done.end());
    for (const Cycle when : done)
      if (when > key.now()) key.time(when);
    key.time(key.now());
  }

 private:
  void retire(Cycle t)
  {
    while (!done_.empty() && done_.front() <= t)
      pop();
  }
  void pop()
  {
    std::pop_heap(done_.begin(), done_.end(), std::greater<>{});
    done_.pop_back();
  }

  std::uint32_t most_;
  std::size_t reserved_ = 0;
  std::vector<Cycle> done_;
};

}  // namespace smsim

// Runs the points of a sweep on a pool of threads and commits what they found as it comes.
// No result depends on how many threads there are, or on how often the sweep was stopped and gone on with.
#pragma once

#include "sweep/store.h"

#include <atomic>
#include <functional>

namespace smsim {

struct SweepProgress {
  std::uint64_t total = 0;   ///< points of this shard
  std::uint64_t before = 0;  ///< of those, in the store before
  std::uint64_t done = 0;    ///< with those
  std::uint64_t failed = 0;  ///< of the done ones
};

struct SweepRun {
  std::uint64_t points = 0;  ///< of the whole sweep
  std::uint32_t threads = 1;
  Shard shard;
  const std::atomic<bool>* stop = nullptr;  ///< when it becomes true, what is not finished is given up
  std::function<void(const SweepProgress&)> on_progress;  ///< a few times a second; may be empty
};

/// @throws RunError where the store cannot be written; what was committed before stays.
SweepProgress run_sweep(const Sweep& sweep, StoreWriter& store, const SweepRun& run);

/// One point, whatever becomes of it. `stop` as in RunOptions.
PointResult run_point(const Sweep& sweep, PointBuilder& builder, const SweepPoint& point,
                      const std::atomic<bool>* stop);

}  // namespace smsim

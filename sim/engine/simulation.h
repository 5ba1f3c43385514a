// Runs a kernel on an architecture: owns the clock, and visits only the cycles in which something can change.
//
// A visited cycle has four phases in this order: retire, dispatch, issue, account; the last is done when a
// warp's state changes, for all the cycles since. Results equal those of a loop over every cycle.
#pragma once

#include "config/arch_config.h"
#include "engine/run_result.h"
#include "workload/workload_loader.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>

namespace smsim {

class TraceListener;

/// Both give the same numbers; the second is slow and plain.
enum class Engine { event, every_cycle };

struct RunOptions {
  Engine engine = Engine::event;
  std::string policy;         ///< "" is the architecture's
  std::uint32_t sms = 0;      ///< 0: the architecture's
  std::uint32_t threads = 1;  ///< of the event engine; no result depends on it
  std::uint64_t seed = 1;
  std::uint64_t max_cycles = std::uint64_t{1} << 44U;  ///< the run ends there with what it has
  const std::atomic<bool>* stop = nullptr;  ///< when it becomes true, the run ends with what it has
  TraceListener* listener = nullptr;        ///< is told what happens; of the event engine, on one thread
};

/// @throws InputError if the program does not fit the architecture (opcodes, policy, clusters).
/// @throws RunError if no block can ever launch, or at a deadlock: the text says which limit, or where every
/// warp waits.
RunResult run_kernel(const ArchConfig& arch, const Workload& workload, const RunOptions& options);

}  // namespace smsim

// The least cycles over all legal schedules of a kernel on one SM: `--policy best_of`. A policy's distance
// from it is what a better policy could still gain.
//
// A schedule says in each cycle, for each scheduler, which of its warps that can issue does, or that none
// does: to wait can pay, for a pipe that a later warp needs more. The search runs the plain engine from
// decision to decision, depth first. It goes no further where a lower bound (schedule_bound.h) leaves nothing
// to gain, where it waits only to go on with a warp that could have gone on at once, and where it was before:
// in a state with the same future, not earlier. It asks first whether the kernel can end as early as the
// lower bound says, then some cycles later, and so on: what it was able to refute is a bound that is proved
// even if the work becomes too much.
#pragma once

#include "engine/simulation.h"

#include <cstdint>
#include <string>

namespace smsim {

/// The name that stands for the search where a policy's may stand.
inline constexpr const char* search_policy = "best_of";

struct SearchLimits {
  std::uint64_t steps = 1'000'000;  ///< cycles simulated, all tries together
  std::uint64_t cycles = 2'000;     ///< no search where the best policy takes more
};

struct BestSchedule {
  RunResult result;               ///< of the best schedule that was found
  std::uint64_t lower_bound = 0;  ///< proved: no schedule takes fewer cycles
  std::string best_policy;        ///< of those that come with smsim, with default parameters
  std::uint64_t policy_cycles = 0;
  std::uint64_t states = 0;  ///< that were looked into
  std::uint64_t steps = 0;

  /// The result's cycles are the optimum.
  [[nodiscard]] bool exact() const { return lower_bound == result.cycles; }
};

/// `options.policy` and `engine` have no use here. @throws RunError for several SMs or clusters; else as
/// run_kernel does.
BestSchedule find_best_schedule(const ArchConfig& arch, const Workload& workload, const RunOptions& options,
                                const SearchLimits& limits = {});

/// A sentence: the optimum, or between which numbers it lies and that it is not known.
std::string describe(const BestSchedule& best);

}  // namespace smsim

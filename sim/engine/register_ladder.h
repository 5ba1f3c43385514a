// The same kernel with one register cap after another: what fewer registers bring in warps and cost in
// spills.
#pragma once

#include "engine/simulation.h"

#include <optional>
#include <vector>

namespace smsim {

/// One cap: how many registers a thread has, and what became of the kernel.
struct RegisterStep {
  std::uint32_t registers = 0;
  Spills spills;
  Occupancy occupancy;
  std::optional<RunResult> result;  ///< nothing where no block can launch
};

/// The caps worth a run, without the need itself, from above: every count that changes how many blocks the
/// registers allow, down to the least that the program can run with, and the launch's own cap.
std::vector<Located<std::uint32_t>> caps_worth_a_run(const ArchConfig& arch, const Workload& workload);

/// Runs the kernel without a cap and then with each of `caps`, whatever cap its launch states.
/// @throws InputError for all caps that the program cannot run with at once; RunError if no block can launch
/// with any.
std::vector<RegisterStep> run_register_ladder(const ArchConfig& arch, const Workload& workload,
                                              const std::vector<Located<std::uint32_t>>& caps,
                                              const RunOptions& options);

}  // namespace smsim

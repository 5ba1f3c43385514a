// Why a kernel takes as long as it does on an architecture, found by running it and what is near it: with
// half and twice its resident blocks, and with each change of its launch that may help.
#pragma once

#include "engine/simulation.h"
#include "engine/warp_estimate.h"

#include <optional>
#include <string>
#include <vector>

namespace smsim {

/// The kernel run with something changed.
struct TriedRun {
  std::string what;
  std::vector<std::string> settings;  ///< the words of `--set` that make it, beside those of the base run
  std::uint64_t work = 0;             ///< threads that do the kernel's work
  Occupancy occupancy;
  std::uint64_t grid = 0;
  std::uint64_t cycles = 0;
  std::string why_not;  ///< it could not be run; "" where it was

  [[nodiscard]] bool ran() const { return why_not.empty(); }
  /// Cycles for 1000 threads of the kernel's work.
  [[nodiscard]] double cycles_per_1000_threads() const
  {
    return 1000 * static_cast<double>(cycles) / static_cast<double>(work);
  }
};

struct Explanation {
  Workload workload;                 ///< as it ran: its grid, and its register cap applied
  std::uint64_t whole_grid = 0;      ///< blocks; more than the run has where the grid was shortened
  double instructions_expected = 0;  ///< of the whole grid
  WarpEstimate estimate;
  RunResult result;
  TriedRun base;                      ///< the same run, as the others are told
  std::optional<TriedRun> half;       ///< of its resident blocks; nothing where only one is
  TriedRun twice;                     ///< on an SM with twice the room, which does not exist
  std::vector<TriedRun> changes;      ///< the least cycles per work first, then those that could not run
  std::vector<std::string> left_out;  ///< changes that cannot be compared

  [[nodiscard]] bool is_shortened() const { return whole_grid != result.grid; }
  /// Cycles saved for the same work, 0 to 1; negative where it is slower.
  [[nodiscard]] double gain(const TriedRun& tried) const
  {
    return 1 - tried.cycles_per_1000_threads() / base.cycles_per_1000_threads();
  }
  /// The best change, where it saves at least `worth_telling`.
  [[nodiscard]] const TriedRun* best() const;

  static constexpr double worth_telling = 0.01;
  /// A grid with more warp instructions than this is shortened to whole waves and the last, partial one.
  static constexpr double most_instructions = 20e6;
};

/// @throws as run_kernel does for the kernel itself; a change that cannot run is told in the answer.
Explanation explain(const ArchConfig& arch, const Workload& workload, const RunOptions& options);

}  // namespace smsim

// Policies against each other: each runs every workload on every architecture with every seed.
#pragma once

#include "engine/simulation.h"
#include "stats/estimate.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace smsim {

/// What is compared, besides the states that warps were in.
struct ComparedFigure {
  std::string_view key;
  std::string_view label;                         ///< in reports
  int places;                                     ///< there, after the point
  double unit;                                    ///< there: a hundredth where it is a percentage
  std::optional<double> (*of)(const RunResult&);  ///< nothing where the run has none
};
extern const std::array<ComparedFigure, 8> compared_figures;
/// The first of them: what speed-ups are made of.
inline constexpr std::size_t cycles_figure = 0;

/// Columns and rows of the table. Names are what the user called them, each once.
struct ComparisonPlan {
  template <class T>
  struct Named {
    std::string name;
    T value;
  };
  std::vector<Named<ArchConfig>> archs;
  std::vector<Named<Workload>> workloads;
  std::vector<std::string> policies;
  std::size_t baseline = 0;  ///< of the policies
  std::uint64_t seeds = 1;   ///< 1 to this
  std::uint32_t sms = 0;     ///< 0: each architecture's
  std::uint32_t threads = 1;
};

/// Errors of workloads that do not fit an architecture, all of them.
void check_comparison(const ComparisonPlan& plan, Diagnostics& diagnostics);

/// One policy, workload and architecture.
struct ComparisonRow {
  std::size_t arch = 0;
  std::size_t workload = 0;
  std::size_t policy = 0;
  std::uint32_t sms = 0;
  std::string failure;  ///< why a run could not be done or could not end, of the first seed where it is so
  std::array<std::vector<double>, compared_figures.size()>
      samples;           ///< by figure and seed; none: no such figure
  StateCycles states{};  ///< warp-cycles, all seeds
  /// Of best_of: what its search proved, of the first seed where that is not the optimum, else of the first.
  struct Proved {
    std::uint64_t lower_bound;
    bool exact;
    std::string sentence;
  };
  std::optional<Proved> proved{};

  /// All but `selected`: the state with the most warp-cycles; nothing where no warp ever waited.
  [[nodiscard]] std::optional<WarpState> top_stall() const;
  /// Of the warp-cycles of active warps.
  [[nodiscard]] double share_of(WarpState state) const;
  /// The mean over the seeds; nothing where the row failed or has no such figure.
  [[nodiscard]] std::optional<Estimate> figure(std::size_t which) const;
};

/// A row against the baseline's with the same workload and architecture.
struct SpeedUp {
  double ratio = 1;     ///< the baseline's mean cycles over this row's
  Estimate difference;  ///< this row's cycles less the baseline's, paired by seed
};

/// Geometric mean of a policy's speed-ups on one architecture, over the workloads that have one.
struct MeanSpeedUp {
  std::size_t arch = 0;
  std::size_t policy = 0;
  std::size_t workloads = 0;
  std::optional<double> ratio;
};

struct Comparison {
  std::vector<ComparisonRow> rows;  ///< by architecture, workload, policy
  std::vector<MeanSpeedUp> means;   ///< by architecture, policy
  /// By row; nothing where it or the baseline's failed.
  std::vector<std::optional<SpeedUp>> speed_ups;

  [[nodiscard]] bool all_ran() const;
};

/// Runs all, spread over the plan's threads; no number depends on how many they are. A plan without errors.
Comparison compare(const ComparisonPlan& plan);

}  // namespace smsim

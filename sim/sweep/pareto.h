// The Pareto front: the points that no other point beats in one objective without losing in another.
#pragma once

#include "sweep/results_reader.h"

namespace smsim {

struct Objective {
  std::string column;
  bool maximize = false;
};

/// "cycles,ipc:max": columns, smaller is better unless it says :max. Errors go to `diagnostics`.
std::vector<Objective> parse_objectives(const std::string& text, const ResultsReader& reader,
                                        Diagnostics& diagnostics);

/// The numbers of the points on the front, ascending; equal points are all on it. Points without a number in
/// an objective (failed ones) have no part in it. `query`: among which.
std::vector<std::uint64_t> pareto_front(ResultsReader& reader, const ResultQuery& query,
                                        const std::vector<Objective>& objectives);

}  // namespace smsim

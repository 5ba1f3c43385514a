// What a sweep keeps of each run, by the names that the JSON report and `smsim compare` have for it.
#pragma once

#include "engine/run_result.h"

#include <string>
#include <variant>
#include <vector>

namespace smsim {

/// A cell of a result table.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

/// The names, in the order of the columns.
const std::vector<std::string>& metric_names();

/// The figures of a run, in that order.
std::vector<Cell> metrics_of(const RunResult& result);

}  // namespace smsim

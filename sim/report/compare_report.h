// The report of a comparison: a row for each policy, workload and architecture, and geometric means.
#pragma once

#include "engine/comparison.h"

#include <string>

namespace smsim {

struct ComparisonContext {
  const ComparisonPlan& plan;
  const Comparison& found;
};

std::string compare_text(const ComparisonContext& context);
/// One object; keys in docs/results.md.
std::string compare_json(const ComparisonContext& context);
/// A header and a row for each of the JSON's rows: the same numbers, flattened.
std::string compare_csv(const ComparisonContext& context);

}  // namespace smsim

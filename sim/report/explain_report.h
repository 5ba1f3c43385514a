// The page of `smsim explain`: what binds occupancy, whether occupancy matters, what the tail costs, and the
// change that helps most. Text and JSON tell the same numbers.
#pragma once

#include "engine/explanation.h"

#include <string>

namespace smsim {

struct ExplainContext {
  const ArchConfig& arch;
  const Explanation& found;
};

std::string explain_text(const ExplainContext& context);
/// One object; keys in docs/results.md.
std::string explain_json(const ExplainContext& context);

/// What both tell in the same words.
namespace explained {

/// A line of arithmetic for each resource that limits occupancy.
std::vector<std::string> limit_arithmetic(const ExplainContext& context);
/// The nearest change that makes more warps resident; "" where there is none.
std::string nearest_gain(const ExplainContext& context);
std::string does_occupancy_matter(const ExplainContext& context);
/// What the tail costs, in cycles of an SM full of warps.
double tail_cost(const RunResult& result);
std::string does_the_grid_matter(const ExplainContext& context);
std::string what_helps_most(const ExplainContext& context);
/// Of the issue slots of all schedulers over the whole run, 0 to 1.
double issue_utilisation(const RunResult& result);
/// The state that warps were in longest without issuing.
WarpState top_stall(const RunResult& result);
double share_of_warp_time(const RunResult& result, WarpState state);

}  // namespace explained

}  // namespace smsim

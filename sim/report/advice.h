// Two or three plain sentences on what binds a run and what to try.
#pragma once

#include "report/run_reports.h"

#include <optional>
#include <string>
#include <vector>

namespace smsim {

std::vector<std::string> advice(const RunContext& context);

/// Bytes moved over those that the level's bandwidth could have moved in the run; nothing where it has no
/// limit.
std::optional<double> l2_utilisation(const RunContext& context);
std::optional<double> dram_utilisation(const RunContext& context);

/// Cycles for which a math pipe's instructions took it, over those of the run and of all such pipes.
double pipe_utilisation(const RunContext& context, std::size_t pipe);

/// "registers", "shared memory and warps".
std::string limiters_text(const std::vector<Limiter>& limiters);

}  // namespace smsim

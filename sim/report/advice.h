// Two or three plain sentences on what binds a run and what to try.
#pragma once

#include "report/run_reports.h"

#include <string>
#include <vector>

namespace smsim {

std::vector<std::string> advice(const RunContext& context);

/// "registers", "shared memory and warps".
std::string limiters_text(const std::vector<Limiter>& limiters);

}  // namespace smsim

// The text report's sections on the end of the grid and on the SMs side by side.
#pragma once

#include "report/run_reports.h"

#include <string>

namespace smsim {

/// Waves, the tail, where occupancy was lost, and launches without a tail.
std::string tail_section(const RunContext& context);
/// How evenly the SMs were busy; "" for a single one.
std::string sms_section(const RunContext& context);

}  // namespace smsim

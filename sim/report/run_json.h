// A run's result as a JSON object, for reports that flatten or combine it.
#pragma once

#include "report/run_reports.h"

#include <nlohmann/json.hpp>

namespace smsim {

nlohmann::ordered_json run_json(const RunContext& context);

}  // namespace smsim

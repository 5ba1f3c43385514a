// A run, or two beside each other, as one HTML page: no file and no network beside it, under 2 MB.
//
// A pure function of the result. The JSON result stands in the page, and every number of it that the page
// shows says which key it is.
#pragma once

#include "report/run_reports.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace smsim {

namespace html {
class Recording;
}

/// `recording` has listened to the run.
std::string html_report(const RunContext& context, const html::Recording& recording);

/// A result that `smsim run --format json` wrote, and what its user calls it (the file's name).
struct NamedResult {
  std::string name;
  const nlohmann::ordered_json& result;
};
std::string html_comparison(const NamedResult& a, const NamedResult& b);

}  // namespace smsim

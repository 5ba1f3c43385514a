// The parts of the page on one run, from the top. Each is a pure function of what the run found.
#pragma once

#include "report/html/recording.h"
#include "report/run_reports.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace smsim::html {

struct PageInput {
  const RunContext& run;
  const nlohmann::ordered_json& result;  ///< the JSON result, whole
  const Recording& recording;
};

/// Theoretical and achieved occupancy, what binds, and the limit of each resource.
std::string headline_section(const PageInput& page);
/// Where the difference between theory and the run went.
std::string loss_figure(const PageInput& page);
/// Active warps over time, with waves and the tail; when each block ran, and where.
std::string time_section(const PageInput& page);
/// What the warps of one scheduler did in a window of cycles.
std::string window_section(const PageInput& page);
/// How much of the issue slots, pipes and bandwidths was used.
std::string usage_section(const PageInput& page);
/// What the warps of each scheduler did with their time.
std::string stall_section(const PageInput& page);
/// Occupancy over registers, block size and shared memory: this kernel, and the cliffs beside it.
std::string curves_section(const PageInput& page);
/// The architecture and the workload as they ran.
std::string configuration_section(const PageInput& page);

}  // namespace smsim::html

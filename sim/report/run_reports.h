// Reports of a run: pure functions of its result. No clock and no thread count is in any of them.
#pragma once

#include "config/arch_config.h"
#include "engine/run_result.h"
#include "workload/workload_loader.h"

#include <string>

namespace smsim {

struct BestSchedule;

struct RunContext {
  const ArchConfig& arch;
  const Workload& workload;
  const RunResult& result;
  const BestSchedule* best = nullptr;  ///< where the result is that of a search
};

/// Sections and labels of Nsight Compute (Launch, Occupancy, Scheduler, Warp State), then what binds and what
/// to try.
std::string text_report(const RunContext& context);
/// One object; keys in docs/results.md.
std::string json_report(const RunContext& context);
/// A header line and one row: the numbers of the JSON result, flattened.
std::string csv_report(const RunContext& context);

}  // namespace smsim

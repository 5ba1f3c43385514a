#include "base/version.h"
#include "engine/tail_analysis.h"
#include "report/advice.h"
#include "report/explain_report.h"
#include "report/occupancy_json.h"

namespace smsim {
namespace {

using namespace explained;
using Json = nlohmann::ordered_json;

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }
Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json tried_json(const Explanation& found, const TriedRun& tried)
{
  const auto if_run = [&](auto value) { return tried.ran() ? Json(value) : Json(nullptr); };
  return {{"what", tried.what},
          {"settings", tried.settings},
          {"blocks_per_sm", if_run(tried.occupancy.blocks_per_sm)},
          {"warps_per_sm", if_run(tried.occupancy.warps_per_sm)},
          {"grid", if_run(tried.grid)},
          {"cycles", if_run(tried.cycles)},
          {"cycles_per_1000_threads", if_run(tried.cycles_per_1000_threads())},
          {"gain", if_run(tried.ran() ? found.gain(tried) : 0)},
          {"why_not_run", or_null(tried.why_not)}};
}

Json occupancy_json(const ExplainContext& context)
{
  const Occupancy& o = context.found.result.occupancy;
  return {{"theoretical", o.ratio()},
          {"achieved", context.found.result.achieved_occupancy()},
          {"blocks_per_sm", o.blocks_per_sm},
          {"warps_per_block", o.warps_per_block},
          {"warps_per_sm", o.warps_per_sm},
          {"max_warps_per_sm", o.max_warps_per_sm},
          {"limits", limits_json(o)},
          {"limiters", limiters_json(o)},
          {"arithmetic", limit_arithmetic(context)},
          {"nearest_gain", or_null(nearest_gain(context))}};
}

Json estimate_json(const ExplainContext& context)
{
  const WarpEstimate& estimate = context.found.estimate;
  Json units = Json::array();
  for (const WarpEstimate::Unit& unit : estimate.units)
    units.push_back(
        {{"unit", unit.name}, {"cycles", unit.cycles}, {"warps_needed", estimate.cycles / unit.cycles}});
  return {{"instructions_per_warp", estimate.instructions},
          {"cycles_of_a_warp_alone", estimate.cycles},
          {"instructions_in_a_row", estimate.run_length()},
          {"wait_cycles", estimate.wait_length()},
          {"units", units},
          {"warps_needed_per_scheduler", estimate.warps_needed()},
          {"warps_per_scheduler", static_cast<double>(context.found.result.occupancy.warps_per_sm) /
                                      context.arch.sm.sub_partitions}};
}

Json measured_json(const ExplainContext& context)
{
  const RunResult& result = context.found.result;
  const RunContext run{context.arch, context.found.workload, result};
  const WarpState stall = top_stall(result);
  return {{"cycles", result.cycles},
          {"instructions", result.instructions()},
          {"issue_utilisation", issue_utilisation(result)},
          {"dram_utilisation", or_null(dram_utilisation(run))},
          {"l2_utilisation", or_null(l2_utilisation(run))},
          {"top_stall", info(stall).key},
          {"top_stall_share", share_of_warp_time(result, stall)}};
}

Json tail_json(const ExplainContext& context)
{
  const RunResult& result = context.found.result;
  const OccupancyLoss loss = occupancy_loss(result);
  const double full = static_cast<double>(result.occupancy.warps_per_sm * result.sms.size());
  const auto cycles = [&](std::int64_t warp_cycles) { return static_cast<double>(warp_cycles) / full; };
  const double cost = tail_cost(result);
  return {{"cycles", result.tail_cycles()},
          {"cost_cycles", cost},
          {"cost_share", result.cycles == 0 ? 0 : cost / static_cast<double>(result.cycles)},
          {"partial_wave_cycles", cycles(loss.partial_wave)},
          {"uneven_blocks_cycles", cycles(loss.uneven_blocks)},
          {"launch_order_cycles", cycles(loss.launch_order)},
          {"nsight_tail_effect", or_null(nsight_tail_effect(result))},
          {"answer", does_the_grid_matter(context)}};
}

}  // namespace

std::string explain_json(const ExplainContext& context)
{
  const Explanation& found = context.found;
  const RunResult& result = found.result;
  Json out;
  out["schema_version"] = 1;
  out["smsim_version"] = version;
  out["workload"] = found.workload.name;
  out["architecture"] = context.arch.name;
  out["compute_capability"] = context.arch.compute_capability;
  out["policy"] = result.policy;
  out["seed"] = result.seed;
  out["sms"] = result.sms.size();
  out["sms_of_architecture"] = context.arch.sms;
  out["launch"] = {{"grid", result.grid},
                   {"whole_grid", found.whole_grid},
                   {"shortened", found.is_shortened()},
                   {"expected_instructions", found.instructions_expected},
                   {"expected_million_instructions", found.instructions_expected / 1e6},
                   {"block", found.workload.kernel.threads_per_block()},
                   {"waves", result.waves()},
                   {"blocks_of_a_wave", result.block_places()}};
  out["occupancy"] = occupancy_json(context);
  out["estimate"] = estimate_json(context);
  out["run"] = measured_json(context);
  out["occupancy_matters"] = {{"half", found.half ? tried_json(found, *found.half) : Json(nullptr)},
                              {"base", tried_json(found, found.base)},
                              {"twice", tried_json(found, found.twice)},
                              {"answer", does_occupancy_matter(context)}};
  out["tail"] = tail_json(context);
  Json& changes = out["changes"] = Json::array();
  for (const TriedRun& change : found.changes)
    changes.push_back(tried_json(found, change));
  out["not_tried"] = found.left_out;
  out["best"] = found.best() ? tried_json(found, *found.best()) : Json(nullptr);
  out["answer"] = what_helps_most(context);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace smsim

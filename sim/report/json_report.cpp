#include "base/version.h"
#include "config/arch_loader.h"
#include "engine/best_schedule.h"
#include "engine/tail_analysis.h"
#include "report/advice.h"
#include "report/occupancy_json.h"
#include "report/result_file.h"
#include "report/run_json.h"
#include "report/run_reports.h"
#include "report/yaml_to_json.h"
#include "workload/trace_loader.h"

#include <algorithm>

namespace smsim {

using Json = nlohmann::ordered_json;

namespace {

Json states_json(const StateCycles& states)
{
  Json table = Json::object();
  for (const WarpStateInfo& state : warp_state_table)
    table[std::string(state.key)] = states[index_of(state.state)];
  return table;
}

/// In warp-cycles, but for what says otherwise.
Json tail_json(const RunContext& context)
{
  const RunResult& result = context.result;
  const OccupancyLoss loss = occupancy_loss(result);
  Json tail;
  tail["start"] = result.tail_start;
  tail["cycles"] = result.tail_cycles();
  tail["share_of_runtime"] =
      result.cycles == 0 ? 0.0
                         : static_cast<double>(result.tail_cycles()) / static_cast<double>(result.cycles);
  tail["empty_slot_cycles"] = result.tail_empty_slot_cycles();
  tail["loss"] = {{"total", loss.total},
                  {"exited_warps", loss.exited_warps},
                  {"before_tail", loss.before_tail},
                  {"partial_wave", loss.partial_wave},
                  {"uneven_blocks", loss.uneven_blocks},
                  {"launch_order", loss.launch_order}};
  const auto effect = nsight_tail_effect(result);
  tail["nsight_tail_effect"] = effect ? Json(*effect) : Json();
  const WithoutTail near = without_tail(context.arch, context.workload.kernel, result);
  tail["grid_below"] = near.grid_below ? Json(*near.grid_below) : Json();
  tail["grid_above"] = near.grid_above;
  tail["block_size"] = near.block ? Json(near.block->threads) : Json();
  return tail;
}

Json per_sm_json(const RunResult& result)
{
  Json rows = Json::array();
  const auto max_warps = static_cast<double>(result.occupancy.max_warps_per_sm);
  const auto share = [&](std::uint64_t warp_cycles, std::uint64_t cycles) {
    return cycles == 0 ? 0.0 : static_cast<double>(warp_cycles) / (static_cast<double>(cycles) * max_warps);
  };
  for (std::size_t i = 0; i < result.sms.size(); ++i) {
    const SmResult& sm = result.sms[i];
    rows.push_back({{"sm", i},
                    {"blocks", sm.blocks},
                    {"most_resident_blocks", sm.most_resident_blocks},
                    {"active_cycles", sm.active_cycles},
                    {"active_warp_cycles", sm.active_warp_cycles},
                    {"allocated_warp_cycles", sm.allocated_warp_cycles},
                    {"achieved", share(sm.active_warp_cycles, sm.active_cycles)},
                    {"achieved_elapsed", share(sm.active_warp_cycles, result.cycles)}});
  }
  return rows;
}

/// The traced kernel, and what of it no row of the SASS table knows.
Json trace_json(const TraceFacts& facts)
{
  Json unknown = Json::object();
  for (const auto& [mnemonic, executed] : facts.unknown)
    unknown[mnemonic] = executed;
  const auto share = static_cast<double>(facts.unknown_instructions()) /
                     static_cast<double>(std::max<std::uint64_t>(facts.instructions, 1));
  return {{"tracer_version", facts.header.tracer_version},
          {"binary_version", facts.header.binary_version},
          {"instructions", facts.instructions},
          {"unknown_instructions", facts.unknown_instructions()},
          {"unknown_share", share},
          {"unknown", unknown}};
}

}  // namespace

Json run_json(const RunContext& context)
{
  const RunResult& result = context.result;
  Json out;
  out["schema_version"] = result_schema_version;
  out["smsim_version"] = version;
  out["workload"] = context.workload.name;
  out["architecture"] = context.arch.name;
  out["policy"] = result.policy;
  Json& parameters = out["policy_parameters"] = Json::object();
  for (const auto& [key, value] : result.policy_parameters)
    parameters[key] = value;
  out["seed"] = result.seed;
  out["sms"] = result.sms.size();
  out["stopped_early"] = result.stopped_early;
  out["cycles"] = result.cycles;
  out["instructions"] = result.instructions();
  out["ipc"] = result.ipc();
  out["thread_instructions"] = result.thread_instructions();
  out["average_active_threads_per_warp"] = result.average_active_lanes();

  if (const BestSchedule* best = context.best)
    out["best_of"] = {{"lower_bound", best->lower_bound},
                      {"exact", best->exact()},
                      {"best_policy", best->best_policy},
                      {"best_policy_cycles", best->policy_cycles},
                      {"states", best->states}};
  const Occupancy& occupancy = result.occupancy;
  out["occupancy"] = {{"theoretical", occupancy.ratio()},
                      {"achieved", result.achieved_occupancy()},
                      {"achieved_elapsed", result.achieved_occupancy_elapsed()},
                      {"blocks_per_sm", occupancy.blocks_per_sm},
                      {"warps_per_sm", occupancy.warps_per_sm},
                      {"max_warps_per_sm", occupancy.max_warps_per_sm},
                      {"limits", limits_json(occupancy)},
                      {"limiters", limiters_json(occupancy)}};
  out["launch"] = {{"grid", result.grid}, {"waves", result.waves()}, {"full_waves", result.full_waves()}};
  if (result.cluster > 1) {
    out["launch"]["cluster"] = result.cluster;
    out["launch"]["max_active_clusters"] = result.max_active_clusters;
  }
  out["tail"] = tail_json(context);
  const MemoryCounts counts = result.memory();
  if (const auto& spills = context.workload.spills)
    out["launch"]["registers"] = {{"needed", spills->need},
                                  {"cap", spills->cap},
                                  {"spilled_values", spills->values.size()},
                                  {"local_bytes_per_thread", spills->local_bytes_per_thread()},
                                  {"spill_loads", counts.spill_loads},
                                  {"spill_stores", counts.spill_stores}};
  if (context.workload.traced) out["trace"] = trace_json(*context.workload.traced);
  out["active_cycles"] = result.active_cycles();
  out["active_warp_cycles"] = result.active_warp_cycles();
  out["allocated_warp_cycles"] = result.allocated_warp_cycles();
  out["sm_imbalance"] = sm_imbalance(result);

  out["warp_states"] = states_json(result.states());

  Json& memory = out["memory"] = Json::object();
  for (std::size_t i = 0; i < level_count; ++i)
    memory[std::string(level_keys[i])] = {{"accesses", counts.accesses[i]}, {"bytes", counts.bytes[i]}};

  Json& pipes = out["pipes"] = Json::object();
  for (std::size_t i = 0; i < context.arch.pipes.size(); ++i)
    pipes[context.arch.pipes[i].name] = {{"cycles", result.pipe_cycles(i)},
                                         {"utilization", pipe_utilisation(context, i)}};

  out["per_sm"] = per_sm_json(result);
  Json& parts = out["sub_partitions"] = Json::array();
  for (std::size_t sm = 0; sm < result.sms.size(); ++sm) {
    const auto& rows = result.sms[sm].sub_partitions;
    for (std::size_t i = 0; i < rows.size(); ++i)
      parts.push_back({{"sm", sm},
                       {"sub_partition", i},
                       {"issued", rows[i].issued()},
                       {"thread_instructions", rows[i].thread_instructions},
                       {"active_warp_cycles", rows[i].active_warp_cycles()},
                       {"eligible_warp_cycles", rows[i].eligible_warp_cycles()},
                       {"no_eligible_cycles", rows[i].no_eligible_cycles},
                       {"warp_states", states_json(rows[i].states)}});
  }
  out["config"] = {{"architecture", to_json(arch_document(context.arch))},
                   {"workload", to_json(context.workload.document)}};
  return out;
}

std::string json_report(const RunContext& context)
{
  // What a user wrote may hold bytes that are no UTF-8; they are replaced.
  return run_json(context).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace smsim

#include "report/register_report.h"

#include "base/version.h"
#include "report/advice.h"
#include "report/csv_text.h"
#include "report/table_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

/// The fastest; of equals the one with the most registers, which spills least. The first step, with all that
/// the kernel needs, or one behind it has run.
const RegisterStep& best_of(const RegisterLadder& ladder)
{
  const auto is_better = [](const RegisterStep& a, const RegisterStep& b) {
    if (!a.result || !b.result) return a.result.has_value();
    if (a.result->cycles != b.result->cycles) return a.result->cycles < b.result->cycles;
    return a.registers > b.registers;
  };
  return *std::min_element(ladder.steps.begin(), ladder.steps.end(), is_better);
}

double per_warp(const RegisterStep& step, std::uint64_t count)
{
  return static_cast<double>(count) / static_cast<double>(step.result->grid * step.occupancy.warps_per_block);
}
double loads_per_warp(const RegisterStep& step) { return per_warp(step, step.result->memory().spill_loads); }
double stores_per_warp(const RegisterStep& step)
{
  return per_warp(step, step.result->memory().spill_stores);
}

/// Against the run without a cap; 0 where that one cannot launch.
double speed(const RegisterLadder& ladder, const RegisterStep& step)
{
  const RegisterStep& uncapped = ladder.steps.front();
  if (!uncapped.result || step.result->cycles == 0) return 0;
  return static_cast<double>(uncapped.result->cycles) / static_cast<double>(step.result->cycles);
}

std::string warps_text(std::uint64_t warps)
{
  return std::to_string(warps) + (warps == 1 ? " warp" : " warps");
}

std::string spills_text(const RegisterStep& step)
{
  return fixed(loads_per_warp(step), 1) + " spill loads and " + fixed(stores_per_warp(step), 1) +
         " spill stores of a warp";
}

/// The most warps that any step holds; of equals the fastest.
const RegisterStep& fullest_of(const RegisterLadder& ladder)
{
  const RegisterStep* fullest = &best_of(ladder);
  for (const RegisterStep& step : ladder.steps)
    if (step.result && (step.occupancy.warps_per_sm > fullest->occupancy.warps_per_sm ||
                        (step.occupancy.warps_per_sm == fullest->occupancy.warps_per_sm &&
                         step.result->cycles < fullest->result->cycles)))
      fullest = &step;
  return *fullest;
}

std::string why_no_cap(const RegisterLadder& ladder, const RegisterStep& uncapped)
{
  const RegisterStep& fullest = fullest_of(ladder);
  const std::string start =
      "No cap is faster than all " + std::to_string(uncapped.registers) + " registers: ";
  if (fullest.occupancy.warps_per_sm == uncapped.occupancy.warps_per_sm)
    return start + "none makes room for more than the " + warps_text(uncapped.occupancy.warps_per_sm) +
           " that fit already, limited by " + limiters_text(uncapped.occupancy.limiters) + ".";
  const std::string more = "with " + std::to_string(fullest.registers) + ", " +
                           warps_text(fullest.occupancy.warps_per_sm) + " fit instead of " +
                           std::to_string(uncapped.occupancy.warps_per_sm);
  if (fullest.spills.values.empty()) return start + more + ", but there is no latency left for them to hide.";
  return start + more + ", but the " + spills_text(fullest) + " cost more than these warps bring.";
}

std::string why_this_cap(const RegisterLadder& ladder, const RegisterStep& best)
{
  const RegisterStep& uncapped = ladder.steps.front();
  std::string text = "A cap of " + std::to_string(best.registers) + " is best";
  if (!uncapped.result)
    return text + ": without one no block can launch (" + uncapped.occupancy.not_launchable + ").";
  text += ", " + fixed(speed(ladder, best), 2) + " times as fast as without one: ";
  if (best.occupancy.warps_per_sm <= uncapped.occupancy.warps_per_sm)
    return text + "no more warps fit, but the registers that remain lie better in their banks or the warps "
                  "meet memory in a better order.";
  text += warps_text(best.occupancy.warps_per_sm) + " instead of " +
          std::to_string(uncapped.occupancy.warps_per_sm) + " hide more of the latency";
  text +=
      best.spills.values.empty() ? ", and nothing is spilled." : " than the " + spills_text(best) + " cost.";
  const RegisterStep& fullest = fullest_of(ladder);
  if (fullest.occupancy.warps_per_sm > best.occupancy.warps_per_sm &&
      fullest.spills.values.size() > best.spills.values.size())
    text += " With fewer registers the spills cost more than further warps bring.";
  return text;
}

std::string why(const RegisterLadder& ladder)
{
  const RegisterStep& best = best_of(ladder);
  const RegisterStep& uncapped = ladder.steps.front();
  return &best == &uncapped ? why_no_cap(ladder, uncapped) : why_this_cap(ladder, best);
}

const RunResult& any_result(const RegisterLadder& ladder) { return *best_of(ladder).result; }

Json row_json(const RegisterLadder& ladder, const RegisterStep& step)
{
  const auto if_run = [&](auto value) { return step.result ? Json(value(*step.result)) : Json(nullptr); };
  const bool has_speed = step.result && ladder.steps.front().result;
  return {{"registers", step.registers},
          {"spilled_values", step.spills.values.size()},
          {"spill_loads_per_warp", if_run([&](const RunResult&) { return loads_per_warp(step); })},
          {"spill_stores_per_warp", if_run([&](const RunResult&) { return stores_per_warp(step); })},
          {"local_bytes_per_thread", step.spills.local_bytes_per_thread()},
          {"warps_per_sm", step.occupancy.warps_per_sm},
          {"theoretical_occupancy", step.occupancy.ratio()},
          {"achieved_occupancy", if_run([](const RunResult& r) { return r.achieved_occupancy(); })},
          {"cycles", if_run([](const RunResult& r) { return r.cycles; })},
          {"speed", has_speed ? Json(speed(ladder, step)) : Json(nullptr)},
          {"best", &step == &best_of(ladder)}};
}

}  // namespace

std::string register_text(const RegisterLadder& ladder)
{
  const RunResult& result = any_result(ladder);
  std::string out = ladder.workload.name + " on " + ladder.arch.name + " (compute capability " +
                    ladder.arch.compute_capability + "), " + std::to_string(result.sms.size()) + " of " +
                    std::to_string(ladder.arch.sms) + " SMs, policy " + result.policy + ", seed " +
                    std::to_string(result.seed) + ", smsim " + version + "\n\nThe program needs " +
                    std::to_string(ladder.steps.front().registers) +
                    " registers per thread; with fewer, values are spilled to local memory.\n\n";
  std::vector<std::vector<std::string>> rows{{"Registers", "Spilled", "Loads/warp", "Stores/warp",
                                              "Local B/thread", "Warps/SM", "Theoretical %", "Achieved %",
                                              "Cycles", "Speed", ""}};
  for (const RegisterStep& step : ladder.steps) {
    const bool ran = step.result.has_value();
    const bool has_speed = ran && ladder.steps.front().result;
    rows.push_back(
        {std::to_string(step.registers), std::to_string(step.spills.values.size()),
         ran ? fixed(loads_per_warp(step), 1) : "-", ran ? fixed(stores_per_warp(step), 1) : "-",
         std::to_string(step.spills.local_bytes_per_thread()), std::to_string(step.occupancy.warps_per_sm),
         percent(step.occupancy.ratio()), ran ? percent(step.result->achieved_occupancy()) : "-",
         ran ? std::to_string(step.result->cycles) : "-", has_speed ? fixed(speed(ladder, step), 3) : "-",
         &step == &best_of(ladder) ? "<- best"
         : ran                     ? ""
                                   : "cannot launch"});
  }
  return out + columns(rows, 0, 1) + "\n" + why(ladder) + "\n";
}

std::string register_json(const RegisterLadder& ladder)
{
  const RunResult& result = any_result(ladder);
  Json out;
  out["schema_version"] = 1;
  out["smsim_version"] = version;
  out["workload"] = ladder.workload.name;
  out["architecture"] = ladder.arch.name;
  out["policy"] = result.policy;
  out["seed"] = result.seed;
  out["sms"] = result.sms.size();
  out["registers_needed"] = ladder.steps.front().registers;
  Json& rows = out["rows"] = Json::array();
  for (const RegisterStep& step : ladder.steps)
    rows.push_back(row_json(ladder, step));
  out["best"] = best_of(ladder).registers;
  out["why"] = why(ladder);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string register_csv(const RegisterLadder& ladder)
{
  std::string out;
  for (const RegisterStep& step : ladder.steps) {
    std::vector<std::string> names;
    std::vector<std::string> values;
    const Json row = row_json(ladder, step);
    for (const auto& [key, value] : row.items()) {
      names.push_back(key);
      values.push_back(value.is_null() ? "" : value.dump());
    }
    if (out.empty()) out = csv_line(names);
    out += csv_line(values);
  }
  return out;
}

}  // namespace smsim

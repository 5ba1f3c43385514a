#include "report/compare_report.h"

#include "base/version.h"
#include "report/csv_text.h"
#include "report/table_text.h"

#include <nlohmann/json.hpp>

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

const std::string& arch_name(const ComparisonContext& c, std::size_t i) { return c.plan.archs[i].name; }
const std::string& workload_name(const ComparisonContext& c, std::size_t i)
{
  return c.plan.workloads[i].name;
}

std::string counted(std::size_t count, const std::string& one, const std::string& many)
{
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// Half the interval's width, "exact", or "-" where one seed says nothing about others.
std::string interval_text(const Estimate& found, int places)
{
  if (found.exact) return "exact";
  return found.half_width ? fixed(*found.half_width, places) : "-";
}

std::string significance_text(const ComparisonContext& c, const ComparisonRow& row, const SpeedUp& speed_up)
{
  if (row.policy == c.plan.baseline) return "baseline";
  const auto differs = speed_up.difference.differs_from_zero();
  if (!differs) return "one seed";
  if (!*differs) return "no";
  return speed_up.difference.exact ? "exact" : "yes";  // exact: no seed changes it
}

Cells text_row(const ComparisonContext& c, std::size_t index)
{
  const ComparisonRow& row = c.found.rows[index];
  Cells cells{arch_name(c, row.arch), workload_name(c, row.workload), c.plan.policies[row.policy]};
  for (std::size_t i = 0; i < compared_figures.size(); ++i) {
    const ComparedFigure& figure = compared_figures[i];
    const auto found = row.figure(i);
    cells.push_back(found ? fixed(found->mean / figure.unit, figure.places) : "-");
    if (i == cycles_figure) cells.push_back(found ? interval_text(*found, figure.places) : "-");
  }
  const auto& speed_up = c.found.speed_ups[index];
  cells.push_back(speed_up ? fixed(speed_up->ratio, 4) : "-");
  cells.push_back(speed_up ? significance_text(c, row, *speed_up) : "-");
  const auto stall = row.top_stall();
  if (!row.failure.empty())
    cells.push_back(row.failure.substr(0, row.failure.find('\n')));
  else if (!stall)
    cells.emplace_back("none");
  else
    cells.push_back(std::string(info(*stall).key) + " " + fixed(row.share_of(*stall) * 100, 1) + " %");
  return cells;
}

Json estimate_json(const Estimate& found)
{
  return {{"mean", found.mean},
          {"half_width", found.half_width ? Json(*found.half_width) : Json(nullptr)},
          {"exact", found.exact}};
}

Json speed_up_json(const std::optional<SpeedUp>& speed_up)
{
  if (!speed_up) return nullptr;
  const auto differs = speed_up->difference.differs_from_zero();
  return {{"ratio", speed_up->ratio},
          {"difference", estimate_json(speed_up->difference)},
          {"significant", differs ? Json(*differs) : Json(nullptr)}};
}

Json row_json(const ComparisonContext& c, std::size_t index)
{
  const ComparisonRow& row = c.found.rows[index];
  Json out;
  out["architecture"] = arch_name(c, row.arch);
  out["workload"] = workload_name(c, row.workload);
  out["policy"] = c.plan.policies[row.policy];
  out["sms"] = row.sms;
  out["failure"] = row.failure.empty() ? Json(nullptr) : Json(row.failure);
  for (std::size_t i = 0; i < compared_figures.size(); ++i) {
    const auto found = row.figure(i);
    out[compared_figures[i].key] = found ? estimate_json(*found) : Json(nullptr);
  }
  const auto stall = row.failure.empty() ? row.top_stall() : std::nullopt;
  out["top_stall"] =
      stall ? Json{{"state", info(*stall).key}, {"share", row.share_of(*stall)}} : Json(nullptr);
  out["speed_up"] = speed_up_json(c.found.speed_ups[index]);
  if (row.proved) out["best_of"] = {{"lower_bound", row.proved->lower_bound}, {"exact", row.proved->exact}};
  return out;
}

}  // namespace

std::string compare_text(const ComparisonContext& c)
{
  const std::string& baseline = c.plan.policies[c.plan.baseline];
  std::string out = counted(c.plan.policies.size(), "policy", "policies") + ", " +
                    counted(c.plan.workloads.size(), "workload", "workloads") + ", " +
                    counted(c.plan.archs.size(), "architecture", "architectures") + ", " +
                    (c.plan.seeds == 1 ? "seed 1" : "seeds 1 to " + std::to_string(c.plan.seeds)) +
                    ", baseline " + baseline + ", smsim " + version + "\n\n";
  Cells header{"Architecture", "Workload", "Policy"};
  for (std::size_t i = 0; i < compared_figures.size(); ++i) {
    header.emplace_back(compared_figures[i].label);
    if (i == cycles_figure) header.emplace_back("+-95 %");
  }
  header.insert(header.end(), {"Speed-up", "Significant", "Top stall"});
  std::vector<Cells> rows{header};
  for (std::size_t i = 0; i < c.found.rows.size(); ++i)
    rows.push_back(text_row(c, i));
  out += columns(rows, 3, 1);

  for (const ComparisonRow& row : c.found.rows)
    if (row.proved)
      out += "\n" + arch_name(c, row.arch) + ", " + workload_name(c, row.workload) + ": " +
             row.proved->sentence + ".\n";

  std::vector<Cells> means{{"Architecture", "Policy", "Speed-up", "Workloads"}};
  for (const MeanSpeedUp& mean : c.found.means)
    means.push_back({arch_name(c, mean.arch), c.plan.policies[mean.policy],
                     mean.ratio ? fixed(*mean.ratio, 4) : "-",
                     std::to_string(mean.workloads) + " of " + std::to_string(c.plan.workloads.size())});
  out += "\nGeometric means of the speed-ups over " + baseline + "\n" + columns(means, 2, 0);
  out += "\nFigures are means over the seeds. +-95 %: half of the 95 % confidence interval of the cycles\n"
         "(Student's t); exact: every seed gives the same number. Significant: a paired t test over the\n"
         "seeds at 5 %. Turnaround: cycles of a block from launch to end, on average, and their deviation.\n"
         "Fair: Jain's index of the blocks' turnaround, of the sub-partitions' instructions; 1: all alike.\n";
  return out;
}

std::string compare_json(const ComparisonContext& c)
{
  Json out;
  out["schema_version"] = 1;
  out["smsim_version"] = version;
  out["baseline"] = c.plan.policies[c.plan.baseline];
  out["seeds"] = c.plan.seeds;
  Json& rows = out["rows"] = Json::array();
  for (std::size_t i = 0; i < c.found.rows.size(); ++i)
    rows.push_back(row_json(c, i));
  Json& means = out["geometric_means"] = Json::array();
  for (const MeanSpeedUp& mean : c.found.means)
    means.push_back({{"architecture", arch_name(c, mean.arch)},
                     {"policy", c.plan.policies[mean.policy]},
                     {"workloads", mean.workloads},
                     {"speed_up", mean.ratio ? Json(*mean.ratio) : Json(nullptr)}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string compare_csv(const ComparisonContext& c)
{
  Cells names{"architecture", "workload", "policy", "sms", "seeds", "failure"};
  for (const ComparedFigure& figure : compared_figures)
    for (const char* part : {"", ".half_width", ".exact"})
      names.push_back(std::string(figure.key) + part);
  names.insert(names.end(), {"top_stall.state", "top_stall.share", "baseline", "speed_up", "difference",
                             "difference.half_width", "difference.exact", "significant"});
  std::string out = csv_line(names);
  for (std::size_t i = 0; i < c.found.rows.size(); ++i) {
    const Json row = row_json(c, i);
    Cells cells;
    const auto text = [&](const Json& value) {
      cells.push_back(value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump());
    };
    const auto parts = [&](const Json& parent, std::initializer_list<const char*> keys) {
      for (const char* key : keys)
        text(parent.is_null() ? Json() : parent[key]);
    };
    parts(row, {"architecture", "workload", "policy", "sms"});
    text(c.plan.seeds);
    text(row["failure"]);
    for (const ComparedFigure& figure : compared_figures)
      parts(row[figure.key], {"mean", "half_width", "exact"});
    parts(row["top_stall"], {"state", "share"});
    text(c.plan.policies[c.plan.baseline]);
    const Json& speed_up = row["speed_up"];
    parts(speed_up, {"ratio"});
    parts(speed_up.is_null() ? Json() : speed_up["difference"], {"mean", "half_width", "exact"});
    parts(speed_up, {"significant"});
    out += csv_line(cells);
  }
  return out;
}

}  // namespace smsim

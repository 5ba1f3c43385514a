// smsim list archs|workloads|policies
#include "cli.h"
#include "config/arch_loader.h"
#include "report/table_text.h"
#include "sm/warp_scheduler/registry.h"
#include "workload/workload_loader.h"

namespace smsim::cli {
namespace {

std::string table(const std::vector<std::vector<std::string>>& rows)
{
  return columns(rows, rows[0].size(), 0);
}

std::string list_archs()
{
  std::vector<std::pair<std::pair<int, int>, std::vector<std::string>>> rows;
  for (const PresetInfo& preset : list_arch_presets()) {
    Diagnostics diagnostics;
    const ArchConfig arch = load_arch(preset.name, {}, diagnostics);
    throw_if_errors(diagnostics);
    const std::size_t point = arch.compute_capability.find('.');
    const int major = std::stoi(arch.compute_capability.substr(0, point));
    const int minor = std::stoi(arch.compute_capability.substr(point + 1));
    rows.push_back(
        {{major, minor},
         {preset.name, arch.compute_capability, std::to_string(arch.sms), std::to_string(arch.sm.max_warps),
          std::to_string(arch.max_shared_memory() / 1024) + " KiB", arch.name}});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::vector<std::string>> cells{{"NAME", "CC", "SMS", "WARPS/SM", "SHARED/SM", "PRODUCT"}};
  for (auto& row : rows)
    cells.push_back(std::move(row.second));
  return table(cells);
}

std::string list_all_workloads()
{
  std::vector<std::vector<std::string>> cells{{"NAME", "WHAT IT SHOWS"}};
  for (const WorkloadInfo& workload : list_workloads())
    cells.push_back({workload.name, workload.description});
  return table(cells);
}

std::string list_policies()
{
  std::vector<std::vector<std::string>> cells{{"NAME", "PARAMETERS", "RULE"}};
  for (const PolicyInfo& policy : policy_registry()) {
    std::string parameters;
    for (const PolicyParameter& parameter : policy_parameters)
      if (parameter.policy == policy.name)
        parameters += (parameters.empty() ? "" : ", ") + std::string(parameter.key) + " " +
                      std::to_string(parameter.default_value) + " (" + std::to_string(parameter.least) +
                      " to " + std::to_string(parameter.most) + ")";
    cells.push_back({std::string(policy.name), parameters, std::string(policy.summary)});
  }
  Diagnostics diagnostics;
  const PolicyInfo& search = *find_policy("best_of", {}, diagnostics);
  cells.push_back({std::string(search.name), "", std::string(search.summary)});
  return table(cells);
}

}  // namespace

int run_list(const std::vector<std::string>& arguments)
{
  OptionParser parser("list", "list archs|workloads|policies", "Lists what comes with smsim.",
                      "  smsim list archs\n  smsim list workloads\n");
  parser.options.add_options()("what", po::value<std::string>()->value_name("archs|workloads|policies"),
                               "archs, workloads or policies");
  parser.positional("what", 1);
  if (!parser.parse(arguments)) return 0;
  if (!parser.has("what")) parser.fail("say what to list: archs, workloads or policies");
  const std::string what = parser.word("what", {"archs", "workloads", "policies"});
  write_output({}, what == "archs"       ? list_archs()
                   : what == "workloads" ? list_all_workloads()
                                         : list_policies());
  return 0;
}

}  // namespace smsim::cli

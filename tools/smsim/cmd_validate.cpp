// smsim validate FILE...
#include "cli.h"
#include "config/arch_loader.h"
#include "config/schema.h"
#include "config/yaml_reader.h"
#include "occupancy/calculator.h"
#include "sm/bound_program.h"
#include "sm/register_cap.h"
#include "sm/warp_scheduler/registry.h"
#include "sweep/points.h"
#include "sweep/sweep_loader.h"
#include "workload/workload_loader.h"

#include <optional>

namespace smsim::cli {
namespace {

/// What only an architecture can say of a workload: its opcodes and barriers, whether its register cap can be
/// kept, and whether a block can launch at all.
void check_on(const ArchConfig& arch, const Workload& as_read, const Mark& launch, Diagnostics& diagnostics)
{
  constexpr std::uint64_t any_seed = 1;
  const Workload workload = with_register_cap(arch, as_read, diagnostics);
  bind_program(workload.program, arch, workload.kernel, any_seed, diagnostics);
  const Occupancy occupancy = calculate_occupancy(arch, workload.kernel);
  if (!occupancy.launchable())
    diagnostics.error(launch, "launch",
                      "no block can launch on " + arch.name + ": " + occupancy.not_launchable);
}

/// A sweep has axes, a workload at least one of its keys; anything else is taken for an architecture.
void validate(const std::string& file, const ArchConfig* arch, Diagnostics& diagnostics)
{
  auto root = read_yaml_file(file, diagnostics);
  if (!root) return;
  if (root->kind != YamlNode::Kind::map) {
    diagnostics.error(root->mark, "",
                      root->describe() + " is no architecture and no workload; a map of keys is expected");
    return;
  }
  if (root->find("axes")) {
    const std::size_t errors_before = diagnostics.count();
    const Sweep sweep = load_sweep_document(*root, file, diagnostics);
    if (diagnostics.count() == errors_before &&
        count_places(sweep).value_or(~std::uint64_t{0}) <= points_without_asking)
      check_sweep_values(sweep, diagnostics);
    return;
  }
  for (const char* key : {"launch", "program", "level", "description"}) {
    if (!root->find(key)) continue;
    const std::size_t errors_before = diagnostics.count();
    const Mark launch = root->find("launch") ? root->find("launch")->mark : root->mark;
    const Workload workload = load_workload_document(std::move(*root), {}, diagnostics);
    if (arch && diagnostics.count() == errors_before) check_on(*arch, workload, launch, diagnostics);
    return;
  }
  const std::size_t errors_before = diagnostics.count();
  const YamlNode* scheduler = root->find("scheduler");
  const YamlNode* policy = scheduler ? scheduler->find("policy") : nullptr;
  const Mark mark = policy ? policy->mark : root->mark;
  const ArchConfig checked = load_arch_document(std::move(*root), file, {}, diagnostics);
  if (diagnostics.count() == errors_before) find_policy(checked.scheduler.policy, mark, diagnostics);
}

}  // namespace

int run_validate(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "validate", "validate FILE...",
      "Checks architecture, workload and sweep files (- is standard input) and reports every error in them, "
      "with "
      "its place.\n"
      "An editor completes and checks an architecture file whose first line names the schema:\n"
      "  # yaml-language-server: $schema=arch.schema.json",
      "  smsim validate my_sm.yaml\n  smsim validate my_kernel.yaml --arch a100\n  smsim validate --schema > "
      "arch.schema.json\n");
  parser.options.add_options()("file", po::value<std::vector<std::string>>(), "files to check")(
      "arch", po::value<std::string>(),
      "check workloads against this architecture too: opcodes, barriers, whether a block can launch")(
      "schema", "print the JSON Schema of architecture files, for editors");
  parser.positional("file", -1);
  if (!parser.parse(arguments)) return 0;
  if (parser.has("schema")) {
    write_output({}, arch_schema());
    return 0;
  }
  const std::vector<std::string> files = parser.list("file");
  if (files.empty()) parser.fail("name at least one file");
  Diagnostics diagnostics;
  std::optional<ArchConfig> arch;
  if (parser.has("arch")) {
    arch = load_arch(parser.text("arch"), {}, diagnostics);
    throw_if_errors(diagnostics);
  }
  std::string good;
  for (const std::string& file : files) {
    const std::size_t errors_before = diagnostics.count();
    validate(file, arch ? &*arch : nullptr, diagnostics);
    if (diagnostics.count() == errors_before) good += file + ": ok\n";
  }
  write_output({}, good);
  throw_if_errors(diagnostics);
  return 0;
}

}  // namespace smsim::cli

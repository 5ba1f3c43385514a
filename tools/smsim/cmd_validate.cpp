// smsim validate FILE...
#include "cli.h"
#include "config/arch_loader.h"
#include "config/schema.h"
#include "config/yaml_reader.h"
#include "sm/warp_scheduler/registry.h"
#include "workload/workload_loader.h"

#include <iostream>

namespace smsim::cli {
namespace {

/// A workload has a launch; anything else is taken for an architecture.
void validate(const std::string& file, Diagnostics& diagnostics)
{
  const auto root = read_yaml_file(file, diagnostics);
  if (!root) return;
  if (root->find("launch") || root->find("program")) {
    load_workload(file, {}, diagnostics);
    return;
  }
  const std::size_t errors_before = diagnostics.count();
  const std::string path = file.find('/') == std::string::npos ? "./" + file : file;
  const ArchConfig arch = load_arch(path, {}, diagnostics);
  if (diagnostics.count() != errors_before) return;
  const YamlNode* scheduler = root->find("scheduler");
  const YamlNode* policy = scheduler ? scheduler->find("policy") : nullptr;
  find_policy(arch.scheduler.policy, policy ? policy->mark : root->mark, diagnostics);
}

}  // namespace

int run_validate(const std::vector<std::string>& arguments)
{
  OptionParser parser("validate", "validate FILE...",
                      "Checks architecture and workload files and reports every error in them, with its place.",
                      "  smsim validate my_sm.yaml my_kernel.yaml\n  smsim validate --schema > arch.schema.json\n");
  parser.options.add_options()("file", po::value<std::vector<std::string>>(), "files to check")(
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
  std::string good;
  for (const std::string& file : files) {
    const std::size_t errors_before = diagnostics.count();
    validate(file, diagnostics);
    if (diagnostics.count() == errors_before) good += file + ": ok\n";
  }
  write_output({}, good);
  throw_if_errors(diagnostics);
  return 0;
}

}  // namespace smsim::cli

#include "run_setup.h"

#include "base/text_file.h"
#include "sm/warp_scheduler/registry.h"
#include "workload/trace_loader.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <thread>

namespace smsim::cli {

void warn(const std::string& text)
{
  static const auto log = spdlog::stderr_color_st("smsim");
  log->warn("{}", text);
}

SplitOverrides split_overrides(const OptionParser& parser)
{
  SplitOverrides split;
  for (const std::string& option : parser.list("set"))
    (is_workload_override(option) ? split.of_workload : split.of_arch).push_back(option);
  return split;
}

std::uint32_t read_threads(const OptionParser& parser)
{
  return parser.has("threads") ? static_cast<std::uint32_t>(parser.integer("threads", 1, 1024))
                               : std::max(1U, std::thread::hardware_concurrency());
}

void add_run_options(OptionParser& parser)
{
  const auto text = [] { return po::value<std::string>(); };
  parser.options.add_options()("workload", text(), "the kernel: a shipped workload's name or a file")(
      "arch", text()->default_value("a100"), "architecture: a preset's name or a file")(
      "policy", text(),
      "warp-scheduling policy instead of the architecture's: a name, or the path of a shared library")(
      "sms", text(), "SMs of the GPU, if not all that the architecture has")(
      "threads", text(), "threads to simulate on; no result depends on it (default: one a processor core)")(
      "seed", text()->default_value("1"), "seed of the random draws")(
      "set", po::value<std::vector<std::string>>(),
      "path=value: override a key of the architecture, or of the workload's launch, level or program");
  parser.positional("workload", 1);
}

void tell_unknown_opcodes(const Workload& workload)
{
  if (!workload.traced || workload.traced->unknown.empty()) return;
  std::string list;
  for (const auto& [mnemonic, executed] : workload.traced->unknown)
    list += (list.empty() ? "" : ", ") + mnemonic + " " + std::to_string(executed);
  warn(workload.name + ": " + std::to_string(workload.traced->unknown_instructions()) + " of " +
       std::to_string(workload.traced->instructions) +
       " instructions have no row in arch_configs/sass/sass.yaml and run as its alu opcode: " + list);
}

Workload read_workload(const OptionParser& parser, const RunSetup& setup, Diagnostics& diagnostics)
{
  if (!parser.has("workload"))
    parser.fail("name a workload; `smsim list workloads` shows those that come with smsim");
  Workload workload = load_workload(parser.text("workload"), setup.of_workload, diagnostics);
  throw_if_errors(diagnostics);
  tell_unknown_opcodes(workload);
  return workload;
}

RunSetup read_run_setup(const OptionParser& parser, Diagnostics& diagnostics)
{
  RunSetup setup;
  SplitOverrides overrides = split_overrides(parser);
  setup.of_workload = std::move(overrides.of_workload);
  setup.options.seed = parser.integer("seed", 0, ~std::uint64_t{0});
  // Before the file is checked: parameters are checked against the policy that they are for.
  if (parser.has("policy")) {
    const std::string policy = parser.text("policy");
    if (find_policy(policy, {make_source("--policy", policy), 1, 1}, diagnostics))
      overrides.of_arch.push_back("scheduler.policy=" + policy);
  }
  const ArchConfig& arch = setup.arch = load_arch(parser.text("arch"), overrides.of_arch, diagnostics);
  const std::uint64_t sms = parser.has("sms") ? parser.integer("sms", 1, 65536) : arch.sms;
  if (sms > arch.sms && diagnostics.ok())
    parser.fail("--sms: " + arch.name + " has " + std::to_string(arch.sms) + " SMs; allowed: 1 to " +
                std::to_string(arch.sms) + ", or more with --set sms=" + std::to_string(sms));
  setup.options.sms = static_cast<std::uint32_t>(sms);
  setup.options.threads = read_threads(parser);
  return setup;
}

}  // namespace smsim::cli

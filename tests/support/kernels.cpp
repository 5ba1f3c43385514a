#include "support/kernels.h"

#include "support/program.h"

namespace smsim::test {

ArchConfig arch(const std::string& name, const std::vector<std::string>& overrides)
{
  Diagnostics diagnostics;
  ArchConfig config = load_arch(name, overrides, diagnostics);
  throw_if_errors(diagnostics);
  return config;
}

Workload workload(const std::string& yaml)
{
  static const std::string folder = temporary_folder();
  Diagnostics diagnostics;
  Workload result = load_workload(write_file(folder + "/kernel.yaml", yaml), {}, diagnostics);
  throw_if_errors(diagnostics);
  return result;
}

Workload kernel(std::uint64_t grid, std::uint64_t threads, const std::string& program,
                const std::string& more_launch)
{
  return workload("name: kernel\nlaunch:\n  grid: " + std::to_string(grid) +
                  "\n  block: " + std::to_string(threads) + "\n  registers_per_thread: 32\n" + more_launch +
                  "program:\n" + program);
}

ArchConfig one_scheduler(const std::vector<std::string>& overrides)
{
  std::vector<std::string> all{"sm.sub_partitions=1", "sm.max_warps=64", "sm.max_blocks=64",
                               "register_file.registers=131072"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return arch("h100", all);
}

RunResult run(const ArchConfig& arch, const Workload& workload, const std::string& policy,
              std::uint64_t max_cycles, std::uint32_t sms, std::uint64_t seed)
{
  RunOptions options;
  options.policy = policy;
  options.max_cycles = max_cycles;
  options.sms = sms;
  options.seed = seed;
  return run_kernel(arch, workload, options);
}

std::uint64_t in_state(const RunResult& result, WarpState state) { return result.states()[index_of(state)]; }

}  // namespace smsim::test

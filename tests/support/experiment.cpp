#include "support/experiment.h"

namespace smsim::test {

RunResult run_shipped(const std::string& name, const std::string& arch_name,
                      const std::vector<std::string>& overrides, std::uint32_t sms, const std::string& policy,
                      std::uint64_t max_cycles)
{
  std::vector<std::string> of_workload;
  std::vector<std::string> of_arch;
  for (const std::string& override : overrides)
    (is_workload_override(override) ? of_workload : of_arch).push_back(override);
  Diagnostics diagnostics;
  const Workload workload = load_workload(name, of_workload, diagnostics);
  throw_if_errors(diagnostics);
  return run(arch(arch_name, of_arch), workload, policy, max_cycles, sms);
}

}  // namespace smsim::test

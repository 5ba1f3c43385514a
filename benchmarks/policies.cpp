// What a policy costs: the same stream under each, time for a warp instruction. `random` and those that sort
// or remember lines are not simple; benchmarks/README.md says which are.
#include "config/arch_loader.h"
#include "engine/simulation.h"
#include "sm/warp_scheduler/registry.h"
#include "workload/workload_loader.h"

#include <benchmark/benchmark.h>

namespace {

using namespace smsim;

void under_policy(benchmark::State& state, const std::string& policy, const std::string& stream)
{
  Diagnostics diagnostics;
  ArchConfig arch = load_arch("h100", {}, diagnostics);
  const Workload workload = load_workload(
      std::string(SMSIM_SOURCE_DIR) + "/benchmarks/streams/" + stream + ".yaml", {}, diagnostics);
  throw_if_errors(diagnostics);
  RunOptions options;
  options.sms = 1;
  options.policy = policy;
  std::uint64_t instructions = 0;
  for ([[maybe_unused]] auto _ : state)
    instructions += run_kernel(arch, workload, options).instructions();
  state.counters["time_per_instruction"] = benchmark::Counter(
      static_cast<double>(instructions), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

[[maybe_unused]] const bool registered = [] {
  for (const char* stream : {"alu_independent", "memory_100"})
    for (const PolicyInfo& policy : policy_registry()) {
      const std::string name(policy.name);
      benchmark::RegisterBenchmark(("policy/" + std::string(stream) + "/" + name).c_str(),
                                   [name, stream = std::string(stream)](benchmark::State& state) {
                                     under_policy(state, name, stream);
                                   })
          ->Unit(benchmark::kMillisecond);
    }
  return true;
}();

}  // namespace

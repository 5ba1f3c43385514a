// How fast the event engine is: warp instructions a second on streams that stress one thing each.
#include "config/arch_loader.h"
#include "engine/simulation.h"
#include "workload/workload_loader.h"

#include <benchmark/benchmark.h>

#include <stdexcept>

namespace {

using namespace smsim;

Workload load(const std::string& name)
{
  Diagnostics diagnostics;
  Workload workload =
      load_workload(std::string(SMSIM_SOURCE_DIR) + "/benchmarks/streams/" + name + ".yaml", {}, diagnostics);
  throw_if_errors(diagnostics);
  return workload;
}

ArchConfig h100(const std::vector<std::string>& overrides)
{
  Diagnostics diagnostics;
  ArchConfig arch = load_arch("h100", overrides, diagnostics);
  throw_if_errors(diagnostics);
  return arch;
}

void stream(benchmark::State& state, const std::string& name, const std::vector<std::string>& overrides)
{
  const ArchConfig arch = h100(overrides);
  const Workload workload = load(name);
  RunOptions one_sm;
  one_sm.sms = 1;
  std::uint64_t instructions = 0;
  std::uint64_t cycles = 0;
  for ([[maybe_unused]] auto _ : state) {
    const RunResult result = run_kernel(arch, workload, one_sm);
    instructions += result.instructions();
    cycles += result.cycles;
  }
  state.counters["warp_instructions"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
  state.counters["cycles"] = benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
}

void add(const std::string& name, const std::string& file, const std::vector<std::string>& overrides = {})
{
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    stream(state, file, overrides);
  })->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv)
{
  add("alu_dependent", "alu_dependent");
  add("alu_independent", "alu_independent");
  add("memory_100", "memory_100");
  add("memory_100_latency_x10", "memory_100",
      {"memory.l2.latency=2800", "memory.dram.latency=6400", "memory.l1.latency=320"});
  add("memory_25", "memory_25");
  add("shared_barriers", "shared_barriers");
  add("tiled_matmul_all", "tiled_matmul_all",
      {"instruction_supply.lines=16", "memory.max_outstanding=256", "scheduler.policy=cggty"});
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

// Kernels from traces: how fast a trace is read, and how fast it runs beside the workload that it was
// recorded from.
#include "base/output_file.h"
#include "config/arch_loader.h"
#include "engine/simulation.h"
#include "engine/trace_recorder.h"
#include "workload/trace_loader.h"

#include <benchmark/benchmark.h>

#include <filesystem>

namespace {

using namespace smsim;

constexpr const char* workload_name = SMSIM_SOURCE_DIR "/workloads/policies/streaming.yaml";

struct Recorded {
  ArchConfig arch;
  Workload workload;
  std::filesystem::path path = std::filesystem::temp_directory_path() / "smsim_benchmark.traceg";

  Recorded()
  {
    Diagnostics diagnostics;
    arch = load_arch("h100", {}, diagnostics);
    workload = load_workload(workload_name, {"launch.grid=2000"}, diagnostics);
    std::vector<std::string> notes;
    OutputFile file(path);
    record_trace(arch, workload, 1, file, notes, diagnostics);
    throw_if_errors(diagnostics);
    file.commit();
  }
  ~Recorded()
  {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
};

const Recorded& recorded()
{
  static const Recorded once;
  return once;
}

Workload read_trace()
{
  Diagnostics diagnostics;
  Workload workload = load_trace(recorded().path, {}, diagnostics);
  throw_if_errors(diagnostics);
  return workload;
}

std::uint64_t run(const Workload& workload)
{
  RunOptions one_sm;
  one_sm.sms = 1;
  return run_kernel(recorded().arch, workload, one_sm).instructions();
}

void count(benchmark::State& state, std::uint64_t instructions)
{
  state.counters["instructions/s"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

void trace_read(benchmark::State& state)
{
  std::uint64_t instructions = 0;
  for ([[maybe_unused]] auto _ : state)
    instructions += read_trace().traced->instructions;
  count(state, instructions);
}

void trace_run(benchmark::State& state)
{
  const Workload traced = read_trace();
  std::uint64_t instructions = 0;
  for ([[maybe_unused]] auto _ : state)
    instructions += run(traced);
  count(state, instructions);
}

void trace_read_and_run(benchmark::State& state)
{
  std::uint64_t instructions = 0;
  for ([[maybe_unused]] auto _ : state)
    instructions += run(read_trace());
  count(state, instructions);
}

void same_workload_run(benchmark::State& state)
{
  std::uint64_t instructions = 0;
  for ([[maybe_unused]] auto _ : state)
    instructions += run(recorded().workload);
  count(state, instructions);
}

}  // namespace

BENCHMARK(trace_read)->Unit(benchmark::kMillisecond);
BENCHMARK(trace_run)->Unit(benchmark::kMillisecond);
BENCHMARK(trace_read_and_run)->Unit(benchmark::kMillisecond);
BENCHMARK(same_workload_run)->Unit(benchmark::kMillisecond);

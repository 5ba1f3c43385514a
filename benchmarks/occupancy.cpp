// How long the calculator takes for the 20 000 launches of the oracle, read and written as CSV.
#include "base/text_file.h"
#include "report/occupancy_batch.h"

#include <benchmark/benchmark.h>

namespace {

void oracle_launches(benchmark::State& state)
{
  using namespace smsim;
  Diagnostics diagnostics;
  const auto source = read_text_file(std::string(SMSIM_SOURCE_DIR) + "/tests/reference/occupancy_oracle.csv",
                                     std::uint64_t{1} << 24U, diagnostics);
  throw_if_errors(diagnostics);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(occupancy_batch(source, diagnostics));
  throw_if_errors(diagnostics);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(source->lines.size() - 1));
}
BENCHMARK(oracle_launches)->Unit(benchmark::kMillisecond);

}  // namespace

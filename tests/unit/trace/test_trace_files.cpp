// Trace files of random runs, read back by readers of their own and held against the result.
#include "differential/random_case.h"
#include "support/program.h"
#include "support/trace_readers.h"
#include "trace/trace_writer.h"

#include <doctest/doctest.h>

using namespace smsim;
using namespace smsim::test;

namespace {

/// The states of an SM's sub-partitions as a file must have them: those without a warp are not there.
void check_states(const TraceSums& sums, const RunResult& result, std::size_t sm)
{
  for (std::size_t p = 0; p < result.sms[sm].sub_partitions.size(); ++p) {
    const auto found = sums.states.find({sm, p});
    const StateCycles read = found == sums.states.end() ? StateCycles{} : found->second;
    CHECK(read == result.sms[sm].sub_partitions[p].states);
  }
}

void check_counters(const TraceSums& sums, const RunResult& result, std::size_t sm)
{
  const SmResult& found = result.sms[sm];
  if (found.active_warp_cycles == 0) return;
  std::uint64_t eligible = 0;
  std::uint64_t issued = 0;
  for (const SubPartitionResult& part : found.sub_partitions) {
    eligible += part.eligible_warp_cycles();
    issued += part.issued();
  }
  CHECK(sums.counters.at({sm, "active warps"}) == found.active_warp_cycles);
  CHECK(sums.counters.at({sm, "eligible warps"}) == eligible);
  CHECK(sums.counters.at({sm, "issued warps"}) == issued);
  if (!result.stopped_early) CHECK(sums.counters.at({sm, "resident blocks"}) == found.block_cycles);
}

void check_clean(const TraceSums& sums)
{
  CHECK(sums.problems.empty());
  if (!sums.problems.empty()) MESSAGE(sums.problems.front());
}

void check_sums(const TraceSums& sums, const RunResult& result)
{
  check_clean(sums);
  for (std::size_t sm = 0; sm < result.sms.size(); ++sm) {
    check_states(sums, result, sm);
    check_counters(sums, result, sm);
  }
}

}  // namespace

TEST_CASE("slices and counters of a trace add up to the result: 200 random runs, Chrome all, Perfetto and "
          "Konata every fourth")
{
  const std::string folder = temporary_folder();
  std::size_t ran = 0;
  for (std::uint64_t number = 1; number <= share_of_cases(200); ++number) {
    CAPTURE(number);
    const RandomCase c = draw_case(number);
    const ArchConfig sm = arch("h100", c.arch_overrides);
    const Workload w = workload(c.workload_yaml());
    RunOptions options = c.options(300);
    const auto trace = [&](const std::string& ending) -> std::optional<RunResult> {
      TraceOptions to;
      to.path = folder + "/trace" + ending;
      const auto writer = make_trace_writer(to);
      options.listener = writer.get();
      try {
        return run_kernel(sm, w, options);
      } catch (const RunError&) {
        return std::nullopt;
      }
    };
    const auto result = trace(".json");
    if (!result) continue;
    ++ran;
    const TraceSums chrome = read_chrome(read_file(folder + "/trace.json"));
    check_sums(chrome, *result);
    if (number % 4 != 0) continue;
    trace(".pftrace");
    const TraceSums perfetto = read_perfetto(read_file(folder + "/trace.pftrace"));
    check_sums(perfetto, *result);
    CHECK(chrome.slices == perfetto.slices);
    CHECK(chrome.counters == perfetto.counters);
    trace(".konata");
    const TraceSums konata = read_konata(read_file(folder + "/trace.konata"), sm.warps_per_sub_partition());
    check_clean(konata);
    check_states(konata, *result, 0);
  }
  CHECK(ran > share_of_cases(200) * 3 / 4);
}

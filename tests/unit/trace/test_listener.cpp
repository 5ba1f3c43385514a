// What a listener is told of a run, held against the run's result.
#include "differential/random_case.h"
#include "support/program.h"
#include "trace/listener.h"

#include <doctest/doctest.h>

#include <map>
#include <tuple>

using namespace smsim;
using namespace smsim::test;

namespace {

/// Adds up all that it hears, and looks at the order of it.
class Sums final : public TraceListener {
 public:
  using Slot = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

  void begin(const TraceRun& told) override
  {
    run = told;
    states.assign(run.sms, std::vector<StateCycles>(run.sub_partitions));
    sums.resize(run.sms);
    last.assign(run.sms, Cycle{0});
    samples.resize(run.sms);
    lanes.assign(run.sms, 0);
  }
  void on(const WarpStep& step) override
  {
    see(step.warp.sm, step.cycle);
    std::optional<WarpState>& state = now[slot_of(step.warp)];
    law(state != step.state);
    state = step.state;
  }
  void on(const WarpSpan& span) override
  {
    see(span.warp.sm, span.until);
    law(span.from < span.until);
    Cycle& covered = until[slot_of(span.warp)];
    law(covered <= span.from);
    covered = span.until;
    states[span.warp.sm][span.warp.sub_partition][index_of(span.state)] += span.until - span.from;
    spans += 1;
  }
  void on(const InstructionIssue& issue) override
  {
    see(issue.warp.sm, issue.cycle);
    law(now[slot_of(issue.warp)] == WarpState::selected);
    law(issue.pc < run.instructions.size());
    lanes[issue.warp.sm] += issue.lanes;
    ++issues;
  }
  void on(const MemoryAccess& access) override
  {
    see(access.warp.sm, access.cycle);
    law(access.cycle <= access.departure);
    law(access.departure <= access.ready);
  }
  void on(const BlockLaunch& launch) override
  {
    see(launch.sm, launch.cycle);
    law(launched.emplace(launch.block, launch.cycle).second);
    for (std::uint32_t i = 0; i < launch.warps.size(); ++i)
      law(launch.warps[i].warp == i);
  }
  void on(const BlockEnd& end) override
  {
    see(end.sm, end.cycle);
    law(launched[end.block] == end.launched);
    ++blocks_ended;
    block_cycles += end.cycle - end.launched;
  }
  void on(const BarrierArrival& arrival) override { see(arrival.warp.sm, arrival.cycle); }
  void on(const BarrierOpening& opening) override { see(opening.sm, opening.cycle); }
  void on(const CounterSample& sample) override
  {
    see(sample.sm, sample.cycle);
    count_until(sample.sm, sample.cycle);
    samples[sample.sm] = sample;
  }
  void reached(std::uint32_t sm, Cycle cycle) override
  {
    law(last[sm] <= cycle);
    last[sm] = cycle;
  }
  void end(Cycle cycle) override
  {
    for (std::uint32_t sm = 0; sm < run.sms; ++sm)
      count_until(sm, cycle);
    ended = cycle;
  }

  struct Integrals {
    std::uint64_t active = 0;
    std::uint64_t active_cycles = 0;
    std::uint64_t eligible = 0;
    std::uint64_t issued = 0;
    std::uint64_t blocks = 0;
    std::uint32_t most_blocks = 0;
  };

  TraceRun run;
  std::vector<std::vector<StateCycles>> states;
  std::vector<Integrals> sums;
  std::vector<Cycle> last;
  std::vector<CounterSample> samples;
  std::vector<std::uint64_t> lanes;
  std::map<Slot, std::optional<WarpState>> now;
  std::map<Slot, Cycle> until;
  std::map<BlockId, Cycle> launched;
  std::uint64_t blocks_ended = 0;
  std::uint64_t block_cycles = 0;
  std::uint64_t issues = 0;
  std::uint64_t spans = 0;
  std::uint64_t broken_laws = 0;
  Cycle ended{0};

 private:
  void law(bool holds)
  {
    if (!holds) ++broken_laws;
  }
  static Slot slot_of(const TracedWarp& warp) { return {warp.sm, warp.sub_partition, warp.slot}; }
  void see(std::uint32_t sm, Cycle cycle)
  {
    law(last[sm] <= cycle);
    last[sm] = cycle;
  }
  void count_until(std::uint32_t sm, Cycle cycle)
  {
    const CounterSample& sample = samples[sm];
    const std::uint64_t cycles = cycle - sample.cycle;
    Integrals& sum = sums[sm];
    sum.active += sample.counters.active * cycles;
    sum.active_cycles += sample.counters.active > 0 ? cycles : 0;
    sum.eligible += sample.counters.eligible * cycles;
    sum.issued += sample.counters.issued * cycles;
    sum.blocks += sample.counters.resident_blocks * cycles;
    if (cycles > 0) sum.most_blocks = std::max(sum.most_blocks, sample.counters.resident_blocks);
  }
};

std::string numbers_of(const RunResult& result)
{
  std::string text = std::to_string(result.cycles) + " " + std::to_string(result.tail_start);
  for (const SmResult& sm : result.sms) {
    text += "\n" + std::to_string(sm.active_cycles) + " " + std::to_string(sm.block_cycles) + " " +
            std::to_string(sm.allocated_warp_cycles) + " " + std::to_string(sm.tail_active_warp_cycles);
    for (const SubPartitionResult& part : sm.sub_partitions) {
      text += " |" + std::to_string(part.eligible_cycles) + " " + std::to_string(part.thread_instructions);
      for (const std::uint64_t cycles : part.states)
        text += " " + std::to_string(cycles);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("what a listener hears adds up to the result, and changes nothing of it: 200 random runs")
{
  std::size_t ran = 0;
  for (std::uint64_t number = 1; number <= share_of_cases(200); ++number) {
    CAPTURE(number);
    const RandomCase c = draw_case(number);
    const ArchConfig sm = arch("h100", c.arch_overrides);
    const Workload w = workload(c.workload_yaml());
    RunOptions options = c.options(20'000);
    Sums heard;
    RunResult silent;
    try {
      silent = run_kernel(sm, w, options);
    } catch (const RunError&) {
      options.listener = &heard;
      CHECK_THROWS_AS(run_kernel(sm, w, options), RunError);
      continue;
    }
    options.listener = &heard;
    const RunResult result = run_kernel(sm, w, options);
    ++ran;
    CHECK(numbers_of(result) == numbers_of(silent));
    CHECK(heard.broken_laws == 0);
    CHECK(heard.ended.value() == result.cycles);
    CHECK(heard.issues == result.instructions());
    CHECK(heard.blocks_ended == result.blocks_run());
    CHECK(heard.block_cycles == result.block_cycles());
    REQUIRE(heard.states.size() == result.sms.size());
    for (std::size_t i = 0; i < result.sms.size(); ++i) {
      const SmResult& found = result.sms[i];
      std::uint64_t eligible = 0;
      std::uint64_t issued = 0;
      std::uint64_t lanes = 0;
      for (std::size_t p = 0; p < found.sub_partitions.size(); ++p) {
        CHECK(heard.states[i][p] == found.sub_partitions[p].states);
        eligible += found.sub_partitions[p].eligible_warp_cycles();
        issued += found.sub_partitions[p].issued();
        lanes += found.sub_partitions[p].thread_instructions;
      }
      const Sums::Integrals& sums = heard.sums[i];
      CHECK(sums.active == found.active_warp_cycles);
      CHECK(sums.active_cycles == found.active_cycles);
      CHECK(sums.eligible == eligible);
      CHECK(sums.issued == issued);
      CHECK(heard.lanes[i] == lanes);
      if (!result.stopped_early) CHECK(sums.blocks == found.block_cycles);
      CHECK(sums.most_blocks <= found.most_resident_blocks);
    }
  }
  CHECK(ran > share_of_cases(200) * 3 / 4);
}

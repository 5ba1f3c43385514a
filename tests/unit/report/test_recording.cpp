// What the page's drawings over time are made of: all of a run, in bounded memory.
#include "differential/random_case.h"
#include "report/html/recording.h"
#include "support/kernels.h"

#include <doctest/doctest.h>

using namespace smsim;
using namespace smsim::test;
using html::Columns;
using html::Recording;
using html::Window;

namespace {

RunResult listened(const ArchConfig& sm, const Workload& kernel, Recording& recording, RunOptions options)
{
  options.listener = &recording;
  return run_kernel(sm, kernel, options);
}

RunResult listened(const ArchConfig& sm, const Workload& kernel, Recording& recording, std::uint32_t sms = 1)
{
  RunOptions options;
  options.sms = sms;
  return listened(sm, kernel, recording, options);
}

Columns::Column sum_of(const Columns& columns)
{
  Columns::Column sum;
  for (const Columns::Column& column : columns.columns()) {
    sum.active_warp_cycles += column.active_warp_cycles;
    sum.block_cycles += column.block_cycles;
    sum.launches += column.launches;
  }
  return sum;
}

}  // namespace

TEST_CASE("columns, blocks and issues of 100 random runs add up to the result")
{
  int runs = 0;
  for (std::uint64_t number = 1; runs < 100; ++number) {
    const RandomCase drawn = draw_case(number);
    CAPTURE(number);
    REQUIRE(number < 300);
    RunOptions options = drawn.options(3'000);
    Recording recording({});
    RunResult result;
    try {
      result =
          listened(arch("h100", drawn.arch_overrides), workload(drawn.workload_yaml()), recording, options);
    } catch (const RunError&) {
      continue;
    }
    ++runs;
    const Columns::Column sum = sum_of(recording.columns());
    CHECK(sum.active_warp_cycles == result.active_warp_cycles());
    if (!result.stopped_early) {
      CHECK(sum.block_cycles == result.block_cycles());
      CHECK(sum.launches == result.grid);
    }
    CHECK(recording.columns().columns().size() <= Columns::most);
    CHECK(recording.blocks().size() == sum.launches);
    std::uint64_t issued = 0;
    for (const std::uint64_t issues : recording.issues())
      issued += issues;
    CHECK(issued == result.instructions());
    std::vector<std::uint64_t> by_sm(result.sms.size());
    for (const html::BlockSpan& span : recording.blocks())
      by_sm[span.sm] += span.ended ? 1 : 0;
    for (std::size_t sm = 0; sm < by_sm.size(); ++sm)
      CHECK(by_sm[sm] == result.sms[sm].blocks);
  }
}

TEST_CASE("a run that is longer than all columns has wider ones")
{
  Recording recording({});
  const Workload one_warp = kernel(1, 32, "  - repeat: {compute: 1, stall: 99, rounds: 100}\n");
  const RunResult result = listened(one_scheduler(), one_warp, recording);
  REQUIRE(result.cycles > 9'000);
  CHECK(recording.columns().width() == 32);
  const auto& columns = recording.columns().columns();
  CHECK(columns.size() == (result.cycles + 31) / 32);
  for (std::size_t i = 0; i + 1 < columns.size(); ++i)
    CHECK(columns[i].active_warp_cycles == 32);
  CHECK(columns[0].launches == 1);
}

TEST_CASE("of too many blocks those of the first SMs are kept, of one SM those that end first")
{
  const Workload many = kernel(30'000, 32, "  - nop\n");
  Recording of_many({});
  listened(arch("a100", {"sms=16"}), many, of_many, 16);
  CHECK(of_many.sms_with_blocks() == 2);
  CHECK(of_many.blocks().size() <= Recording::most_blocks);
  CHECK(of_many.blocks().size() > Recording::most_blocks / 2);
  CHECK(of_many.blocks().back().sm == 1);

  Recording of_one({});
  const RunResult result = listened(arch("a100"), many, of_one, 1);
  CHECK(of_one.sms_with_blocks() == 1);
  CHECK(of_one.blocks().size() == Recording::most_blocks);
  CHECK(*of_one.blocks().back().ended < result.cycles / 2);
}

TEST_CASE("the window is where the user asks for it, else near the middle, and a full one ends early")
{
  const Workload busy = kernel(16, 1024, "  - repeat: {compute: 400, stall: 3, rounds: 2}\n");
  const auto window_of = [&](const html::WindowChoice& choice) {
    Recording recording(choice);
    const RunResult result = listened(arch("a100", {"scheduler.policy=lrr"}), busy, recording);
    CHECK(result.cycles > 10'000);
    return std::pair(recording.window(), result.cycles);
  };
  const auto [asked, cycles] = window_of({0, 1, 500, 1'234});
  CHECK(asked.start == 1'234);
  CHECK(asked.end == 1'734);
  CHECK_FALSE(asked.is_full);
  for (const Window::Step& step : asked.steps)
    CHECK((step.cycle >= asked.start && step.cycle < asked.end));
  // At its start the warps of the blocks before are there.
  int present = 0;
  for (const Window::Step& step : asked.before)
    present += step.state ? 1 : 0;
  CHECK(present == 16);

  const Window middle = window_of({}).first;
  CHECK(middle.end - middle.start == 1'000);
  CHECK(middle.start >= cycles / 5);
  CHECK(middle.end <= cycles / 2 + 1'000);

  const Window full = window_of({0, 0, 1'000'000, 0}).first;
  CHECK(full.is_full);
  CHECK(full.steps.size() <= Window::most_steps);
  CHECK(full.end < cycles);

  const Window beyond = window_of({0, 0, 10, 1'000'000}).first;
  CHECK(beyond.start == beyond.end);
}

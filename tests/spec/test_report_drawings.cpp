// What the page draws, read back from the drawing, against the result.
#include "differential/random_case.h"
#include "report/html/page.h"
#include "report/html/recording.h"
#include "report/run_reports.h"
#include "sm/register_cap.h"
#include "support/page.h"

#include <doctest/doctest.h>

#include <map>

using namespace smsim;
using namespace smsim::test;
using Json = nlohmann::ordered_json;

namespace {

struct Bar {
  double x = 0;
  double y = 0;
  double width = 0;
};

/// The bars of a figure, by the name that hovering reads out.
std::map<std::string, std::vector<Bar>> bars_of(const std::string& page, const std::string& figure)
{
  const std::size_t begin = page.find("<figure id=\"" + figure + "\"");
  REQUIRE(begin != std::string::npos);
  const std::string part = page.substr(begin, page.find("</figure>", begin) - begin);
  std::map<std::string, std::vector<Bar>> bars;
  for (std::size_t at = part.find("data-name=\""); at != std::string::npos;
       at = part.find("data-name=\"", at + 1)) {
    const std::size_t name = at + 11;
    std::vector<Bar>& named = bars[part.substr(name, part.find('"', name) - name)];
    const std::size_t drawing = part.find(" d=\"", at) + 4;
    const std::string d = part.substr(drawing, part.find('"', drawing) - drawing);
    for (std::size_t bar = d.find('M'); bar != std::string::npos; bar = d.find('M', bar + 1)) {
      std::size_t length = 0;
      Bar found;
      found.x = std::stod(d.substr(bar + 1), &length);
      found.y = std::stod(d.substr(bar + 1 + length));
      found.width = std::stod(d.substr(d.find('h', bar) + 1));
      named.push_back(found);
    }
  }
  return bars;
}

struct Drawn {
  std::string page;
  RunResult result;
};

Drawn drawn(const ArchConfig& sm, const Workload& given, RunOptions options,
            const html::WindowChoice& window = {})
{
  html::Recording recording(window);
  options.listener = &recording;
  Drawn out;
  out.result = run_kernel(sm, given, options);
  Diagnostics diagnostics;
  const Workload ran = with_register_cap(sm, given, diagnostics);
  out.page = html_report({sm, ran, out.result}, recording);
  return out;
}

double use_of(const std::string& page, const std::string& unit)
{
  const std::size_t name = page.find("\" data-use=\"" + unit + "\"");
  REQUIRE_MESSAGE(name != std::string::npos, unit);
  const std::size_t value = page.rfind("value=\"", name) + 7;
  return std::stod(page.substr(value, name - value));
}

}  // namespace

TEST_CASE("the timeline of a whole run has every cycle of each state of the scheduler, no two bars of a slot "
          "overlap")
{
  int runs = 0;
  for (std::uint64_t number = 1; runs < 20; ++number) {
    const RandomCase c = draw_case(number);
    CAPTURE(number);
    RunOptions options = c.options(500);
    Drawn run;
    try {
      run = drawn(arch("h100", c.arch_overrides), workload(c.workload_yaml()), options, {0, 0, 500, 0});
    } catch (const RunError&) {
      continue;
    }
    ++runs;
    if (run.result.active_cycles() == 0) continue;
    std::map<double, std::vector<std::pair<double, double>>> rows;
    auto bars = bars_of(run.page, "timeline");
    for (const WarpStateInfo& state : warp_state_table) {
      double cycles = 0;
      for (const Bar& bar : bars[std::string(state.label)]) {
        cycles += bar.width;
        rows[static_cast<double>(static_cast<int>(bar.y))].emplace_back(bar.x, bar.x + bar.width);
      }
      CHECK(cycles == static_cast<double>(run.result.sms[0].sub_partitions[0].state(state.state)));
    }
    for (auto& [row, spans] : rows) {
      std::sort(spans.begin(), spans.end());
      for (std::size_t i = 1; i < spans.size(); ++i)
        CHECK(spans[i - 1].second <= spans[i].first);
    }
  }
}

TEST_CASE("the schedule has a bar for each block, as long as the block took")
{
  const Workload uneven = kernel(
      50, 64,
      "  - loop: {count: {per: block, distribution: uniform, least: 1, most: 90}, body: [nop, nop]}\n");
  RunOptions options;
  options.sms = 3;
  const Drawn run = drawn(arch("a100", {"sm.max_blocks=4"}), uneven, options);
  std::size_t count = 0;
  double cycles = 0;
  double longest = 0;
  for (const auto& [name, bars] : bars_of(run.page, "schedule")) {
    count += bars.size();
    for (const Bar& bar : bars) {
      CHECK(bar.y < 3 * 4);
      cycles += bar.width;
      longest = std::max(longest, bar.width);
      const std::uint64_t a_tenth = run.result.tail_start + run.result.tail_cycles() / 10;
      const bool in_tail = bar.x + bar.width > static_cast<double>(a_tenth);
      CHECK(in_tail == (name == "still ran in the tail"));
    }
  }
  CHECK(count == 50);
  CHECK(cycles == static_cast<double>(run.result.block_cycles()));
  CHECK(longest == static_cast<double>(run.result.longest_block()));
}

TEST_CASE("the use of pipes, issue slots and bandwidth is what the program and the result say")
{
  // A hundred ffma of each of 16 warps on a pipe that takes 4 cycles for each: nearly always busy.
  const Workload math = kernel(1, 512, "  - loop: {count: 100, body: [\"ffma r1, r2, r3, r4\"]}\n");
  const ArchConfig slow = one_scheduler({"pipes.fma.lanes=8"});
  RunOptions options;
  options.sms = 1;
  const Drawn run = drawn(slow, math, options);
  const double cycles = static_cast<double>(run.result.cycles);
  CHECK(use_of(run.page, "pipe fma") == 100.0 * 16 * 4 / cycles);
  CHECK(use_of(run.page, "pipe fma") > 0.99);
  CHECK(use_of(run.page, "issue") == 1600 / cycles);

  const Workload loads = kernel(8, 256, "  - ld.global r4, [r2]\n  - ld.shared r5, [r3]\n");
  const ArchConfig a100 = arch("a100", {"memory.sm_interval=3", "memory.dram.bytes_per_cycle=16"});
  const Drawn memory = drawn(a100, loads, options);
  const double all = static_cast<double>(memory.result.cycles);
  CHECK(use_of(memory.page, "queue") == 2.0 * 8 * 8 * 3 / all);
  CHECK(use_of(memory.page, "dram") == 8.0 * 256 * 4 / (16 * all));
  CHECK(memory.page.find("data-use=\"pipe ") == std::string::npos);
}

TEST_CASE("each curve marks this kernel, and names the cliffs beside it")
{
  RunOptions options;
  options.sms = 1;
  const Workload forty =
      workload("name: k\nlaunch: {grid: 1, block: 256, registers_per_thread: 40}\nprogram: [nop]\n");
  const std::string page = drawn(arch("a100"), forty, options).page;
  const std::string text = text_of(page);
  for (const char* part :
       {"This kernel: 40 registers, 48 warps.", "This kernel: 256 threads, 48 warps.",
        "This kernel: 0 B, 48 warps.", "32 registers per thread instead of 40 give 8 blocks per SM",
        "41 registers per thread instead of 40 give 5 blocks per SM"})
    CHECK_MESSAGE(text.find(part) != std::string::npos, part);
  std::size_t marks = 0;
  for (std::size_t at = page.find(">this kernel<"); at != std::string::npos;
       at = page.find(">this kernel<", at + 1))
    ++marks;
  CHECK(marks == 3);
}

TEST_CASE("a run that was cut short says so, a window beyond its end too")
{
  RunOptions options;
  options.sms = 1;
  options.max_cycles = 300;
  const Workload endless = kernel(9, 256, "  - repeat: {compute: 3, stall: 9, rounds: 1000}\n");
  const std::string text = text_of(drawn(arch("a100"), endless, options, {0, 0, 100, 5'000}).page);
  CHECK(text.find("Stopped early after 300 cycles") != std::string::npos);
  CHECK(text.find("Nothing to show: the run ended before cycle 5\u202F000.") != std::string::npos);
}

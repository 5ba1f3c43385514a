// `smsim timeline` as a user sees it.
#include "differential/random_case.h"
#include "support/program.h"
#include "trace/state_style.h"
#include "trace/timeline.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <sstream>

using namespace smsim;
using namespace smsim::test;

namespace {

const std::string small = "timeline latency_hiding --arch a100 --sms 1 --cycles 0:60 ";

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

TEST_CASE(
    "a timeline has a row for each warp, its scheduler's issues above, and a legend of the letters in it")
{
  const ProgramRun run = smsim::test::smsim(small);
  CHECK(run.status == 0);
  CHECK(run.err.empty());
  CHECK(run.out == "latency_hiding on A100 SXM4 80GB, cggty: SM 0, cycles 0 to 59\n"
                   "\n"
                   "cycle               0         10        20        30        40  ~12~\n"
                   "scheduler 0 issues  3333333333222222222211111111110000000000....~~~~....\n"
                   " block 0            [-------------------------------------------~~~~----\n"
                   "  0 warp 0          nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnIIIIIIIIIILLLL~~~~LLLL\n"
                   "  1 warp 4          nnnnnnnnnnnnnnnnnnnnIIIIIIIIIILLLLLLLLLLLLLL~~~~LLLL\n"
                   "  2 warp 8          nnnnnnnnnnIIIIIIIIIILLLLLLLLLLLLLLLLLLLLLLLL~~~~LLLL\n"
                   "  3 warp 12         IIIIIIIIIILLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL~~~~LLLL\n"
                   "\n"
                   "I selected: issued an instruction\n"
                   "L long_scoreboard: waits for data from global or local memory\n"
                   "n not_selected: could have issued, but was not chosen\n"
                   "[ launch of a block, ] its end; issues: the slot of the warp that issued, a for 10, b "
                   "for 11 and so on; . "
                   "nobody\n"
                   "~n~ n cycles in which nothing changes\n");
}

TEST_CASE("colour adds nothing but colour, and only where it is wanted")
{
  const std::string plain = smsim::test::smsim(small).out;
  CHECK(plain.find('\x1b') == std::string::npos);
  const std::string coloured = smsim::test::smsim(small + "--color always").out;
  CHECK(coloured.find("\x1b[1;32mIIIIIIIIII\x1b[0m") != std::string::npos);
  CHECK(std::regex_replace(coloured, std::regex("\x1b\\[[0-9;]*m"), "") == plain);
  CHECK(smsim::test::smsim(small + "--color never").out == plain);
}

TEST_CASE("letters tell states apart")
{
  std::string letters;
  for (const StateStyle& look : state_styles)
    letters += look.letter;
  std::sort(letters.begin(), letters.end());
  CHECK(std::adjacent_find(letters.begin(), letters.end()) == letters.end());
  CHECK(letters.find('A') == std::string::npos);  // an arrival at a barrier
}

TEST_CASE("a line that is full goes on below, a window can be any and be seen whole")
{
  const std::string narrow = smsim::test::smsim(small + "--width 40 --fold 0").out;
  std::istringstream lines(narrow);
  std::string all;
  for (std::string line; std::getline(lines, line) && !line.starts_with("I ");) {
    if (!line.starts_with("latency")) CHECK(line.size() <= 40);
    if (line.starts_with("  3 warp 12")) all += line.substr(20);
  }
  CHECK(all == "IIIIIIIIII" + std::string(50, 'L'));
}

TEST_CASE("barriers: who arrives is marked A, and the block's line has ^ where they open")
{
  const std::string folder = temporary_folder();
  write_file(folder + "/k.yaml",
             "name: k\nlaunch:\n  grid: 1\n  block: 64\n  registers_per_thread: 16\n  barriers: 1\n"
             "program:\n  - nop\n  - bar.sync 0\n  - nop\n");
  const ProgramRun run = smsim::test::smsim("timeline k.yaml --arch h100 --sms 1 --set sm.sub_partitions=1 "
                                            "--set sm.max_warps=8 --policy gto --fold 0",
                                            folder);
  CHECK(run.status == 0);
  CHECK(run.out.find("A issued a barrier instruction\n") != std::string::npos);
  const auto row = [&](const std::string& name) {
    const std::size_t at = run.out.find("\n" + name);
    REQUIRE(at != std::string::npos);
    return run.out.substr(at + 21, run.out.find('\n', at + 1) - at - 21);
  };
  const std::string block = row(" block 0");
  CHECK(block.front() == '[');
  CHECK(block.back() == ']');
  const std::size_t opens = block.find('^');
  REQUIRE(opens != std::string::npos);
  // The last to arrive did so the barrier's latency before.
  const std::size_t last = std::max(row("  0 warp 0").find('A'), row("  1 warp 1").find('A'));
  const ArchConfig h100 = arch("h100");
  const auto barrier = std::find_if(h100.opcodes.begin(), h100.opcodes.end(),
                                    [](const OpcodeConfig& opcode) { return opcode.name == "bar.sync"; });
  CHECK(opens == last + barrier->latency);
}

TEST_CASE("the letters of a timeline add up to the state table: random runs")
{
  for (std::uint64_t number = 1; number <= 60; ++number) {
    CAPTURE(number);
    const RandomCase c = draw_case(number);
    const ArchConfig sm = arch("h100", c.arch_overrides);
    RunOptions options = c.options(200);
    Timeline timeline({0, {0}, {}, Cycle{0}, Cycle{200}});
    options.listener = &timeline;
    RunResult result;
    try {
      result = run_kernel(sm, workload(c.workload_yaml()), options);
    } catch (const RunError&) {
      continue;
    }
    TimelineTextOptions look;
    look.fold = 0;
    look.width = 1000;
    std::istringstream lines(timeline_text(timeline, look));
    StateCycles read{};
    std::size_t label = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("cycle ")) label = line.find_first_not_of(' ', 5);
      if (!line.starts_with("  ")) continue;
      for (const char letter : line.substr(label))
        for (std::size_t i = 0; i < warp_state_count; ++i)
          if (letter == state_styles[i].letter || (letter == 'A' && i == 0)) ++read[i];
    }
    CHECK(read == result.sms[0].sub_partitions[0].states);
  }
}

TEST_CASE("a timeline as a picture has a box for each span, with a title")
{
  const ProgramRun run = smsim::test::smsim(small + "--format svg");
  CHECK(run.status == 0);
  CHECK(run.out.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(run.out.ends_with("</svg>\n"));
  CHECK(run.out.find("<title>long_scoreboard, cycles 40 to 59</title>") != std::string::npos);
  CHECK(run.out.find("<title>cycle 0: block 0 warp 12, 0: nop</title>") != std::string::npos);
  const auto count = [&](const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = run.out.find(what); at != std::string::npos; at = run.out.find(what, at + 1))
      ++found;
    return found;
  };
  CHECK(count("<title>") == count("</title></rect>"));
  CHECK(count("<text ") == count("</text>"));
}

TEST_CASE("a window outside the run, and SMs, sub-partitions and warps that are not there, are said so")
{
  const auto error = [&](const std::string& options, int status) {
    const ProgramRun run = smsim::test::smsim("timeline latency_hiding --arch a100 --sms 2 " + options);
    CHECK(run.status == status);
    CHECK(run.out.empty());
    return first_line(run.err);
  };
  CHECK(error("--cycles 99999:", 1)
            .starts_with("--cycles: the window begins at cycle 99999, but the run ended at cycle "));
  CHECK(error("--warps 3,99", 2) ==
        "smsim timeline: --warps: there is no 99; warp slots of a sub-partition: 0 to 15");
  CHECK(error("--sub-partition 4", 2) ==
        "smsim timeline: --sub-partition: there is no 4; sub-partitions of an SM: 0 to 3");
  CHECK(error("--sm 2", 2) == "smsim timeline: --sm: out of range: 2; allowed: 0 to 1");
  CHECK(error("--cycles 0:100001", 2).find("more than 100000 cycles") != std::string::npos);
  CHECK(error("--output /dev/full", 1) == "/dev/full: cannot be written: No space left on device");
}

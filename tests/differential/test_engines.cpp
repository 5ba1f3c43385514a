// The event engine against the engine that visits every cycle: random architectures x workloads x policies,
// every number of the result compared, the state table included. A failing case is made smaller and printed
// as two YAML files.
//
// Faults planted in the event engine one at a time, each caught within the first 300 cases:
//
// - a late wake-up: settle_plain wakes a warp at `ready + 1`. Cycles differ; a debug build's laws fail at
// once.
//
// - a wrong reason: a full queue is charged to mio_throttle for lg_throttle. The state table differs.
//
// - a lost event: other sub-partitions are not told of a taken pipe. Cycles differ.
//
// - off by one: a group is charged a cycle too long to its unit. The state table differs.
//
// - several paths to a warp: a counter that becomes visible late is forgotten; counters, holds or results of
//   two paths are not put together where they meet; a warp leaves its path where another can issue in the
//   same cycle; the barrier in front of a split holds back one path only. Cycles or states differ.
//
// - a cycle forgotten of those in which a policy that rests would have declined. Eligible cycles differ.
#include "differential/random_case.h"
#include "sm/register_cap.h"
#include "support/program.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>
#include <sstream>

using namespace smsim;
using namespace smsim::test;

namespace {

/// Every number of a result, as text lines; or the error that the run ended in.
std::string all_numbers(const ArchConfig& sm, const Workload& w, const RandomCase& c, Engine engine)
{
  RunOptions options = c.options(20'000);
  options.engine = engine;
  std::ostringstream out;
  try {
    const RunResult r = run_kernel(sm, w, options);
    out << "cycles " << r.cycles << "\ntail " << r.tail_start << "\nstopped " << r.stopped_early << "\n";
    for (std::size_t i = 0; i < r.sms.size(); ++i) {
      const SmResult& s = r.sms[i];
      out << "sm " << i << " blocks " << s.blocks << " resident " << s.most_resident_blocks << " active "
          << s.active_cycles << " warp-cycles " << s.active_warp_cycles << " allocated "
          << s.allocated_warp_cycles << " tail " << s.tail_active_warp_cycles << " "
          << s.tail_allocated_warp_cycles << " blocks " << s.block_cycles << " " << s.longest_block << " "
          << s.shortest_block << " " << static_cast<std::uint64_t>(s.block_cycles_squared >> 64U) << " "
          << static_cast<std::uint64_t>(s.block_cycles_squared) << "\n";
      for (std::size_t level = 0; level < level_count; ++level)
        out << "sm " << i << " " << level_keys[level] << " " << s.memory.accesses[level] << " "
            << s.memory.bytes[level] << "\n";
      out << "sm " << i << " spills " << s.memory.spill_loads << " " << s.memory.spill_stores << " l1 "
          << s.memory.l1_hits << " of " << s.memory.l1_decisions << "\n";
      for (std::size_t p = 0; p < s.sub_partitions.size(); ++p) {
        const SubPartitionResult& part = s.sub_partitions[p];
        out << "sm " << i << " part " << p << " eligible " << part.eligible_cycles << " none "
            << part.no_eligible_cycles << " threads " << part.thread_instructions << "\n";
        for (const std::uint64_t cycles : part.pipe_cycles)
          out << "sm " << i << " part " << p << " pipe " << cycles << "\n";
        for (const WarpStateInfo& state : warp_state_table)
          out << "sm " << i << " part " << p << " " << state.key << " " << part.state(state.state) << "\n";
      }
    }
  } catch (const RunError& error) {
    out << error.what();
  }
  return out.str();
}

/// The first line in which the engines differ; nothing if they agree.
std::optional<std::string> difference(const RandomCase& c)
{
  const ArchConfig sm = arch("h100", c.arch_overrides);
  const Workload w = workload(c.workload_yaml());
  const std::string event = all_numbers(sm, w, c, Engine::event);
  const std::string plain = all_numbers(sm, w, c, Engine::every_cycle);
  if (event == plain) return std::nullopt;
  std::istringstream a(event);
  std::istringstream b(plain);
  std::string line_a;
  std::string line_b;
  while (std::getline(a, line_a) && std::getline(b, line_b) && line_a == line_b) {
  }
  return "event engine: " + line_a + "\nevery cycle:  " + line_b;
}

/// A case that something was taken away from may not be valid any more.
bool still_differs(const RandomCase& c)
{
  try {
    return difference(c).has_value();
  } catch (const InputError&) {
    return false;
  }
}

/// The end of the item or key that begins in line `first`: all lines that are indented deeper belong to it.
std::size_t end_of_block(const std::vector<std::string>& lines, std::size_t first)
{
  const std::size_t indent = lines[first].find_first_not_of(' ');
  std::size_t end = first + 1;
  while (end < lines.size() && lines[end].find_first_not_of(' ') > indent)
    ++end;
  return end;
}

/// Takes away whatever can go while the engines still differ.
RandomCase shrink(RandomCase c)
{
  bool smaller = true;
  const auto try_without = [&](auto member) {
    for (std::size_t i = 0; i < (c.*member).size();) {
      RandomCase tried = c;
      (tried.*member).erase((tried.*member).begin() + static_cast<std::ptrdiff_t>(i));
      if (still_differs(tried)) {
        c = tried;
        smaller = true;
      } else {
        ++i;
      }
    }
  };
  while (smaller) {
    smaller = false;
    for (std::size_t i = 0; i < c.program.size();) {
      RandomCase tried = c;
      const auto at = [&](std::size_t line) {
        return tried.program.begin() + static_cast<std::ptrdiff_t>(line);
      };
      tried.program.erase(at(i), at(end_of_block(tried.program, i)));
      if (still_differs(tried)) {
        c = tried;
        smaller = true;
      } else {
        ++i;
      }
    }
    try_without(&RandomCase::arch_overrides);
    if (c.sms > 1) {
      RandomCase tried = c;
      tried.sms = 1;
      if (still_differs(tried)) {
        c = tried;
        smaller = true;
      }
    }
  }
  return c;
}

/// The architecture as a file: the preset it starts from and what is different.
std::string arch_file(const RandomCase& c)
{
  YamlNode root = YamlNode::map();
  root.add("base", YamlNode::scalar("h100"));
  // An opcode's name may hold dots: it is there before a path through it is set.
  YamlNode& opcodes = root.add("opcodes", YamlNode::map());
  for (const OpcodeConfig& opcode : arch("h100").opcodes)
    opcodes.add(opcode.name, YamlNode::map());
  Diagnostics diagnostics;
  apply_overrides(root, c.arch_overrides, diagnostics);
  std::erase_if(root.find("opcodes")->entries,
                [](const YamlEntry& entry) { return entry.value.entries.empty(); });
  std::erase_if(root.entries,
                [](const YamlEntry& e) { return e.key == "opcodes" && e.value.entries.empty(); });
  return yaml_text(root);
}

std::string as_files(const RandomCase& c)
{
  return "--- workload.yaml\n" + c.workload_yaml() + "--- sm.yaml\n" + arch_file(c) +
         "--- smsim run workload.yaml --arch sm.yaml --policy " + c.policy + " --sms " +
         std::to_string(c.sms) + " --seed " + std::to_string(c.seed) +
         " --max-cycles 20000 --format json --engine event|every-cycle\n";
}

}  // namespace

TEST_CASE("the event engine gives every number that the engine of every cycle gives: 5 000 random cases")
{
  const auto [first, count] = chosen_cases();
  std::uint64_t ran = 0;
  int reported = 0;
  for (std::uint64_t number = first; number < first + count && reported < 3; ++number) {
    const RandomCase c = draw_case(number);
    REQUIRE_NOTHROW(arch("h100", c.arch_overrides));
    REQUIRE_NOTHROW(workload(c.workload_yaml()));
    ++ran;
    if (const auto found = difference(c)) {
      ++reported;
      const RandomCase small = shrink(c);
      const std::string files = as_files(small);
      const std::string what = difference(small).value_or(*found);
      FAIL_CHECK("case " << number << "\n" << what << "\n" << files);
    }
  }
  CHECK(ran > 0);
}

TEST_CASE("one random case in seven or so spills registers")
{
  std::size_t spilling = 0;
  for (std::uint64_t number = 1; number <= 200; ++number) {
    const RandomCase c = draw_case(number);
    Diagnostics diagnostics;
    const Workload w =
        with_register_cap(arch("h100", c.arch_overrides), workload(c.workload_yaml()), diagnostics);
    REQUIRE(diagnostics.ok());
    if (w.spills && !w.spills->values.empty()) ++spilling;
  }
  CHECK(spilling >= 15);  // compilers draw in different orders
}

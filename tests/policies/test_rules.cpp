// Each policy's rule, on the smallest case that shows it. One scheduler; where nothing else is said slot i is
// block i and older than slot i + 1.
#include "sm/warp_scheduler/registry.h"
#include "support/issue_trace.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace smsim;
using namespace smsim::test;

namespace {

std::vector<Issue> trace(const std::string& policy, const Workload& w,
                         std::vector<std::string> parameters = {})
{
  parameters.insert(parameters.begin(), "scheduler.policy=" + policy);
  return issues_of(one_scheduler(parameters), w, policy);
}

/// The slots in the order of their issues.
std::string order(const std::string& policy, const Workload& w,
                  const std::vector<std::string>& parameters = {})
{
  std::string slots;
  for (const Issue& issue : trace(policy, w, parameters))
    slots += std::to_string(issue.slot);
  return slots;
}

std::vector<std::uint64_t> cycles(const std::string& policy, const Workload& w,
                                  const std::vector<std::string>& parameters = {})
{
  std::vector<std::uint64_t> found;
  for (const Issue& issue : trace(policy, w, parameters))
    found.push_back(issue.cycle);
  return found;
}

/// Two warps of 6 nops; `first`: a count for each, of a nop in front that stalls for 5 cycles.
Workload one_stalls(const std::string& first)
{
  return kernel(2, 32,
                "  - loop:\n      count: {per: block, values: " + first +
                    "}\n      body: [{op: nop, stall: 5}]\n" + "  - loop: {count: 6, body: [nop]}\n");
}

/// A policy by itself, asked by hand.
struct Bench {
  explicit Bench(const std::string& policy, std::uint32_t warps, const PolicyValues& values = {})
  {
    Diagnostics diagnostics;
    const PolicyInfo* const row = find_policy(policy, {}, diagnostics);
    scheduler = row->make(setup_of(*row, values, 1));
    for (std::uint32_t slot = 0; slot < warps; ++slot) {
      age.launch(WarpSlot{slot}, (WarpMask{1} << slot) - 1);
      scheduler->on_launch(WarpSlot{slot}, {Cycle{0}, BlockId{slot}, 0, 100});
    }
  }
  /// The slot that is picked; -1: none.
  [[nodiscard]] int pick(std::uint64_t now, WarpMask eligible, WarpMask memory,
                         std::uint64_t backlog = 0) const
  {
    const WarpSlot slot = scheduler->pick({Cycle{now}, eligible, memory, backlog, age});
    return slot == no_warp ? -1 : static_cast<int>(slot.value());
  }
  void issue(std::uint32_t slot, std::uint64_t now, bool memory, std::uint32_t remaining = 0) const
  {
    scheduler->on_issue(WarpSlot{slot}, {Cycle{now}, memory, remaining});
  }

  std::unique_ptr<WarpScheduler> scheduler;
  AgeOrder age;
};

}  // namespace

TEST_CASE("gto stays on a warp when an older one comes back, oldest does not, lrr takes turns")
{
  const Workload w = one_stalls("[1, 0]");  // the older stalls
  CHECK(order("gto", w) == "0111111000000");
  CHECK(order("oldest", w) == "0111100000011");
  CHECK(order("lrr", w) == "0111101010000");
}

TEST_CASE("cggty stays on a warp when a younger one comes back, youngest does not")
{
  const Workload w = one_stalls("[0, 1]");  // the younger stalls
  CHECK(order("cggty", w) == "1000000111111");
  CHECK(order("youngest", w) == "1000011111100");
}

TEST_CASE("rr_strict waits for the warp whose turn it is, and passes over one at a barrier")
{
  CHECK(order("rr_strict", one_stalls("[1, 0]")) == "0101010101010");
  const std::vector<std::uint64_t> when = cycles("rr_strict", one_stalls("[1, 0]"));
  CHECK(std::vector<std::uint64_t>(when.begin(), when.begin() + 4) == std::vector<std::uint64_t>{0, 1, 5, 6});
  const Workload barrier = kernel(1, 64,
                                  "  - loop: {count: {per: warp, values: [0, 3]}, body: [nop]}\n"
                                  "  - bar.sync 0\n"
                                  "  - nop\n",
                                  "  barriers: 1\n");
  CHECK(order("rr_strict", barrier) == "0111101");
}

TEST_CASE("random gives each warp about its share, in no order of its own")
{
  const Workload w = kernel(4, 32, "  - loop: {count: 1000, body: [nop]}\n");
  const std::string slots = order("random", w).substr(0, 2000);
  for (const char slot : {'0', '1', '2', '3'}) {
    const auto issued = std::count(slots.begin(), slots.end(), slot);
    CHECK(issued > 430);  // 500 expected, standard deviation 19
    CHECK(issued < 570);
  }
  std::size_t same = 0;
  for (std::size_t i = 1; i < slots.size(); ++i)
    if (slots[i] == slots[i - 1]) ++same;
  CHECK(same > 430);  // a quarter of the times the same warp again
  CHECK(same < 570);
}

TEST_CASE("block_oldest lets the warps of the oldest block go in turn, others fill in")
{
  CHECK(order("block_oldest", kernel(2, 64, "  - nop\n  - nop\n")) == "01012323");
  CHECK(order("block_oldest", kernel(2, 64, "  - {op: nop, stall: 3}\n  - nop\n")) == "01201233");
}

TEST_CASE("owl stays on a group of blocks while one of its warps can issue")
{
  const Workload w = kernel(2, 64, "  - {op: nop, stall: 3}\n  - nop\n  - nop\n");
  CHECK(order("owl", w, {"scheduler.group_blocks=1"}) == "012301012323");
  CHECK(order("owl", w, {"scheduler.group_blocks=2"}) == "012301230123");
}

TEST_CASE("swl lets only the oldest issue, as many as its limit says")
{
  const Workload w = kernel(3, 32, "  - {op: nop, stall: 4}\n  - nop\n");
  CHECK(order("swl", w, {"scheduler.limit=1"}) == "001122");
  CHECK(cycles("swl", w, {"scheduler.limit=1"}) == std::vector<std::uint64_t>{0, 4, 5, 9, 10, 14});
  CHECK(order("swl", w, {"scheduler.limit=2"}) == "010122");
  CHECK(cycles("swl", w, {"scheduler.limit=2"}) == std::vector<std::uint64_t>{0, 1, 4, 5, 6, 10});
  // Warps at a barrier do not count: those that they wait for get in.
  const Workload barrier = kernel(1, 96, "  - nop\n  - bar.sync 0\n  - nop\n", "  barriers: 1\n");
  CHECK(order("swl", barrier, {"scheduler.limit=1"}) == "001122012");
}

TEST_CASE("two_level_active puts a warp out of the set for a long wait only")
{
  const Workload long_waits = kernel(3, 32, "  - repeat: {compute: 2, stall: 10, rounds: 2}\n");
  CHECK(order("two_level_active", long_waits, {"scheduler.active_set=1"}) == "001122001122");
  const Workload short_waits =
      kernel(2, 32, "  - fadd r4, r4, r5\n  - fadd r4, r4, r5\n  - fadd r4, r4, r5\n");
  CHECK(cycles("two_level_active", short_waits, {"scheduler.active_set=1"}) ==
        std::vector<std::uint64_t>{0, 4, 8, 9, 13, 17});
  // The first of the pending that can issue takes the place: a barrier holds nobody for ever.
  const Workload barrier = kernel(1, 96, "  - nop\n  - bar.sync 0\n  - nop\n", "  barriers: 1\n");
  CHECK(order("two_level_active", barrier, {"scheduler.active_set=1"}) == "001122012");
}

TEST_CASE("two_level_groups goes on to the next group when all of a group's warps wait long")
{
  const std::vector<std::string> two{"scheduler.group_size=2"};
  const Workload long_waits = kernel(4, 32, "  - repeat: {compute: 2, stall: 10, rounds: 2}\n");
  CHECK(order("two_level_groups", long_waits, two) == "0101232301012323");
  // While they wait for something short, others fill in, and the group keeps its priority.
  const Workload short_waits = kernel(4, 32, "  - {op: nop, stall: 3}\n  - nop\n");
  CHECK(order("two_level_groups", short_waits, two) == "01201323");
}

TEST_CASE("ccws holds back the memory accesses of those above a warp that misses lines it lost")
{
  const Bench bench("ccws", 4);  // 16 victim tags, base score 100, hit score 800
  constexpr WarpMask w0 = 1, w1 = 2, w2 = 4;
  bench.scheduler->on_l1_miss(WarpSlot{2}, 7, Cycle{900});  // never lost: only a miss
  CHECK(bench.pick(1000, w0 | w1, w0 | w1) == 0);
  bench.scheduler->on_l1_evict(WarpSlot{2}, 7);
  bench.scheduler->on_l1_miss(WarpSlot{2}, 7,
                              Cycle{1000});  // its score is 900, more than the room of 4 x 100
  CHECK(bench.pick(1001, w0 | w1, w0 | w1) == -1);
  CHECK(bench.pick(1001, w0 | w1, w0) == 1);  // what is no access goes on
  CHECK(bench.pick(1001, w0 | w2, w0 | w2) == 2);
  // It falls by one a cycle: the next oldest fits on it when it is 300.
  CHECK(bench.pick(1599, w0 | w1, w0 | w1) == -1);
  CHECK(bench.pick(1600, w0 | w1, w0 | w1) == 0);
  CHECK(bench.pick(1600, w1, w1) == -1);
  CHECK(bench.pick(1700, w1, w1) == 1);
  // A warp remembers the last 16 lines that it lost.
  for (std::uint64_t line = 100; line < 117; ++line)
    bench.scheduler->on_l1_evict(WarpSlot{2}, line);
  bench.scheduler->on_l1_miss(WarpSlot{2}, 100, Cycle{3000});
  CHECK(bench.pick(3001, w0, w0) == 0);
  bench.scheduler->on_l1_miss(WarpSlot{2}, 101, Cycle{3001});
  CHECK(bench.pick(3002, w0, w0) == -1);
}

TEST_CASE("mascar gives memory to one warp while it is saturated")
{
  const Bench bench("mascar", 2);  // backlog 100
  constexpr WarpMask w0 = 1, w1 = 2;
  bench.issue(1, 10, true);
  CHECK(bench.pick(11, w0, w0, 99) == 0);
  CHECK(bench.pick(11, w0, w0, 100) == -1);
  CHECK(bench.pick(11, w0, 0, 100) == 0);  // computing is free
  CHECK(bench.pick(11, w0 | w1, w0 | w1, 100) == 1);
  bench.scheduler->on_stall(WarpSlot{1}, WarpState::wait);
  CHECK(bench.pick(12, w0, w0, 100) == -1);
  bench.scheduler->on_stall(WarpSlot{1}, WarpState::long_scoreboard);
  CHECK(bench.pick(12, w0, w0, 100) == 0);
}

TEST_CASE("cawa takes the warp that is furthest behind, and stays on it")
{
  const Bench bench("cawa", 3);
  bench.issue(0, 1, false, 10);
  bench.issue(1, 2, false, 30);
  bench.issue(2, 3, false, 20);
  CHECK(bench.pick(100, 0b111, 0) == 2);  // it issued last
  CHECK(bench.pick(100, 0b011, 0) == 1);  // 30 x 100 + 99 against 10 x 100 + 99
  for (std::uint64_t now = 4; now < 14; ++now)
    bench.issue(1, now, false, 30);
  bench.issue(2, 14, false, 20);
  CHECK(bench.pick(100, 0b011, 0) == 0);  // 10 x 100 / 1 + 99 against 30 x 100 / 11 + 89
}

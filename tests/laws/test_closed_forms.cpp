// The exact anchors of docs/model.md, section "Closed forms": one scheduler, W warps resident from cycle 0, k
// instructions of one cycle each and then a stall of L cycles, R rounds.
#include "support/kernels.h"

#include <doctest/doctest.h>

using namespace smsim;
using namespace smsim::test;

namespace {

struct Shape {
  std::uint64_t w, k, l, r;
};

Workload rounds(const Shape& s)
{
  return kernel(s.w, 32,
                "  - repeat: {compute: " + std::to_string(s.k) + ", stall: " + std::to_string(s.l) +
                    ", rounds: " + std::to_string(s.r) + "}\n");
}

std::uint64_t cycles_of(const Shape& s, const char* policy)
{
  return run(one_scheduler(), rounds(s), policy).cycles;
}

/// Instructions issued in the window [from, to).
std::uint64_t issued_between(const Shape& s, const char* policy, std::uint64_t from, std::uint64_t to)
{
  const ArchConfig sm = one_scheduler();
  return run(sm, rounds(s), policy, to).instructions() - run(sm, rounds(s), policy, from).instructions();
}

}  // namespace

TEST_CASE("gto takes the total cycles of the closed form, unsaturated and saturated")
{
  CHECK(cycles_of({4, 10, 100, 5}, "gto") == 480);
  CHECK(cycles_of({8, 10, 100, 7}, "gto") == 740);
  CHECK(cycles_of({11, 10, 100, 3}, "gto") == 330);
  CHECK(cycles_of({16, 4, 100, 5}, "gto") == 480);
  CHECK(cycles_of({12, 10, 100, 50}, "gto") == 10'900);
  CHECK(cycles_of({16, 10, 100, 400}, "gto") == 87'940);
  CHECK(cycles_of({22, 10, 100, 100}, "gto") == 22'000);
}

TEST_CASE(
    "a pipe is taken for its instructions' intervals, no more and no less, and half lanes take twice as long")
{
  for (const std::uint64_t lanes : {32U, 16U}) {
    const ArchConfig sm = arch("h100", {"sm.sub_partitions=1", "pipes.fma.lanes=" + std::to_string(lanes)});
    const RunResult result =
        run(sm, kernel(3, 96, "  - loop: {count: 7, body: [\"ffma r4, r4, r5, r6\", nop]}\n"), "gto");
    for (std::size_t pipe = 0; pipe < sm.pipes.size(); ++pipe)
      CHECK(result.pipe_cycles(pipe) == (sm.pipes[pipe].name == "fma" ? 3 * 3 * 7 * 32 / lanes : 0));
  }
}

TEST_CASE("loose round robin takes the total cycles of the closed form")
{
  CHECK(cycles_of({4, 10, 100, 5}, "lrr") == 588);
  CHECK(cycles_of({8, 10, 100, 7}, "lrr") == 1118);
  CHECK(cycles_of({11, 10, 100, 3}, "lrr") == 510);
  CHECK(cycles_of({16, 4, 100, 5}, "lrr") == 660);
  CHECK(cycles_of({12, 10, 100, 50}, "lrr") == 10'361);
  CHECK(cycles_of({16, 10, 100, 400}, "lrr") == 97'915);
  CHECK(cycles_of({22, 10, 100, 100}, "lrr") == 29'821);
}

TEST_CASE("greedy totals are (W-1)k + (R-1)(k+L) + k while W k <= k + L")
{
  for (std::uint64_t w = 1; w <= 12; ++w)
    for (std::uint64_t k : {1U, 2U, 7U, 10U})
      for (std::uint64_t l : {0U, 1U, 5U, 37U, 100U, 1000U})
        for (std::uint64_t r : {1U, 2U, 6U}) {
          if (w * k > k + l) continue;
          CAPTURE(w);
          CAPTURE(k);
          CAPTURE(l);
          CAPTURE(r);
          CHECK(cycles_of({w, k, l, r}, "gto") == (w - 1) * k + (r - 1) * (k + l) + k);
        }
}

TEST_CASE("round robin totals in phase are R W k + (R-1)(L-W+1) while L >= W - 1")
{
  for (std::uint64_t w = 1; w <= 16; w += 3)
    for (std::uint64_t k : {1U, 4U, 10U})
      for (std::uint64_t l : {15U, 40U, 100U, 700U})
        for (std::uint64_t r : {1U, 2U, 9U}) {
          CAPTURE(w);
          CAPTURE(k);
          CAPTURE(l);
          CAPTURE(r);
          CHECK(cycles_of({w, k, l, r}, "lrr") == r * w * k + (r - 1) * (l + 1 - w));
        }
}

TEST_CASE("the steady issue rate of a greedy policy is min(1, W k / (k + L))")
{
  // Each rate is that of whole periods of k + L cycles, before the first warp ends.
  const auto check = [](const Shape& s) {
    const std::uint64_t period = s.k + s.l;
    const std::uint64_t issued = issued_between(s, "gto", 2 * period, 5 * period);
    CHECK(issued == 3 * std::min(period, s.w * s.k));
  };
  check({4, 10, 100, 40});   // 0.3636
  check({10, 10, 100, 40});  // 0.9091
  check({11, 10, 100, 40});  // 1
  check({3, 10, 15, 40});    // 1
  check({16, 20, 100, 40});  // 1
  check({16, 4, 100, 40});   // 0.6154
  check({16, 25, 400, 40});  // 0.9412
}

TEST_CASE("the steady issue rate of loose round robin in phase is W k / (W k + L - W + 1)")
{
  const auto check = [](const Shape& s) {
    const std::uint64_t period = s.w * s.k + s.l - s.w + 1;
    CHECK(issued_between(s, "lrr", 2 * period, 5 * period) == 3 * s.w * s.k);
  };
  check({4, 10, 100, 40});   // 0.2920
  check({10, 10, 100, 40});  // 0.5236
  check({11, 10, 100, 40});  // 0.5500
  check({3, 10, 15, 40});    // 0.6977
  check({16, 20, 100, 40});  // 0.7901
}

TEST_CASE("V100 double precision: cycles per instruction of the SM for warps x independent chains")
{
  // DFMA latency 8, interval 4. The rate is that of the rounds between a short and a long run, so that start
  // and end do not count. Measured on hardware: 8.67, 4.63, 4.29, 2.14, 1.16, 1.08 (RRZE gpu-benches,
  // cuda-incore).
  const ArchConfig v100 = arch("v100");
  const auto cycles_per_instruction = [&](std::uint64_t warps, std::uint64_t chains) {
    std::string body;
    for (std::uint64_t chain = 0; chain < chains; ++chain) {
      const std::string r = "r" + std::to_string(10 + chain);
      body += "        - dfma " + r + ", " + r + ", r1, r2\n";
    }
    const auto result = [&](std::uint64_t count) {
      return run(v100, kernel(1, warps * 32,
                              "  - loop:\n      count: " + std::to_string(count) + "\n      body:\n" + body));
    };
    const RunResult brief = result(50);
    const RunResult longer = result(150);
    return static_cast<double>(longer.cycles - brief.cycles) /
           static_cast<double>(longer.instructions() - brief.instructions());
  };
  CHECK(cycles_per_instruction(1, 1) == 8);
  CHECK(cycles_per_instruction(1, 2) == 4);
  CHECK(cycles_per_instruction(2, 1) == 4);
  CHECK(cycles_per_instruction(4, 1) == 2);
  CHECK(cycles_per_instruction(4, 2) == 1);
  CHECK(cycles_per_instruction(8, 1) == 1);
}

TEST_CASE("a dependent chain of latency a issues min(1, W / a) per cycle on one scheduler")
{
  for (std::uint64_t w = 1; w <= 6; ++w) {
    const Workload chain = kernel(w, 32, "  - loop: {count: 1000, body: [\"fmul r4, r4, r1\"]}\n");
    const RunResult result = run(one_scheduler(), chain, "lrr", 2000);
    const RunResult before = run(one_scheduler(), chain, "lrr", 1000);
    CHECK(result.instructions() - before.instructions() == 1000 * std::min<std::uint64_t>(w, 4) / 4);
  }
}

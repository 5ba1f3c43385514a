// Divergence: how a warp whose lanes take both sides of an `if` goes on, in whole runs.
#include "support/kernels.h"

#include <doctest/doctest.h>

using namespace smsim;
using namespace smsim::test;

namespace {

ArchConfig with(const std::string& divergence, std::vector<std::string> more = {})
{
  more.push_back("divergence=" + divergence);
  more.insert(more.end(),
              {"memory.l1.latency=40", "memory.sub_partition_interval=1", "memory.sm_interval=1"});
  return one_scheduler(more);
}

std::string split(const std::string& share, const std::string& then_side, const std::string& else_side = {})
{
  return "  - if:\n      " + share + "\n      then: [" + then_side + "]\n" +
         (else_side.empty() ? "" : "      else: [" + else_side + "]\n");
}

const std::string load4 = R"({op: "ld.global r4, [r2]", level: l1}, "fadd r6, r4, r4")";
const std::string load5 = R"({op: "ld.global r5, [r2]", level: l1}, "fadd r7, r5, r5")";

}  // namespace

TEST_CASE("a warp that diverges issues both sides, each with its own lanes")
{
  for (const char* divergence : {"stack", "independent"}) {
    CAPTURE(divergence);
    const RunResult result =
        run(with(divergence), kernel(1, 32, split("lanes: 8", "nop, nop, nop", "nop") + "  - nop\n"));
    CHECK(result.instructions() == 5);
    CHECK(result.cycles == 5);
    CHECK(result.thread_instructions() == 3 * 8 + 24 + 32);
    CHECK(result.average_active_lanes() == doctest::Approx(80.0 / 5));
  }
}

TEST_CASE("sides that wait for memory: a stack waits twice, independent paths at the same time")
{
  const Workload both = kernel(1, 32, split("fraction: 0.5", load4, load5) + "  - nop\n");
  const RunResult stack = run(with("stack"), both);
  // Load at 0, fadd at 40, load at 41, fadd at 81, nop at 82.
  CHECK(stack.cycles == 83);
  CHECK(in_state(stack, WarpState::long_scoreboard) == 2 * 39);
  const RunResult independent = run(with("independent"), both);
  // Loads at 0 and 1, fadds at 40 and 41, nop at 42.
  CHECK(independent.cycles == 43);
  CHECK(in_state(independent, WarpState::long_scoreboard) == 38);
}

TEST_CASE("a warp turns to its other path only when the one that it is on waits")
{
  // then: three nops and a sleep of 10; else: two nops. The two go on while the sleep lasts.
  const RunResult result = run(
      with("independent"), kernel(1, 32, split("lanes: 1", "nop, nop, nop, nanosleep 10, nop", "nop, nop")));
  // 0 to 2 nops, 3 sleep, 4 and 5 the other side, 13 the last nop.
  CHECK(result.cycles == 14);
  CHECK(in_state(result, WarpState::sleeping) == 7);
  CHECK(run(with("stack"), kernel(1, 32, split("lanes: 1", "nop, nop, nop, nanosleep 10, nop", "nop, nop")))
            .cycles == 16);
}

TEST_CASE("a busy unit does not make a warp turn")
{
  // Both sides use a pipe that takes an instruction every 8 cycles.
  const ArchConfig sm = with("independent", {"pipes.xu.lanes=4"});
  const RunResult result =
      run(sm, kernel(1, 32, split("lanes: 16", R"("mufu r4, r1", "mufu r5, r1")", "nop")));
  // mufu at 0 and 8, the nop of the other side at 9.
  CHECK(result.cycles == 10);
  CHECK(in_state(result, WarpState::math_pipe_throttle) == 7);
}

TEST_CASE("behind the join a warp waits for what either side waited for")
{
  for (const char* divergence : {"stack", "independent"}) {
    CAPTURE(divergence);
    const RunResult result =
        run(with(divergence), kernel(1, 32,
                                     split("lanes: 16", R"({op: "ld.global r4, [r2]", level: l1})", "nop") +
                                         "  - mov r5, r4\n"));
    CHECK(result.cycles == 41);
    CHECK(result.average_active_lanes() == doctest::Approx((16 + 16 + 32) / 3.0));
  }
}

TEST_CASE("where all active lanes take one side, the other is passed over")
{
  for (const char* divergence : {"stack", "independent"})
    for (const char* all : {"fraction: 1", "lanes: 32", "lanes: {per: warp, values: [32]}"}) {
      CAPTURE(divergence);
      CAPTURE(all);
      const Workload w = kernel(1, 32, split(all, "nop, nop", "nop, nop, nop, nop"));
      CHECK(run(with(divergence), w).thread_instructions() == 2 * 32);
    }
  for (const char* divergence : {"stack", "independent"}) {
    CHECK(run(with(divergence), kernel(1, 32, split("lanes: 0", "nop, nop", "nop"))).thread_instructions() ==
          32);
    CHECK(run(with(divergence), kernel(1, 32, split("fraction: 0", "nop") + "  - nop\n")).cycles == 1);
  }
}

TEST_CASE("a fraction is of the active lanes, to the nearest, a side may split again")
{
  for (const char* divergence : {"stack", "independent"}) {
    CAPTURE(divergence);
    // 32 lanes: 16 and 16; of the first, 0.4 x 16 = 6.4: 6 and 10.
    const std::string inner = "{if: {fraction: 0.4, then: [nop], else: [nop, nop]}}";
    const RunResult result =
        run(with(divergence), kernel(1, 32, split("fraction: 0.5", inner + ", nop", "nop")));
    CHECK(result.thread_instructions() == 6 + 2 * 10 + 16 + 16);
    CHECK(result.cycles == 5);
  }
}

TEST_CASE("lanes that exit on one side leave, the others go on, also those that waited for them")
{
  for (const char* divergence : {"stack", "independent"}) {
    CAPTURE(divergence);
    const RunResult result =
        run(with(divergence), kernel(1, 32, split("lanes: 12", "exit", "nop") + "  - nop\n  - nop\n"));
    CHECK(result.instructions() == 4);
    CHECK(result.thread_instructions() == 12 + 3 * 20);
    const RunResult late =
        run(with(divergence), kernel(1, 32, split("lanes: 12", "nop", "nanosleep 9, exit") + "  - nop\n"));
    CHECK(late.thread_instructions() == 12 + 2 * 20 + 12);
    const RunResult all =
        run(with(divergence), kernel(1, 32, split("lanes: 12", "exit", "exit") + "  - nop\n"));
    CHECK(all.thread_instructions() == 32);
    CHECK(all.cycles == 2);
  }
}

TEST_CASE("lanes of a loop leave one half at a time, until none is left")
{
  for (const char* divergence : {"stack", "independent"}) {
    CAPTURE(divergence);
    const Workload w = kernel(1, 32,
                              "  - loop:\n      count: 100\n      body:\n        - nop\n        - if: "
                              "{fraction: 0.5, then: [exit]}\n");
    // 32, 16, 8, 4, 2, 1: a half of one is rounded upwards.
    CHECK(run(with(divergence), w).thread_instructions() == 63 + 32);
  }
}

TEST_CASE("a barrier may stand in a side that each warp takes as a whole or not at all")
{
  for (const char* divergence : {"stack", "independent"}) {
    CAPTURE(divergence);
    const RunResult result = run(with(divergence, {"opcodes.bar.sync.latency=1"}),
                                 kernel(1, 64,
                                        split("fraction: {per: warp, values: [0, 1]}", "nop, bar.sync 0, nop",
                                              "bar.sync 0, nop, nop")));
    CHECK(result.instructions() == 6);
  }
}

TEST_CASE("the last warp of a block has the threads that are left")
{
  CHECK(run(one_scheduler(), kernel(1, 48, "  - nop\n")).average_active_lanes() == doctest::Approx(24));
}

TEST_CASE("a loop with branch: true spends an issue slot and a branch latency in every round")
{
  const ArchConfig sm = one_scheduler({"opcodes.bra.latency=5"});
  const RunResult result = run(sm, kernel(1, 32, "  - loop: {count: 3, branch: true, body: [nop]}\n"));
  CHECK(result.instructions() == 6);
  // nop 0, bra 1, nop 6, bra 7, nop 12, bra 13.
  CHECK(result.cycles == 14);
  CHECK(in_state(result, WarpState::branch_resolving) == 2 * 4);
}

TEST_CASE(
    "both engines agree on what the random cases found: a loop that leads back into a split, a path that "
    "outlives the others, an immediate constant on either")
{
  const std::string miss = R"({op: "ld.global r5, [r2]", constant_miss: 0.5})";
  const std::string programs[] = {
      "  - loop:\n      count: 9\n      body:\n        - if: {lanes: 9, then: [" + miss +
          "], else: [exit]}\n",
      "  - loop:\n      count: 9\n      body:\n        - if: {lanes: 9, then: [nop], else: [" + miss +
          "]}\n        - fadd r6, r5, r6\n",
      "  - loop:\n      count: 9\n      body:\n        - if: {lanes: 9, then: [{repeat: {compute: 2, stall: "
      "45, "
      "rounds: 3}}], else: [{if: {lanes: 2, then: [" +
          miss + "]}}]}\n  - nop\n"};
  for (const std::string& program : programs)
    for (const char* divergence : {"stack", "independent"})
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        CAPTURE(program);
        CAPTURE(divergence);
        CAPTURE(seed);
        const Workload w = kernel(10, 132, program);
        RunOptions options;
        options.sms = 10;  // no SM that stays empty: the plain engine would walk its every cycle
        options.seed = seed;
        const RunResult event = run_kernel(with(divergence), w, options);
        options.engine = Engine::every_cycle;
        const RunResult plain = run_kernel(with(divergence), w, options);
        CHECK(event.cycles == plain.cycles);
        CHECK(event.states() == plain.states());
      }
}

TEST_CASE("operands that .reuse keeps are dropped when other lanes become active")
{
  // Three operands of one bank, of which two would be kept for the other side, or for what comes behind it.
  const std::string keeps = "\"ffma r8, r2.reuse, r4.reuse, r6\"";
  const std::string plain = "\"ffma r8, r2, r4, r6\"";
  const auto cycles = [](const std::string& divergence, const std::string& first, const std::string& second) {
    const std::string both =
        "  - if:\n      lanes: 16\n      then: [" + first + "]\n      else: [" + second +
        "]\n  - ffma r9, r2, r4, r6\n  - ffma r10, r2, r4, r6\n  - ffma r11, r2, r4, r6\n";
    return run(with(divergence, {"register_file.banks=2", "register_file.read_window=3"}),
               kernel(1, 32, both))
        .cycles;
  };
  for (const char* divergence : {"stack", "independent"}) {
    CAPTURE(divergence);
    CHECK(cycles(divergence, keeps, keeps) == cycles(divergence, plain, plain));
  }
}

TEST_CASE("a loop whose sides hold no instruction for a warp is passed over, whatever its count")
{
  const std::string empty = "{loop: {count: 0, body: [nop]}}";
  for (const char* divergence : {"stack", "independent"}) {
    CAPTURE(divergence);
    const RunResult result = run(
        with(divergence), kernel(1, 32,
                                 "  - loop:\n      count: 1000000000000\n      body:\n        - if: {lanes: "
                                 "8, then: [" +
                                     empty + "], else: [" + empty + "]}\n  - nop\n"));
    CHECK(result.cycles == 1);
  }
}

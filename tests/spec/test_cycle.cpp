// What a cycle means: the rules of docs/model.md, one by one, each at the cycle where it must and must not
// hold.
#include "support/kernels.h"

#include <doctest/doctest.h>

using namespace smsim;
using namespace smsim::test;

namespace {

std::uint64_t cycles(const ArchConfig& sm, const std::string& program, std::uint64_t threads = 32)
{
  return run(sm, kernel(1, threads, program)).cycles;
}

}  // namespace

TEST_CASE("a program ends with its last instruction: its warp leaves one cycle later, without an issue slot")
{
  const RunResult result = run(one_scheduler(), kernel(1, 32, "  - nop\n"));
  CHECK(result.cycles == 1);
  CHECK(result.instructions() == 1);
  CHECK(in_state(result, WarpState::selected) == 1);
  CHECK(result.active_warp_cycles() == 1);
}

TEST_CASE("an explicit exit spends an issue slot")
{
  const RunResult result = run(one_scheduler(), kernel(1, 32, "  - nop\n  - exit\n"));
  CHECK(result.cycles == 2);
  CHECK(result.instructions() == 2);
}

TEST_CASE("a result is readable at issue + latency and not a cycle before")
{
  // fmul issues at 0; with latency 4 the next issues at 4 and its warp leaves at 5.
  CHECK(cycles(one_scheduler(), "  - fmul r4, r1, r2\n  - fmul r5, r4, r1\n") == 5);
  CHECK(cycles(one_scheduler({"opcodes.fmul.latency=7"}), "  - fmul r4, r1, r2\n  - fmul r5, r4, r1\n") == 8);
  CHECK(cycles(one_scheduler(), "  - fmul r4, r1, r2\n  - fmul r5, r3, r1\n") == 2);
}

TEST_CASE("a destination waits for the result that is still on its way to it")
{
  CHECK(cycles(one_scheduler(), "  - fmul r4, r1, r2\n  - fmul r4, r3, r6\n") == 5);
}

TEST_CASE("a stall count holds the warp for its cycles and is charged to wait")
{
  const RunResult result = run(one_scheduler(), kernel(1, 32, "  - {op: nop, stall: 6}\n  - nop\n"));
  CHECK(result.cycles == 7);
  CHECK(in_state(result, WarpState::wait) == 5);
}

TEST_CASE("while a stall count runs its state is charged, then that of the result that comes last")
{
  const ArchConfig sm = one_scheduler({"memory.l1.latency=40"});
  const RunResult result =
      run(sm, kernel(1, 32, "  - {op: \"ld.global r4, [r1]\", level: l1, stall: 11}\n  - mov r5, r4\n"));
  CHECK(result.cycles == 41);
  CHECK(in_state(result, WarpState::wait) == 10);
  CHECK(in_state(result, WarpState::long_scoreboard) == 29);
}

TEST_CASE("a warp that waits for several results is in the state of the one that comes last")
{
  const ArchConfig sm = one_scheduler({"memory.l1.latency=40", "opcodes.fmul.latency=50"});
  const RunResult result = run(
      sm, kernel(1, 32,
                 "  - {op: \"ld.global r4, [r1]\", level: l1}\n  - fmul r5, r1, r2\n  - iadd3 r6, r4, r5\n"));
  CHECK(result.cycles == 52);
  CHECK(in_state(result, WarpState::wait) == 49);
  CHECK(in_state(result, WarpState::long_scoreboard) == 0);
}

TEST_CASE("a pipe takes an instruction every warp_size / lanes cycles, waiting for it is math_pipe_throttle")
{
  // alu has 16 lanes: interval 2.
  const RunResult result =
      run(one_scheduler(), kernel(1, 32, "  - mov r4, r1\n  - mov r5, r1\n  - mov r6, r1\n"));
  CHECK(result.cycles == 5);
  CHECK(in_state(result, WarpState::math_pipe_throttle) == 2);
}

TEST_CASE("two warps take turns at a pipe: one is throttled while the other's instruction occupies it")
{
  const RunResult result = run(one_scheduler(), kernel(1, 64, "  - mov r4, r1\n"));
  // Cycle 0: one issues, the other could have. Cycle 1: the pipe is busy. Cycle 2: the other issues.
  CHECK(result.cycles == 3);
  CHECK(in_state(result, WarpState::not_selected) == 1);
  CHECK(in_state(result, WarpState::math_pipe_throttle) == 1);
  CHECK(in_state(result, WarpState::selected) == 2);
}

TEST_CASE("a pipe of scope sm is shared: the sub-partition that is visited later in the cycle finds it taken")
{
  const ArchConfig sm = arch("rtx3090");  // fp64: 2 lanes per SM, interval 16
  const RunResult result = run(sm, kernel(1, 128, "  - dadd r4, r1, r2\n"));
  CHECK(result.cycles == 3 * 16 + 1);
  // Three warps wait 16, 32 and 48 cycles for the pipe; in the cycle in which they could have issued
  // themselves but another sub-partition came first, they are throttled too.
  CHECK(in_state(result, WarpState::math_pipe_throttle) == 16 + 32 + 48);
  CHECK(in_state(result, WarpState::not_selected) == 0);
}

TEST_CASE("sub-partitions are visited from cycle mod sub_partitions on, so a shared pipe goes round")
{
  const ArchConfig sm = arch("rtx3090", {"pipes.fp64.lanes=32", "opcodes.dadd.interval=1"});
  const RunResult result =
      run(sm, kernel(1, 128, "  - loop: {count: 4, body: [\"dadd r4, r1, r2\", \"dadd r5, r1, r2\"]}\n"));
  for (const SubPartitionResult& part : result.sms[0].sub_partitions)
    CHECK(part.issued() == 8);
  CHECK(result.instructions() == 32);
}

TEST_CASE("a barrier opens at the last arrival + latency, for all of the block")
{
  const ArchConfig sm = one_scheduler({"opcodes.bar.sync.latency=20"});
  // Two warps arrive at 0 and 1: both may issue at 21, one does, the other at 22.
  const RunResult result = run(sm, kernel(1, 64, "  - bar.sync 0\n  - nop\n"));
  CHECK(result.cycles == 23);
  CHECK(in_state(result, WarpState::barrier) == 20 + 19);
}

TEST_CASE("a barrier does not wait for warps that have exited")
{
  const ArchConfig sm = one_scheduler({"opcodes.bar.sync.latency=5"});
  const RunResult result = run(sm,
                               kernel(1, 64,
                                      "  - loop: {count: {per: warp, values: [0, 1]}, body: [bar.sync 0]}\n"
                                      "  - nop\n"),
                               "gto");
  // Warp 0 issues its nop at 0 and leaves at 1. Warp 1 arrives at 1: alone in its block, it opens the barrier
  // itself.
  CHECK(result.cycles == 1 + 5 + 1);
}

TEST_CASE("a warp that leaves opens a barrier that waited only for it, in that cycle")
{
  const ArchConfig sm = one_scheduler({"opcodes.bar.sync.latency=2"});
  const Workload w =
      kernel(1, 64,
             "  - loop: {count: {per: warp, values: [1, 0]}, body: [bar.sync 0]}\n"
             "  - loop: {count: {per: warp, values: [0, 1]}, body: [{op: nop, stall: 50}, nop]}\n"
             "  - loop: {count: {per: warp, values: [1, 0]}, body: [nop]}\n");
  // Warp 0 arrives at 0. Warp 1 issues at 1 and 51 and leaves at 52: warp 0 issues at 52.
  const RunResult result = run(sm, w, "gto");
  CHECK(result.cycles == 53);
  CHECK(in_state(result, WarpState::barrier) == 51);
}

TEST_CASE("a barrier with a thread count opens when that many have arrived")
{
  const ArchConfig sm = one_scheduler({"opcodes.bar.sync.latency=1"});
  // 4 warps; pairs open it: after the arrivals of cycles 0 and 1, and of 2 and 3.
  const RunResult result = run(sm, kernel(1, 128, "  - bar.sync 0, 64\n"), "lrr");
  CHECK(result.cycles == 4);
}

TEST_CASE("the last instruction may be a barrier: the warp leaves when it has opened")
{
  CHECK(cycles(one_scheduler({"opcodes.bar.sync.latency=9"}), "  - bar.sync 0\n") == 9);
}

TEST_CASE("a warp that has exited drains: it stays until its accesses are done")
{
  const ArchConfig sm = one_scheduler({"memory.l1.latency=40"});
  const RunResult result = run(sm, kernel(1, 32, "  - {op: \"st.global [r1], r2\", level: l1}\n  - exit\n"));
  CHECK(result.cycles == 40);
  CHECK(in_state(result, WarpState::drain) == 38);
}

TEST_CASE("warps may issue launch_latency cycles after the launch, until then they have no instruction")
{
  const RunResult result = run(one_scheduler({"dispatch.launch_latency=30"}), kernel(1, 32, "  - nop\n"));
  CHECK(result.cycles == 31);
  CHECK(in_state(result, WarpState::no_instruction) == 30);
}

TEST_CASE("blocks of one SM launch at most one each launch_interval cycles")
{
  const ArchConfig sm = one_scheduler({"dispatch.launch_interval=10"});
  CHECK(run(sm, kernel(4, 32, "  - nop\n")).cycles == 31);
  CHECK(run(one_scheduler(), kernel(4, 32, "  - nop\n")).cycles == 4);
}

TEST_CASE("a block that ends frees its room in the same cycle")
{
  const ArchConfig sm = one_scheduler({"sm.max_blocks=1"});
  CHECK(run(sm, kernel(5, 32, "  - {op: nop, stall: 10}\n  - nop\n")).cycles == 5 * 11);
}

TEST_CASE(
    "an exited warp is not active, but its slot is held until its block ends, or not with release: warp")
{
  const std::string uneven =
      "  - loop: {count: {per: warp, values: [1, 100]}, body: [{op: nop, stall: 10}]}\n  - nop\n";
  const ArchConfig by_block = one_scheduler({"sm.max_warps=2"});
  const ArchConfig by_warp = one_scheduler({"sm.max_warps=2", "register_file.release=warp"});
  const RunResult held = run(by_block, kernel(1, 64, uneven));
  CHECK(held.sms[0].allocated_warp_cycles == 2 * held.cycles);
  CHECK(held.sms[0].active_warp_cycles < 2 * held.cycles);
  const RunResult freed = run(by_warp, kernel(1, 64, uneven));
  CHECK(freed.cycles == held.cycles);
  CHECK(freed.sms[0].allocated_warp_cycles == freed.sms[0].active_warp_cycles);
}

TEST_CASE("a branch keeps its warp until it has resolved")
{
  const RunResult result =
      run(one_scheduler({"opcodes.bra.latency=10"}), kernel(1, 32, "  - bra\n  - nop\n"));
  CHECK(result.cycles == 11);
  CHECK(in_state(result, WarpState::branch_resolving) == 9);
}

TEST_CASE("loops run their counts: nested, per block, per warp, zero, and empty of instructions")
{
  const auto instructions = [](const std::string& program, std::uint64_t grid = 1,
                               std::uint64_t threads = 32) {
    return run(one_scheduler(), kernel(grid, threads, program)).instructions();
  };
  CHECK(instructions("  - loop: {count: 7, body: [nop, nop]}\n") == 14);
  CHECK(instructions("  - loop: {count: 3, body: [{loop: {count: 5, body: [nop]}}, nop]}\n") == 18);
  CHECK(instructions("  - loop: {count: 3, body: [{loop: {count: 5, body: [nop]}}]}\n") == 15);
  CHECK(instructions("  - loop: {count: 3, body: [nop, {loop: {count: 5, body: [nop]}}]}\n  - nop\n") == 19);
  CHECK(instructions("  - loop: {count: 0, body: [nop]}\n  - nop\n") == 1);
  CHECK(instructions("  - nop\n  - loop: {count: 0, body: [nop]}\n") == 1);
  CHECK(instructions("  - loop: {count: 4, body: [{loop: {count: 0, body: [nop]}}, nop]}\n") == 4);
  CHECK(instructions(
            "  - loop: {count: 1000000000000, body: [{loop: {count: 0, body: [nop]}}]}\n  - nop\n") == 1);
  CHECK(instructions("  - loop: {count: {per: block, values: [1, 2, 3]}, body: [nop]}\n", 3) == 6);
  CHECK(instructions("  - loop: {count: {per: warp, values: [1, 2, 3]}, body: [nop]}\n", 2, 96) == 12);
  CHECK(instructions(
            "  - loop: {count: 2, body: [{loop: {count: 2, body: [{loop: {count: 2, body: [nop]}}]}}]}\n") ==
        8);
}

TEST_CASE("a run can be bounded: it ends there with what it has, and the laws still hold")
{
  const RunResult result =
      run(arch("a100"), kernel(100, 256, "  - loop: {count: 1000, body: [\"ld.global r4, [r4]\"]}\n"), {},
          12'345);
  CHECK(result.stopped_early);
  CHECK(result.cycles == 12'345);
  std::uint64_t in_states = 0;
  for (const std::uint64_t cycles_in_state : result.states())
    in_states += cycles_in_state;
  CHECK(in_states == result.active_warp_cycles());
  CHECK(result.active_warp_cycles() == 64 * 12'345);
}

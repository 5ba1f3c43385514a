// Mechanisms of the SM beyond plain issue, in whole runs: fences, sleep, named barriers, caches, instruction
// supply.
#include "support/kernels.h"

#include <doctest/doctest.h>

using namespace smsim;
using namespace smsim::test;

namespace {

const char* const load_l1 = "  - {op: \"ld.global r4, [r2]\", level: l1}\n";

}  // namespace

TEST_CASE("a fence holds its warp until its own accesses are done, charged to membar")
{
  const ArchConfig sm = one_scheduler({"memory.l1.latency=40"});
  const RunResult result = run(sm, kernel(1, 32, std::string(load_l1) + "  - membar\n  - nop\n"));
  // Load at 0, fence at 1, the next at 40.
  CHECK(result.cycles == 41);
  CHECK(in_state(result, WarpState::membar) == 38);
  CHECK(run(sm, kernel(1, 32, "  - membar\n  - nop\n")).cycles == 2);
}

TEST_CASE("a warp that sleeps is away for the cycles that it asked for")
{
  const RunResult result = run(one_scheduler(), kernel(1, 32, "  - nanosleep 50\n  - nop\n"));
  CHECK(result.cycles == 51);
  CHECK(in_state(result, WarpState::sleeping) == 49);
}

TEST_CASE("bar.arrive counts at a barrier without waiting: a producer goes on, the consumers are held until "
          "it has come")
{
  const ArchConfig sm = one_scheduler({"opcodes.bar.sync.latency=1"});
  // Warp 0 works for 30 cycles and arrives; warp 1 waits at the barrier for 64 threads.
  const RunResult result =
      run(sm,
          kernel(1, 64,
                 "  - loop: {count: {per: warp, values: [1, 0]}, body: [{op: nop, stall: 30}, "
                 "\"bar.arrive 0, 64\", nop]}\n"
                 "  - loop: {count: {per: warp, values: [0, 1]}, body: [\"bar.sync 0, 64\"]}\n"),
          "gto");
  // nop at 0, arrive at 30, nop at 31. Warp 1 arrives at 1 and may go at 31.
  CHECK(result.cycles == 32);
  CHECK(in_state(result, WarpState::barrier) == 29);
}

TEST_CASE("a lane stride becomes bank conflicts: passes are the lanes that hit one bank in different words")
{
  const ArchConfig sm =
      one_scheduler({"memory.front_latency=0", "opcodes.ld.shared.latency=20", "memory.sm_interval=1"});
  const auto cycles = [&](int stride) {
    return run(sm, kernel(1, 32,
                          "  - {op: \"ld.shared r4, [r2]\", lane_stride: " + std::to_string(stride) +
                              "}\n  - mov r5, r4\n"))
        .cycles;
  };
  const auto passes = [&](int stride) { return cycles(stride) - cycles(1) + 1; };
  CHECK(passes(0) == 1);  // all lanes the same word: a broadcast
  CHECK(passes(2) == 2);
  CHECK(passes(3) == 1);  // odd: no conflict
  CHECK(passes(8) == 8);
  CHECK(passes(32) == 32);
  CHECK(passes(33) == 1);
}

TEST_CASE("a working set that fits L1 is fetched once, one that does not is fetched again and again")
{
  // One block of 8 warps walks over its footprint 20 times; L1 keeps 28 KiB beside a carveout of 164.
  const ArchConfig a100 = arch("a100");
  const auto result = [&](int kib) {
    const int rounds = 20 * kib * 1024 / 128 / 8;
    return run(a100, kernel(1, 256,
                            "  - loop:\n      count: " + std::to_string(rounds) +
                                "\n      body:\n        - op: ld.global r4, [r2]\n          address: "
                                "{pattern: block_shared, footprint: " +
                                std::to_string(kib) + " KiB}\n"));
  };
  const RunResult fits = result(16);
  const std::uint64_t lines = 16 * 1024 / 128;
  CHECK(fits.memory().accesses[index_of(Level::dram)] == lines);
  CHECK(fits.memory().accesses[index_of(Level::l1)] == 19 * lines);
  const RunResult thrashes = result(64);
  CHECK(thrashes.memory().accesses[index_of(Level::l1)] ==
        0);  // least recently used, walked in a ring: every access misses
}

TEST_CASE("a loop longer than the instruction cache misses every line in every round, a shorter one only in "
          "the first")
{
  const auto stalls = [](int instructions) {
    std::string body;
    for (int i = 0; i < instructions; ++i)
      body += "        - nop\n";
    const ArchConfig sm =
        one_scheduler({"instruction_supply.lines=4", "instruction_supply.line_instructions=8",
                       "instruction_supply.miss_latency=30"});
    return in_state(run(sm, kernel(1, 32, "  - loop:\n      count: 10\n      body:\n" + body)),
                    WarpState::no_instruction);
  };
  CHECK(stalls(32) == 4 * 30);
  CHECK(stalls(40) == 10 * 5 * 30);
}

TEST_CASE("an immediate constant that misses delays its instruction, charged to imc_miss")
{
  const ArchConfig sm = one_scheduler({"memory.constant_miss_latency=79"});
  const RunResult result =
      run(sm, kernel(1, 32, "  - nop\n  - {op: \"fmul r4, r1, c[0][16]\", constant_miss: 1}\n"));
  CHECK(result.cycles == 1 + 79 + 1);
  CHECK(in_state(result, WarpState::imc_miss) == 79);
  CHECK(run(sm, kernel(1, 32, "  - nop\n  - {op: \"fmul r4, r1, c[0][16]\", constant_miss: 0}\n")).cycles ==
        2);
}

TEST_CASE("accesses in flight never exceed max_outstanding: throughput is the bound over the latency")
{
  const ArchConfig sm = arch(
      "h100", {"memory.max_outstanding=10", "memory.dram.latency=500", "memory.dram.bytes_per_cycle=none"});
  const Workload loads = kernel(1, 512, "  - loop: {count: 100, body: [\"ld.global rz, [r2]\"]}\n");
  const RunResult result = run(sm, loads);
  // 1 600 loads, 10 at a time, 500 cycles each.
  CHECK(result.cycles >= 1600 / 10 * 500);
  CHECK(result.cycles <= 1600 / 10 * 500 + 500);
}

TEST_CASE("shared memory against L1: a larger carveout raises occupancy, and lowers speed once the working "
          "set leaves L1")
{
  // Each block stages 8 KiB in shared memory and reads its own 8 KiB of global data again and again.
  const Workload w = workload(R"(
name: carveout
launch:
  grid: 64
  block: 128
  registers_per_thread: 32
  shared_memory: {static: 7 KiB}
program:
  - loop:
      count: 400
      body:
        - op: ld.global r4, [r2]
          address: {pattern: block_shared, footprint: 8 KiB}
          level: l2
        - fadd r5, r4, r5
)");
  const ArchConfig sm = arch("a100");
  std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks_and_cycles;
  for (const std::uint64_t kib : {16U, 32U, 64U, 100U, 132U}) {
    Workload chosen = w;
    chosen.kernel.carveout = {Carveout::Kind::bytes, kib * 1024};
    const RunResult result = run(sm, chosen);
    blocks_and_cycles.emplace_back(result.occupancy.blocks_per_sm, result.cycles);
  }
  for (std::size_t i = 1; i < blocks_and_cycles.size(); ++i)
    CHECK(blocks_and_cycles[i].first > blocks_and_cycles[i - 1].first);
  std::size_t fastest = 0;
  for (std::size_t i = 1; i < blocks_and_cycles.size(); ++i)
    if (blocks_and_cycles[i].second < blocks_and_cycles[fastest].second) fastest = i;
  std::string shown;
  for (const auto& [blocks, cycles] : blocks_and_cycles)
    shown += std::to_string(blocks) + " blocks " + std::to_string(cycles) + " cycles; ";
  MESSAGE(shown);
  // The turning point lies between: neither the least nor the most occupancy is the fastest.
  CHECK(fastest > 0);
  CHECK(fastest + 1 < blocks_and_cycles.size());
}

TEST_CASE("a switch penalty is paid after every change to another warp, and only then")
{
  const auto at = [](const std::string& penalty, std::uint64_t threads, const std::string& policy) {
    return run(one_scheduler({"scheduler.switch_penalty=" + penalty}),
               kernel(1, threads, "  - loop: {count: 10, body: [nop]}\n"), policy);
  };
  CHECK(at("0", 64, "lrr").cycles == 20);
  // In turn: 19 changes, of which the last delays nothing. Greedily: only the change in the middle.
  CHECK(at("7", 64, "lrr").cycles == 20 + 18 * 7);
  CHECK(at("7", 64, "gto").cycles == 20 + 7);
  CHECK(at("7", 32, "lrr").cycles == 10);
  CHECK(in_state(at("7", 64, "gto"), WarpState::dispatch_stall) == 7);
}

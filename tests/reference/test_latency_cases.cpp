// Public questions on latency hiding and statistics, answered by runs. Each case names its row of the public
// collection.
#include "support/kernels.h"
#include "support/program.h"

#include <doctest/doctest.h>

using namespace smsim;
using namespace smsim::test;

namespace {

/// Issue rate of one scheduler in steady state: instructions between two bounds of whole periods.
double steady_rate(const ArchConfig& sm, const Workload& w, const char* policy, std::uint64_t period)
{
  const std::uint64_t from = 4 * period;
  const std::uint64_t to = 12 * period;
  const std::uint64_t issued =
      run(sm, w, policy, to).instructions() - run(sm, w, policy, from).instructions();
  return static_cast<double>(issued) / static_cast<double>(to - from);
}

/// `warps` warps of one chain of dependent instructions.
Workload chain(std::uint64_t warps)
{
  return kernel(warps, 32, "  - loop: {count: 100000, body: [\"fmul r4, r4, r1\"]}\n");
}

Workload rounds(std::uint64_t warps, int compute, int stall)
{
  return kernel(warps, 32,
                "  - repeat: {compute: " + std::to_string(compute) + ", stall: " + std::to_string(stall) +
                    ", rounds: 1000}\n");
}

ArchConfig with_latency(int latency, int lanes = 32)
{
  return one_scheduler(
      {"opcodes.fmul.latency=" + std::to_string(latency), "pipes.fma.lanes=" + std::to_string(lanes)});
}

}  // namespace

TEST_CASE("lat-manning-16: 25 cycles of work hide a wait of 400 with 17 warps, not 16, and only for a greedy "
          "scheduler")
{
  const ArchConfig sm = one_scheduler();
  CHECK(steady_rate(sm, rounds(17, 25, 400), "gto", 425) == 1.0);
  CHECK(steady_rate(sm, rounds(16, 25, 400), "gto", 425) == doctest::Approx(16 * 25 / 425.0));
  // Warps in step stall together: the row's own small simulation gives 0.522.
  CHECK(steady_rate(sm, rounds(17, 25, 400), "lrr", 809) == doctest::Approx(0.522).epsilon(0.01));
}

TEST_CASE("lat-guide-cc3-44: an arithmetic latency of 11 takes 11 warps a scheduler, 44 on an SM of four")
{
  CHECK(steady_rate(with_latency(11), chain(11), "lrr", 11) == 1.0);
  CHECK(steady_rate(with_latency(11), chain(10), "lrr", 11) == doctest::Approx(10 / 11.0));
}

TEST_CASE("lat-guide-cc2-22 and lat-webinar-24: with an instruction each 4 cycles latencies of 22 and 24 "
          "take 6 warps, each cycle, 22")
{
  CHECK(steady_rate(with_latency(22, 8), chain(6), "lrr", 44) == 0.25);
  CHECK(steady_rate(with_latency(22, 8), chain(5), "lrr", 44) < 0.25);
  CHECK(steady_rate(with_latency(24, 8), chain(6), "lrr", 24) == 0.25);
  CHECK(steady_rate(with_latency(24, 8), chain(5), "lrr", 24) < 0.25);
  CHECK(steady_rate(with_latency(22), chain(22), "lrr", 22) == 1.0);
  CHECK(steady_rate(with_latency(22), chain(21), "lrr", 22) < 1.0);
}

TEST_CASE("lat-h100-4L: a latency of 4 on four schedulers takes 16 warps on the SM")
{
  const ArchConfig h100 = arch("h100");
  const auto rate = [&](std::uint64_t warps) {
    const Workload w = kernel(1, 32 * warps, "  - loop: {count: 100000, body: [\"fmul r4, r4, r1\"]}\n");
    return static_cast<double>(run(h100, w, "lrr", 2000).instructions() -
                               run(h100, w, "lrr", 1000).instructions()) /
           1000;
  };
  CHECK(rate(16) == 4.0);
  CHECK(rate(15) == 3.75);
}

TEST_CASE("lat-exercise-q23: one load of 300 cycles in five instructions takes 61 warps if the arithmetic is "
          "independent, 64 if not")
{
  const ArchConfig sm = one_scheduler();
  CHECK(steady_rate(sm, rounds(61, 5, 300), "gto", 305) == 1.0);
  CHECK(steady_rate(sm, rounds(60, 5, 300), "gto", 305) == doctest::Approx(300 / 305.0));
  // Dependent: four results of 4 cycles each before the load, 316 cycles a round: 63.2, so 64.
  const auto dependent = [](std::uint64_t warps) {
    return kernel(warps, 32,
                  "  - loop:\n      count: 100000\n      body:\n        - loop: {count: 4, body: [\"fmul r4, "
                  "r4, r1\"]}\n"
                  "        - {op: \"mov r4, r4\", stall: 300}\n");
  };
  const ArchConfig fast_mov = one_scheduler({"pipes.alu.lanes=32", "opcodes.mov.latency=4"});
  CHECK(steady_rate(fast_mov, dependent(64), "gto", 316) == doctest::Approx(1.0).epsilon(0.01));
  CHECK(steady_rate(fast_mov, dependent(60), "gto", 316) == doctest::Approx(300 / 316.0).epsilon(0.01));
}

TEST_CASE("lat-400-over-4: a latency of 400 at 4 cycles an instruction takes 100 warps, which no scheduler "
          "of 64 holds")
{
  // 64 warps of a stream of one instruction of 4 cycles and a wait reach 64 x 4 / 400 of the pipe.
  const ArchConfig sm = with_latency(4, 8);
  const Workload w =
      kernel(64, 32, "  - loop: {count: 100000, body: [{op: \"fmul r4, r1, r2\", stall: 400}]}\n");
  CHECK(steady_rate(sm, w, "gto", 400) == doctest::Approx(64 / 400.0));
  CHECK(0.25 / (64 / 400.0) * 64 == doctest::Approx(100.0));
}

TEST_CASE("sim-maxipc-159: four schedulers issue four instructions a cycle")
{
  const RunResult result = run(arch("h100"), kernel(8, 256, "  - loop: {count: 1000, body: [nop]}\n"));
  CHECK(result.ipc() == doctest::Approx(4.0).epsilon(0.001));
}

TEST_CASE("sim-max-cta-small-grid: a small grid does not lower the limit that is reported")
{
  Workload w = kernel(100, 128, "  - nop\n");
  const RunResult result = run(arch("h100"), w, {}, RunOptions{}.max_cycles, 80);
  CHECK(result.occupancy.blocks_per_sm == 16);
  CHECK(result.sms[0].most_resident_blocks == 2);
  CHECK(result.sms[79].most_resident_blocks == 1);
}

TEST_CASE("sim-nan-101, sim-zero-131, sim-ipc-unit-11: no ratio is NaN, what is not there is not zero, units "
          "are named")
{
  const std::string folder = temporary_folder();
  const std::string empty = write_file(folder + "/empty.yaml",
                                       "name: empty\nlaunch: {grid: 1, block: 32, registers_per_thread: 8}\n"
                                       "program:\n  - loop: {count: 0, body: [nop]}\n");
  for (const std::string format : {"text", "json", "csv"}) {
    const ProgramRun result = smsim::test::smsim("run " + empty + " --arch h100 --format " + format);
    CHECK(result.status == 0);
    for (const char* not_a_number : {" nan ", "-nan", ",nan"})
      CHECK(result.out.find(not_a_number) == std::string::npos);
    CHECK(result.out.find("inf\n") == std::string::npos);
  }
  const std::string text = smsim::test::smsim("run latency_hiding --arch a100").out;
  CHECK(text.find("Memory Workload") == std::string::npos);  // no access, no section of zeros
  CHECK(text.find("instructions per cycle") != std::string::npos);
}

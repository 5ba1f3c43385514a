// `smsim compare`, and what it compares: turnaround, fairness, L1 hits, speed-ups and their significance.
#include "engine/comparison.h"
#include "support/kernels.h"
#include "support/program.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>

using namespace smsim;
using namespace smsim::test;
using Json = nlohmann::ordered_json;

namespace {

/// One scheduler of the closed forms, as options.
const std::string one_scheduler_options =
    "--archs h100 --sms 1 --set sm.sub_partitions=1 --set sm.max_warps=64 --set sm.max_blocks=64 --set "
    "register_file.registers=131072 ";

/// A file of that name in a new folder; the answer is its path.
std::string file_of(const std::string& name, const std::string& launch, const std::string& program)
{
  return write_file(temporary_folder() + "/" + name + ".yaml",
                    "name: " + name + "\nlaunch: {" + launch + "}\nprogram:\n" + program);
}

std::string rounds_file()
{
  return file_of("rounds", "grid: 4, block: 32, registers_per_thread: 32",
                 "  - repeat: {compute: 10, stall: 100, rounds: 5}\n");
}

/// Who serves a load is drawn, and which warps wait is what policies make of it.
std::string drawn_file()
{
  return file_of("drawn", "grid: 8, block: 512, registers_per_thread: 32",
                 "  - loop:\n"
                 "      count: 5\n"
                 "      body:\n"
                 "        - {op: \"ld.global r4, [r2]\", level: {l1: 0.5, l2: 0.5}}\n"
                 "        - repeat: {compute: 10, stall: 100, rounds: 2}\n"
                 "        - fadd r5, r4, r4\n");
}

std::string stuck_file()
{
  return file_of("stuck", "grid: 1, block: 128, registers_per_thread: 16, barriers: 1",
                 "  - bar.sync 0, 160\n");
}

ProgramRun compare_run(const std::string& arguments) { return smsim::test::smsim("compare " + arguments); }

Json compare_json_of(const std::string& arguments)
{
  const ProgramRun run = compare_run(arguments + " --format json");
  CAPTURE(arguments);
  CHECK(run.status == 0);
  CHECK(run.err.empty());
  return Json::parse(run.out);
}

ComparisonPlan plan_of(const Workload& workload, std::vector<std::string> policies, std::uint64_t seeds)
{
  ComparisonPlan plan;
  plan.archs.push_back({"one", one_scheduler()});
  plan.workloads.push_back({"kernel", workload});
  plan.policies = std::move(policies);
  plan.seeds = seeds;
  plan.sms = 1;
  return plan;
}

/// Blocks of one warp that take 10, 20 and 60 cycles, one on each of three SMs.
Workload three_lengths()
{
  return kernel(3, 32, "  - loop: {count: {per: block, values: [10, 20, 60]}, body: [nop]}\n");
}

}  // namespace

TEST_CASE("the closed form's speed-up is exact: 588 cycles of lrr over 480 of gto")
{
  const Json report = compare_json_of("--policies lrr,gto --workloads " + rounds_file() + " --seeds 3 " +
                                      one_scheduler_options);
  const Json& lrr = report["rows"][0];
  const Json& gto = report["rows"][1];
  CHECK(lrr["cycles"]["mean"] == 588);
  CHECK(gto["cycles"]["mean"] == 480);
  CHECK(gto["cycles"]["exact"] == true);
  CHECK(gto["cycles"]["half_width"].is_null());
  CHECK(gto["speed_up"]["ratio"] == 588.0 / 480);
  CHECK(gto["speed_up"]["difference"]["mean"] == -108);
  CHECK(gto["speed_up"]["difference"]["exact"] == true);
  CHECK(gto["speed_up"]["significant"] == true);
  CHECK(lrr["speed_up"]["ratio"] == 1);
  CHECK(lrr["speed_up"]["significant"] == false);
  CHECK(report["geometric_means"][1]["speed_up"] == 588.0 / 480);
  const std::string text = compare_run("--policies lrr,gto --baseline gto --workloads " + rounds_file() +
                                       " --seeds 3 " + one_scheduler_options)
                               .out;
  CHECK(text.find("exact") != std::string::npos);
  CHECK(text.find("0.8163") != std::string::npos);  // 480 / 588
}

TEST_CASE("levels that are drawn: an interval for each mean, and a difference that is significant")
{
  const Json report =
      compare_json_of("--policies lrr,gto --workloads " + drawn_file() + " --seeds 6 --sms 1");
  for (const Json& row : report["rows"]) {
    CHECK(row["cycles"]["exact"] == false);
    CHECK(row["cycles"]["half_width"] > 0);
    CHECK(row["l1_hit_rate"]["mean"] == doctest::Approx(0.5).epsilon(0.1));
  }
  // The draws are the same for each policy.
  CHECK(report["rows"][0]["l1_hit_rate"] == report["rows"][1]["l1_hit_rate"]);
  CHECK(report["rows"][1]["speed_up"]["difference"]["exact"] == false);
  CHECK(report["rows"][1]["speed_up"]["significant"] == true);
}

TEST_CASE("a policy compared with itself differs in nothing, whatever was drawn")
{
  const Workload drawn = kernel(4, 64,
                                "  - {op: \"ld.global r4, [r2]\", level: {l1: 0.5, dram: 0.5}}\n"
                                "  - fadd r5, r4, r4\n");
  const Comparison found = compare(plan_of(drawn, {"gto", "gto"}, 8));
  CHECK_FALSE(found.rows[1].figure(cycles_figure)->exact);
  REQUIRE(found.speed_ups[1]);
  CHECK(found.speed_ups[1]->ratio == 1);
  CHECK(found.speed_ups[1]->difference.exact);
  CHECK(found.speed_ups[1]->difference.differs_from_zero() == false);
}

TEST_CASE("one seed has no interval and no significance")
{
  const Json report =
      compare_json_of("--policies lrr,gto --workloads " + rounds_file() + " " + one_scheduler_options);
  CHECK(report["rows"][1]["cycles"]["exact"] == false);
  CHECK(report["rows"][1]["cycles"]["half_width"].is_null());
  CHECK(report["rows"][1]["speed_up"]["ratio"] == 588.0 / 480);
  CHECK(report["rows"][1]["speed_up"]["significant"].is_null());
}

TEST_CASE("turnaround and fairness of blocks that take 10, 20 and 60 cycles")
{
  for (const Engine engine : {Engine::event, Engine::every_cycle}) {
    RunOptions options;
    options.engine = engine;
    options.sms = 3;
    options.policy = "gto";
    const RunResult r = run_kernel(one_scheduler(), three_lengths(), options);
    CHECK(r.shortest_block() == 10);
    CHECK(r.longest_block() == 60);
    CHECK(r.block_turnaround() == 30);
    CHECK(r.block_cycles_squared() == Uint128{100 + 400 + 3600});
    CHECK(r.block_turnaround_deviation() == doctest::Approx(std::sqrt(4200.0 / 9)));
    CHECK(r.block_fairness() == 8100.0 / 12300);
    // Each issues a nop in each of its cycles.
    CHECK(r.sub_partition_fairness() == 8100.0 / 12300);
  }
}

TEST_CASE(
    "one warp on an SM of four sub-partitions is a fairness of a quarter, SMs without blocks do not count")
{
  CHECK(run(arch("h100"), kernel(1, 32, "  - nop\n"), "gto", 1000, 5).sub_partition_fairness() == 0.25);
  CHECK(run(arch("h100"), kernel(1, 128, "  - nop\n"), "gto", 1000, 5).sub_partition_fairness() == 1);
}

TEST_CASE("the L1 hit rate counts loads that L1 could have served, and no others")
{
  const auto memory_of = [](const std::string& program) {
    return run(arch("h100"), kernel(1, 32, program), "gto").memory();
  };
  // The first of ten fills the line that the others find.
  const MemoryCounts cached = memory_of("  - loop:\n      count: 10\n      body:\n"
                                        "        - op: ld.global r4, [r2]\n"
                                        "          address: {pattern: block_shared, footprint: 128}\n"
                                        "          level: l2\n");
  CHECK(cached.l1_decisions == 10);
  CHECK(cached.l1_hits == 9);
  CHECK(cached.l1_hit_rate() == 0.9);
  CHECK(memory_of("  - {op: \"ld.global r4, [r2]\", level: l1}\n").l1_hit_rate() == 1.0);
  const MemoryCounts past =
      memory_of("  - {op: \"ld.global r4, [r2]\", level: l2}\n  - st.global [r2], r3\n");
  CHECK(past.l1_decisions == 0);
  CHECK_FALSE(past.l1_hit_rate());
}

TEST_CASE("the same bytes on 1, 2 and 3 threads, in each format")
{
  const std::string arguments = "--policies lrr,gto --archs a100,h100 --sms 1 --seeds 3 --workloads " +
                                drawn_file() + "," + rounds_file() + "," + stuck_file();
  for (const char* format : {"text", "json", "csv"}) {
    CAPTURE(format);
    const std::string with_format = arguments + " --format " + format + " --threads ";
    const ProgramRun one = compare_run(with_format + "1");
    CHECK(one.status == 1);
    CHECK(one.out.size() > 500);
    CHECK(compare_run(with_format + "2").out == one.out);
    CHECK(compare_run(with_format + "3").out == one.out);
  }
}

TEST_CASE("a run that deadlocks says so in its row, the others are shown, exit 1")
{
  const std::string stuck = stuck_file();
  const std::string arguments =
      "--policies lrr,gto --sms 1 --workloads " + stuck + ",latency_hiding --format ";
  const ProgramRun run = compare_run(arguments + "json");
  CHECK(run.status == 1);
  CHECK(run.err.empty());
  const Json report = Json::parse(run.out);
  REQUIRE(report["rows"].size() == 4);
  CHECK(report["rows"][0]["failure"].get<std::string>().find("barrier 0: 4 of 5 warps arrived") !=
        std::string::npos);
  CHECK(report["rows"][0]["cycles"].is_null());
  CHECK(report["rows"][1]["speed_up"].is_null());
  CHECK(report["rows"][3]["failure"].is_null());
  CHECK(report["rows"][3]["speed_up"]["ratio"] > 1);
  CHECK(report["geometric_means"][1]["workloads"] == 1);
  CHECK(compare_run(arguments + "text").out.find("deadlock at cycle 0: no warp can ever issue again\n") !=
        std::string::npos);
}

TEST_CASE("a geometric mean is over the workloads of one architecture and policy")
{
  const Json report = compare_json_of(
      "--policies lrr,gto --archs a100,h100 --sms 1 --workloads latency_hiding,worked_example");
  REQUIRE(report["rows"].size() == 8);
  REQUIRE(report["geometric_means"].size() == 4);
  for (std::size_t arch = 0; arch < 2; ++arch) {
    const double first = report["rows"][4 * arch + 1]["speed_up"]["ratio"];
    const double second = report["rows"][4 * arch + 3]["speed_up"]["ratio"];
    const double mean = report["geometric_means"][2 * arch + 1]["speed_up"];
    CHECK(mean * mean == doctest::Approx(first * second).epsilon(1e-9));
    CHECK(report["geometric_means"][2 * arch]["speed_up"] == 1);
  }
}

TEST_CASE("names that are wrong, missing or given twice are errors with their places, all at once")
{
  const ProgramRun run = compare_run(
      "--policies lrr,gtt,lrr, --workloads latency_hid,my.yaml --archs a10,h100 --baseline x --sms 200");
  CHECK(run.status == 2);
  CHECK(run.out.empty());
  for (const char* expected :
       {"--policies:1:5: scheduler.policy: no policy is named 'gtt'; allowed: ",
        "--policies:1:9: 'lrr' is given twice\n",
        "--policies:1:13: a name is missing; expected: names with a comma",
        "--workloads:1:1: no workload is named 'latency_hid'; allowed: ", "(did you mean 'latency_hiding'?)",
        "my.yaml: ", "--archs:1:1: no architecture is named 'a10'; allowed: ",
        "--archs:1:5: H100 SXM5 has 132 SMs", "--baseline:1:1: 'x' is none of --policies; allowed: "}) {
    CAPTURE(expected);
    CAPTURE(run.err);
    CHECK(run.err.find(expected) != std::string::npos);
  }
  const ProgramRun unfit = compare_run("--policies lrr --workloads latency_hiding,vector_add "
                                       "--set 'program=[\"foo r1\"]'");
  CHECK(unfit.status == 2);
  CHECK(unfit.err.find("is named 'foo'") != std::string::npos);
  CHECK(compare_run("--workloads vector_add").err.find("name policies with --policies") != std::string::npos);
  CHECK(compare_run("--policies gto").err.find("name workloads with --workloads") != std::string::npos);
  CHECK(compare_run("--policies gto --workloads vector_add --seeds 0").status == 2);
}

TEST_CASE("the CSV has a header and a row for each of the JSON's, with the same numbers")
{
  const std::string arguments = "--policies lrr,gto --workloads " + rounds_file() + " --seeds 2 " +
                                one_scheduler_options + "--format csv";
  const std::string out = compare_run(arguments).out;
  CHECK(out.starts_with(
      "architecture,workload,policy,sms,seeds,failure,cycles,cycles.half_width,cycles.exact,"));
  CHECK(out.find("gto,1,2,,480.0,,true,") != std::string::npos);
  CHECK(out.find(",lrr,1.225,-108.0,,true,true\n") != std::string::npos);
}

// `smsim run` as a user and as a program see it.
#include "stats/warp_states.h"
#include "support/program.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

using smsim::test::ProgramRun;
using smsim::test::read_file;
using smsim::test::temporary_folder;
using smsim::test::write_file;
using Json = nlohmann::json;

namespace {

ProgramRun smsim_run(const std::string& arguments) { return smsim::test::smsim("run " + arguments); }

const char* const kernel_yaml =
    "name: k\nlaunch:\n  grid: 4\n  block: 128\n  registers_per_thread: 16\nprogram:\n";

}  // namespace

TEST_CASE("the JSON result has every key that programs rely on, and its numbers are consistent")
{
  const ProgramRun run = smsim_run("tiled_matmul --arch h100 --format json --set launch.grid=6");
  REQUIRE(run.status == 0);
  CHECK(run.err.empty());
  const Json json = Json::parse(run.out);
  for (const char* key : {"cycles", "instructions", "ipc", "occupancy", "launch", "warp_states",
                          "active_warp_cycles", "sub_partitions", "per_sm", "tail", "sm_imbalance", "seed",
                          "config", "schema_version", "smsim_version", "memory"})
    CHECK(json.contains(key));
  for (const char* key :
       {"theoretical", "achieved", "achieved_elapsed", "blocks_per_sm", "warps_per_sm", "limits", "limiters"})
    CHECK(json["occupancy"].contains(key));
  for (const char* key : {"grid", "waves", "full_waves"})
    CHECK(json["launch"].contains(key));
  std::uint64_t in_states = 0;
  for (const auto& state : smsim::warp_state_table)
    in_states += json["warp_states"][std::string(state.key)].get<std::uint64_t>();
  CHECK(in_states == json["active_warp_cycles"]);
  std::uint64_t issued = 0;
  std::uint64_t active = 0;
  std::uint64_t eligible = 0;
  for (const Json& part : json["sub_partitions"]) {
    issued += part["issued"].get<std::uint64_t>();
    active += part["active_warp_cycles"].get<std::uint64_t>();
    eligible += part["eligible_warp_cycles"].get<std::uint64_t>();
    CHECK(part.contains("no_eligible_cycles"));
  }
  CHECK(json["sub_partitions"].size() == 4 * 132);
  CHECK(issued == json["instructions"]);
  CHECK(active == json["active_warp_cycles"]);
  CHECK(eligible == json["warp_states"]["selected"].get<std::uint64_t>() +
                        json["warp_states"]["not_selected"].get<std::uint64_t>());
  CHECK(json["config"]["architecture"]["sms"] == 132);
  CHECK(json["config"]["workload"]["launch"]["grid"] == 6);
}

TEST_CASE("same inputs and seed, same bytes, another seed, another result where something is drawn")
{
  const std::string arguments = "tiled_matmul --arch a100 --format json --set launch.grid=8";
  const ProgramRun first = smsim_run(arguments);
  CHECK(first.out == smsim_run(arguments).out);
  const ProgramRun other = smsim_run(arguments + " --seed 2");
  CHECK(Json::parse(first.out)["cycles"] != Json::parse(other.out)["cycles"]);
  CHECK(Json::parse(first.out)["instructions"] == Json::parse(other.out)["instructions"]);
}

TEST_CASE("a policy changes the schedule and not the work or the draws")
{
  const auto json = [](const std::string& policy) {
    return Json::parse(
        smsim_run("tiled_matmul --arch a100 --format json --set launch.grid=8 --policy " + policy).out);
  };
  const Json gto = json("gto");
  const Json lrr = json("lrr");
  CHECK(gto["cycles"] != lrr["cycles"]);
  CHECK(gto["instructions"] == lrr["instructions"]);
  CHECK(gto["memory"] == lrr["memory"]);
}

TEST_CASE("the worked example: three blocks, 37.5 percent, limited by shared memory, and that many are "
          "achieved but for the ends")
{
  const Json json = Json::parse(smsim_run("worked_example --arch a100 --format json").out);
  CHECK(json["occupancy"]["theoretical"] == 0.375);
  CHECK(json["occupancy"]["blocks_per_sm"] == 3);
  CHECK(json["occupancy"]["limiters"] == Json::array({"shared_memory"}));
  CHECK(json["occupancy"]["limits"]["registers"] == 4);
  CHECK(json["occupancy"]["limits"]["warps"] == 8);
  CHECK(json["occupancy"]["achieved"] > 0.36);
  CHECK(json["occupancy"]["achieved"] <= 0.375);
}

TEST_CASE("the text report has Nsight Compute's sections and ends in what binds")
{
  const std::string text = smsim_run("vector_add --arch a100 --set launch.grid=32").out;
  for (const char* part :
       {"\nLaunch Statistics\n", "\nOccupancy\n", "\nScheduler Statistics\n", "\nWarp State Statistics\n",
        "Theoretical Occupancy", "Achieved Active Warps Per SM", "Block Limit Registers", "No Eligible",
        "Warp Cycles Per Issued Instruction", "Stall Long Scoreboard", "\nWhat binds\n"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("a full DRAM bandwidth is named as the limit, and more warps are not recommended")
{
  const std::string text = smsim_run("vector_add --arch a100").out;
  CHECK(text.find("DRAM bandwidth is the limit") != std::string::npos);
  CHECK(text.find("more warps, or") == std::string::npos);
}

TEST_CASE("CSV is a header and a row of the same length")
{
  const std::string csv = smsim_run("latency_hiding --arch a100 --format csv").out;
  const std::size_t end = csv.find('\n');
  const std::string header = csv.substr(0, end);
  const std::string row = csv.substr(end + 1);
  CHECK(std::count(header.begin(), header.end(), ',') == std::count(row.begin(), row.end(), ','));
  CHECK(header.find("occupancy.achieved") != std::string::npos);
}

TEST_CASE("--output writes the whole report, or nothing where it cannot")
{
  const std::string folder = temporary_folder();
  const std::string path = folder + "/out.json";
  CHECK(smsim_run("latency_hiding --arch a100 --format json --output " + path).status == 0);
  CHECK(Json::parse(read_file(path))["cycles"] == 2130);
  const ProgramRun full = smsim_run("latency_hiding --arch a100 --output /dev/full");
  CHECK(full.status == 1);
  CHECK(full.err == "/dev/full: cannot be written: No space left on device\n");
  const ProgramRun missing = smsim_run("latency_hiding --arch a100 --output " + folder + "/no/such/out.json");
  CHECK(missing.status == 1);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder))
    ++files;
  CHECK(files == 1);
}

TEST_CASE("a full disk behind standard output is an error, not a silent loss")
{
  const ProgramRun run = smsim::test::smsim("run latency_hiding --arch a100 --format json > /dev/full");
  CHECK(run.status == 1);
}

TEST_CASE("a block that can never fit names the limit and exits with 1")
{
  const ProgramRun run =
      smsim_run("vector_add --arch a100 --set launch.registers_per_thread=255 --set launch.block=1024");
  CHECK(run.status == 1);
  CHECK(run.out.empty());
  CHECK(run.err == "vector_add: no block can launch on A100 SXM4 80GB: 8192 registers per warp times 32 "
                   "warps is 262144 registers per "
                   "block; the architecture allows 65536\n"
                   "`smsim occupancy --explain` shows the arithmetic of every limit.\n");
}

TEST_CASE("a barrier that can never open ends in a report of every warp, exit 1")
{
  const std::string file =
      write_file(temporary_folder() + "/stuck.yaml",
                 std::string(kernel_yaml) +
                     "  - nop\n"
                     "  - loop: {count: {per: warp, values: [1, 1, 1, 0]}, body: [\"bar.sync 0, 128\"]}\n");
  const ProgramRun run = smsim_run(file + " --arch a100 --set launch.grid=1");
  CHECK(run.status == 1);
  CHECK(run.out.empty());
  const std::string place = " (" + file + ":8: bar.sync)\n";
  // The counted barrier still waits for a fourth warp, which has exited.
  CHECK(run.err == "deadlock at cycle 1: no warp can ever issue again\n"
                   "  SM 0 sub-partition 0 block 0 warp 0: barrier 0: 3 of 4 warps arrived" +
                       place + "  SM 0 sub-partition 1 block 0 warp 1: barrier 0: 3 of 4 warps arrived" +
                       place + "  SM 0 sub-partition 2 block 0 warp 2: barrier 0: 3 of 4 warps arrived" +
                       place + "  SM 0 sub-partition 3 block 0 warp 3: exited\n");
}

TEST_CASE("warps that wait for each other at two barriers are a deadlock too")
{
  const std::string file = write_file(
      temporary_folder() + "/crossed.yaml",
      std::string(kernel_yaml).insert(std::string(kernel_yaml).find("program"), "  barriers: 2\n") +
          "  - loop: {count: {per: warp, values: [1, 0, 0, 0]}, body: [\"bar.sync 1\"]}\n"
          "  - bar.sync 0\n");
  const ProgramRun run = smsim_run(file + " --arch a100");
  CHECK(run.status == 1);
  CHECK(run.err.find("barrier 1: 1 of 4 warps arrived") != std::string::npos);
  CHECK(run.err.find("barrier 0: 3 of 4 warps arrived") != std::string::npos);
}

TEST_CASE("--max-cycles ends a run with what it has and says so")
{
  const ProgramRun run = smsim_run("tiled_matmul --arch a100 --max-cycles 5000");
  CHECK(run.status == 0);
  CHECK(run.out.find("STOPPED EARLY after 5000 cycles") != std::string::npos);
  CHECK(run.err.find("stopped after 5000 cycles") != std::string::npos);
}

TEST_CASE("an unknown policy is refused with the list and a suggestion")
{
  const ProgramRun run = smsim_run("vector_add --arch a100 --policy gta");
  CHECK(run.status == 2);
  CHECK(run.out.empty());
  CHECK(run.err.find("no policy is named 'gta'; allowed: block_oldest, ") != std::string::npos);
}

TEST_CASE("a missing workload, an unknown one and an unknown option say what to do")
{
  CHECK(smsim_run("--arch a100").err.find("smsim list workloads") != std::string::npos);
  const ProgramRun unknown = smsim_run("vectoradd --arch a100");
  CHECK(unknown.status == 2);
  CHECK(unknown.err.find("did you mean 'vector_add'?") != std::string::npos);
  const ProgramRun option = smsim_run("vector_add --polcy gto");
  CHECK(option.status == 2);
  CHECK(option.err.find("did you mean '--policy'?") != std::string::npos);
}

TEST_CASE("every shipped workload runs on every preset that can hold it")
{
  for (const char* workload :
       {"vector_add", "tiled_matmul", "pointer_chase", "worked_example", "latency_hiding"})
    for (const char* preset :
         {"gtx980", "p100", "v100", "t4", "a100", "rtx3090", "h100", "b200", "thor", "rtx5090"}) {
      CAPTURE(workload);
      CAPTURE(preset);
      const ProgramRun run =
          smsim_run(std::string(workload) + " --arch " + preset + " --set launch.grid=2 --format json");
      CHECK(run.status == 0);
      CHECK(run.err.empty());
    }
}

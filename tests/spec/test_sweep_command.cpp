// `smsim sweep`: what it runs, lists and keeps; shards.
#include "support/sweeps.h"
#include "sweep/database.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <sstream>

using namespace smsim::test;
using Json = nlohmann::ordered_json;

namespace {

ProgramRun sweep(const std::string& arguments) { return smsim::test::smsim("sweep " + arguments); }

/// Runs a whole sweep; the answer is its store.
std::string stored(const std::string& file, const std::string& options = {})
{
  const std::string store = new_store();
  const ProgramRun run = sweep(file + " -o " + store + " " + options);
  CHECK(run.err == "");
  CHECK(run.status == 0);
  return store;
}

Json rows_of(const std::string& store)
{
  const ProgramRun run = smsim::test::smsim("results " + store + " --format json");
  REQUIRE(run.status == 0);
  return Json::parse(run.out)["rows"];
}

std::size_t count_lines(const std::string& text)
{
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

const std::string twelve =
    "axes:\n  memory.dram.latency: [300, 400, 500]\n  launch.block: [32, 64]\nseeds: 2\n";

}  // namespace

TEST_CASE("a dry run counts and lists the points, estimates the time and writes nothing")
{
  const std::string file = sweep_file(twelve + "when: memory.dram.latency < 500 or launch.block == 32\n");
  const ProgramRun run = sweep(file + " --dry-run --list 2 --threads 2");
  CHECK(run.status == 0);
  CHECK(run.out.starts_with("tiny_sweep: 10 points of 12, the others are excluded by `when`\n\n"
                            "point  arch  workload   memory.dram.latency  launch.block  seed\n"
                            "0      h100  tiny.yaml                  300            32     1\n"
                            "1      h100  tiny.yaml                  300            32     2\n"
                            "... and 8 more (--list all)\n\nAbout "));
  CHECK(run.out.find(" on 2 threads: 10 timed points took ") != std::string::npos);
  CHECK(count_lines(sweep(file + " --dry-run --list all").out) == 2 + 11 + 2);
  CHECK(sweep(file + " --dry-run --shard 1/4 --list 0").out.find("; 3 of them in shard 1/4\n") !=
        std::string::npos);
}

TEST_CASE("every point's results are those of a run with the same keys")
{
  const std::string file = sweep_file(twelve);
  const Json rows = rows_of(stored(file));
  REQUIRE(rows.size() == 12);
  const std::string folder = file.substr(0, file.rfind('/'));
  for (const std::size_t i : {0U, 5U, 11U}) {
    const Json& row = rows[i];
    CAPTURE(row);
    CHECK(row["point"] == i);
    const ProgramRun run = smsim::test::smsim(
        "run tiny.yaml --arch h100 --set sms=1 --format json --set memory.dram.latency=" +
            row["memory.dram.latency"].dump() + " --set launch.block=" + row["launch.block"].dump() +
            " --seed " + row["seed"].dump(),
        folder);
    const Json json = Json::parse(run.out);
    CHECK(json["cycles"] == row["cycles"]);
    CHECK(json["ipc"] == row["ipc"]);
    CHECK(json["occupancy"]["achieved"] == row["occupancy.achieved"]);
    CHECK(json["warp_states"]["long_scoreboard"] == row["warp_states.long_scoreboard"]);
    CHECK(json["memory"]["dram"]["bytes"] == row["memory.dram.bytes"]);
  }
}

TEST_CASE("results do not depend on the number of threads")
{
  const std::string file = sweep_file("axes:\n  memory.dram.latency: {range: [300, 420]}\nseeds: 2\n");
  const std::string one = export_of(stored(file, "-j 1"));
  CHECK(count_lines(one) == 243);
  CHECK(export_of(stored(file, "-j 2")) == one);
  CHECK(export_of(stored(file, "-j 7")) == one);
}

TEST_CASE("a sweep that is done is not run again")
{
  const std::string file = sweep_file(twelve);
  const std::string store = stored(file);
  const ProgramRun again = sweep(file + " -o " + store);
  CHECK(again.out == store + ": 12 of 12 points (0 now), 0 failed\n");
  CHECK(again.status == 0);
}

TEST_CASE("a point that cannot be run is recorded with its message, and the others are run")
{
  // 1024 threads of 128 registers are too many for a block; 6 sub-partitions do not divide the warps.
  const std::string file =
      sweep_file("axes:\n  launch.registers_per_thread: [16, 128]\n  launch.block: [64, 1024]\n"
                 "  sm.sub_partitions: [4, 6]\n");
  const std::string store = new_store();
  const ProgramRun run = sweep(file + " -o " + store);
  CHECK(run.out == store + ": 8 of 8 points, 5 failed\n");
  CHECK(run.status == 0);
  int failures = 0;
  for (const Json& row : rows_of(store)) {
    CHECK(row["failure"].is_null() == row["cycles"].is_number());
    if (row["failure"].is_null()) continue;
    ++failures;
    const auto message = row["failure"].get<std::string>();
    CAPTURE(message);
    if (row["sm.sub_partitions"] == 6)
      CHECK(message.find("64 warps cannot be shared out evenly; allowed: a multiple of sub_partitions, 6") !=
            std::string::npos);
    else
      CHECK(message.starts_with("tiny: no block can launch on H100 SXM5: "));
  }
  CHECK(failures == 5);
}

TEST_CASE("a sweep whose every point fails says so in its status")
{
  const std::string file = sweep_file("max_cycles: 10\naxes: {memory.dram.latency: [300, 400]}\n");
  const std::string store = new_store();
  const ProgramRun run = sweep(file + " -o " + store);
  CHECK(run.status == 1);
  CHECK(rows_of(store)[0]["failure"] == "has not ended after 10 cycles");
}

TEST_CASE("a point's name is of its whole configuration: the same in another sweep, another for any change")
{
  const auto id = [](const std::string& rest, std::size_t point) {
    return rows_of(stored(sweep_file(rest)))[point]["id"].get<std::string>();
  };
  const std::string one = id("axes: {memory.dram.latency: [300, 400]}\n", 1);
  CHECK(one.size() == 20);
  CHECK(id("axes: {memory.dram: [{latency: 400}]}\n", 0) == one);
  CHECK(id("axes: {launch.block: [32, 64]}\nderived: {memory.dram.latency: 6 * launch.block + 16}\n", 1) ==
        one);
  CHECK(id("seeds: [2]\naxes: {memory.dram.latency: [400]}\n", 0) != one);
  CHECK(id("axes: {memory.dram.latency: [401]}\n", 0) != one);
}

TEST_CASE("derived keys are laid on each point and kept beside its axes")
{
  const Json rows = rows_of(
      stored(sweep_file("axes: {sm.max_warps: [32, 64]}\nderived:\n  register_file.registers: "
                        "sm.max_warps * 1024\n  register_file.max_per_block: register_file.registers\n")));
  CHECK(rows[0]["register_file.max_per_block"] == 32768);
  CHECK(rows[1]["register_file.registers"] == 65536);
  CHECK(rows[0]["occupancy.warps_per_sm"] == 32);
}

TEST_CASE("an axis may be a policy, a size, a list, a percentage")
{
  const Json rows = rows_of(stored(
      sweep_file("axes:\n  scheduler.policy: [gto, lrr]\n  launch.shared_memory.static: {powers_of_two: [1 "
                 "KiB, 2 KiB]}\n  launch.carveout: "
                 "[50%, default]\n  shared_memory.carveouts: [[0 B, 100 KiB, 228 KiB], [0 B, 228 KiB]]\n")));
  REQUIRE(rows.size() == 16);
  CHECK(rows[0]["scheduler.policy"] == "gto");
  CHECK(rows[0]["launch.shared_memory.static"] == 1024);
  CHECK(rows[0]["launch.carveout"] == 50);
  CHECK(rows[2]["launch.carveout"] == "default");
  CHECK(rows[1]["shared_memory.carveouts"] == "[0 B, 228 KiB]");
  for (const Json& row : rows)
    CHECK(row["failure"].is_null());
}

TEST_CASE("shards run every N-th point each, and joined they are the whole sweep, byte for byte")
{
  const std::string file = sweep_file(twelve);
  const std::string folder = temporary_folder();
  for (int shard = 0; shard < 3; ++shard) {
    const ProgramRun run = sweep(file + " --shard " + std::to_string(shard) + "/3 -o " + folder + "/shard-" +
                                 std::to_string(shard) + ".sqlite");
    CHECK(run.out.find(": 4 of 4 points, 0 failed") != std::string::npos);
  }
  CHECK(rows_of(folder + "/shard-1.sqlite")[1]["point"] == 4);
  const ProgramRun merged = smsim::test::smsim("merge shard-*.sqlite -o all.sqlite", folder);
  CHECK(merged.out == "all.sqlite: 12 of 12 points, 0 failed\n");
  CHECK(merged.status == 0);
  CHECK(export_of(folder + "/all.sqlite") == export_of(stored(file)));
}

TEST_CASE("a shard of more shards than points may be empty")
{
  const std::string file = sweep_file("axes: {memory.dram.latency: [300, 400]}\n");
  const std::string store = new_store();
  CHECK(sweep(file + " --shard 5/9 -o " + store).out == store + ": 0 of 0 points, 0 failed\n");
}

TEST_CASE("--shard slurm reads the job array that the task is of")
{
  const std::string file = sweep_file(twelve);
  const auto with = [&](const char* id, const char* min, const char* count, const char* step) {
    ::setenv("SLURM_ARRAY_TASK_ID", id, 1);
    ::setenv("SLURM_ARRAY_TASK_MIN", min, 1);
    ::setenv("SLURM_ARRAY_TASK_COUNT", count, 1);
    ::setenv("SLURM_ARRAY_TASK_STEP", step, 1);
    const ProgramRun run = sweep(file + " --shard slurm --dry-run --list 0");
    for (const char* name : {"ID", "MIN", "COUNT", "STEP"})
      ::unsetenv((std::string("SLURM_ARRAY_TASK_") + name).c_str());
    return run.out + run.err;
  };
  CHECK(with("0", "0", "4", "1").find("3 of them in shard 0/4") != std::string::npos);
  CHECK(with("7", "5", "5", "1").find("2 of them in shard 2/5") != std::string::npos);
  CHECK(with("14", "10", "3", "2").find("4 of them in shard 2/3") != std::string::npos);
  CHECK(with("9", "1", "3", "1").find("task 9 of an array of 3 tasks from 1 on has no place in it") !=
        std::string::npos);
  CHECK(with("x", "1", "3", "1").find("SLURM_ARRAY_TASK_ID='x' is not a whole number") != std::string::npos);
  const ProgramRun outside = sweep(file + " --shard slurm --dry-run");
  CHECK(outside.status == 2);
  CHECK(outside.err.starts_with("smsim sweep: --shard slurm: SLURM_ARRAY_TASK_ID is not set"));
}

TEST_CASE("more than 10 million points are counted at once where they are asked for")
{
  const std::string file =
      sweep_file("axes:\n  memory.dram.latency: {range: [1000, 40999]}\n  memory.l2.latency: {range: "
                 "[1, 1000]}\n");
  CHECK(sweep(file + " --dry-run").err.find(": 40000000 points, more than 10000000; --yes ") !=
        std::string::npos);
  const ProgramRun run = sweep(file + " --dry-run --yes --list 1 --shard 1/1000");
  CHECK(run.out.starts_with("tiny_sweep: 40000000 points; 40000 of them in shard 1/1000\n"));
  CHECK(run.out.find("\n1      h100  tiny.yaml                 1000                  2     1\n") !=
        std::string::npos);
}

TEST_CASE("on a terminal a sweep shows how far it is, elsewhere nothing")
{
  const std::string file = sweep_file(twelve);
  const std::string folder = temporary_folder();
  const std::string command =
      "cd " + folder + " && SMSIM_DATA='" SMSIM_SOURCE_DIR "' script -qec \"'" SMSIM_PROGRAM "' sweep " +
      file + " -o r.sqlite\" /dev/null >terminal";
  CHECK(std::system(command.c_str()) == 0);
  const std::string shown = read_file(folder + "/terminal");
  CHECK(shown.find("\r[########################] 12/12 done, 0 failed, ") != std::string::npos);
  CHECK(shown.find("/s, 0.0 s left") != std::string::npos);
  CHECK(sweep(file + " -o " + new_store()).err == "");
}

TEST_CASE("a sweep command that makes no sense is told what would")
{
  const std::string file = sweep_file(twelve);
  const auto error = [](const std::string& arguments) {
    const ProgramRun run = sweep(arguments);
    CHECK(run.status == 2);
    CHECK(run.out == "");
    return run.err.substr(0, run.err.find('\n'));
  };
  CHECK(error("") == "smsim sweep: name a sweep file; workloads/sweeps/ has some to start from");
  CHECK(error(file) == "smsim sweep: name a store with -o, or try --dry-run");
  CHECK(error(file + " --dry-run -o x.sqlite") == "smsim sweep: --dry-run writes nothing: leave out -o");
  CHECK(error(file + " --dry-run --shard 4/4") ==
        "smsim sweep: --shard: there is no shard 4/4; shards are counted from 0: 0/4 to 3/4");
  CHECK(error(file + " --dry-run --shard 1of4") ==
        "smsim sweep: --shard: '1of4' is no shard; expected: i/N such as 0/4, or slurm");
  CHECK(error(file + " --dry-run -j 0") == "smsim sweep: --threads: out of range: 0; allowed: 1 to 1024");
  CHECK(error(file + " --dry-rn") == "smsim sweep: unknown option --dry-rn (did you mean '--dry-run'?)");
  CHECK(error("nowhere.yaml --dry-run") == "nowhere.yaml: cannot be read: No such file or directory");
}

TEST_CASE("a store keeps the sweep's text, the version and a hash of every file that it stands on")
{
  const std::string file = sweep_file(twelve);
  smsim::Database database(stored(file), smsim::Database::Mode::read);
  using smsim::Cell;
  CHECK(database.value("SELECT value FROM sweep WHERE name = 'text'") == Cell(read_file(file)));
  CHECK(std::get<std::string>(database.value("SELECT value FROM sweep WHERE name = 'smsim_version'")).size() >
        2);
  CHECK(database.value("SELECT count(*) FROM files WHERE length(sha256) = 64") == Cell(std::int64_t{4}));
  CHECK(database.value("SELECT count(*) FROM files WHERE name = 'arch_configs/h100.yaml'") ==
        Cell(std::int64_t{1}));
}

TEST_CASE("the shipped sweeps can be run, and say how")
{
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SMSIM_SOURCE_DIR "/workloads/sweeps")) {
    CAPTURE(entry.path());
    CHECK(smsim::test::smsim("validate " + entry.path().string()).status == 0);
    const std::string name = entry.path().stem().string();
    const std::string text = read_file(entry.path());
    CHECK(text.starts_with("name: " + name + "\n"));
    CHECK(text.find("smsim sweep workloads/sweeps/" + name + ".yaml -o ") != std::string::npos);
    ++found;
  }
  CHECK(found == 5);
}

TEST_CASE("the saturation line of a shipped sweep is that of the closed form: W x 10 = 10 + L")
{
  const std::string store = stored("workloads/sweeps/latency_and_warps.yaml");
  const ProgramRun run =
      smsim::test::smsim("results " + store +
                         " --format csv --columns 'launch.grid,program,cycles,ipc' --where "
                         "'ipc > 3.99' --pareto 'launch.grid,program[0].repeat.stall:max'");
  CHECK(run.out ==
        "launch.grid,program[0].repeat.stall,cycles,ipc\n6,50,6000,4\n11,100,11000,4\n21,200,21000,4\n"
        "41,400,41000,4\n");
}

TEST_CASE("docs/sweeps.md shows what its sweep finds")
{
  const std::string document = read_file(SMSIM_SOURCE_DIR "/docs/sweeps.md");
  const auto block = [&](const std::string& fence, std::size_t from) {
    const std::size_t begin = document.find(fence, from) + fence.size();
    return document.substr(begin, document.find("```", begin) - begin);
  };
  const std::string file = write_file(temporary_folder() + "/my_sweep.yaml", block("```yaml\n", 0));
  const ProgramRun run = smsim::test::smsim("results " + stored(file) + " --sensitivity");
  CHECK(run.out.find(block("\n```\n", document.find("The last one says"))) != std::string::npos);
  CHECK(document.find("(`" + run.out.substr(0, run.out.find('\n')) + "`)") != std::string::npos);
}

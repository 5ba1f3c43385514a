// `smsim results`: rows, the Pareto front, which axis matters, pictures; and `smsim merge`.
#include "support/sweeps.h"
#include "sweep/store.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

using namespace smsim;
using namespace smsim::test;
using Json = nlohmann::ordered_json;

namespace {

const std::string grid =
    "axes:\n  memory.dram.latency: [200, 400, 800]\n  launch.block: [32, 64, 128, 2048]\n";

/// One store for the tests that only read: 12 points, of which those with 2048 threads a block fail.
const std::string& store()
{
  static const std::string made = [] {
    std::string path = new_store();
    CHECK(test::smsim("sweep " + sweep_file(grid) + " -o " + path).status == 0);
    return path;
  }();
  return made;
}

ProgramRun results(const std::string& options) { return test::smsim("results " + store() + " " + options); }

Json rows(const std::string& options)
{
  const ProgramRun run = results(options + " --format json");
  CHECK(run.err == "");
  REQUIRE(run.status == 0);
  return Json::parse(run.out)["rows"];
}

std::size_t count_of(const std::string& text, const std::string& word)
{
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++count;
  return count;
}

std::string plot(const std::string& options, const std::string& name = "plot.svg")
{
  const std::string path = temporary_folder() + "/" + name;
  const ProgramRun run = results("--plot " + path + " " + options);
  CHECK(run.err == "");
  CHECK(run.status == 0);
  return read_file(path);
}

}  // namespace

TEST_CASE("a table has the point, its axes and what matters most, and why a point failed")
{
  const std::string out = results("--limit 4").out;
  CHECK(out.starts_with("point  memory.dram.latency  launch.block  cycles"));
  CHECK(count_of(out, "\n") == 5);
  CHECK(out.find("no block can launch") != std::string::npos);
}

TEST_CASE("csv and json have every column of every point in the order of the points")
{
  const std::string csv = results("--format csv").out;
  CHECK(csv.starts_with("point,id,arch,workload,memory.dram.latency,launch.block,seed,cycles,"));
  const Json all = rows("");
  REQUIRE(all.size() == 12);
  for (std::size_t i = 0; i < all.size(); ++i)
    CHECK(all[i]["point"] == i);
  CHECK(all[3]["cycles"].is_null());
  CHECK(all[3]["failure"].is_string());
  CHECK(all[4]["failure"].is_null());
}

TEST_CASE("--where chooses points by parameters and results, a failed point has no results to be chosen by")
{
  CHECK(rows("--where 'memory.dram.latency >= 400 and launch.block == 64'").size() == 2);
  CHECK(rows("--where 'cycles > 0'").size() == 9);
  CHECK(rows("--where 'not cycles > 0'").size() == 3);
  CHECK(rows("--where \"arch == 'a100'\"").empty());
}

TEST_CASE("--columns takes names and whole groups of them, --sort and --limit what is best")
{
  const Json found = rows("--columns point,memory.l1,cycles --sort cycles --limit 2 --descending");
  REQUIRE(found.size() == 2);
  CHECK(found[0].size() == 4);
  CHECK(found[0].contains("memory.l1.bytes"));
  CHECK(found[0]["cycles"].get<int>() >= found[1]["cycles"].get<int>());
  // Those without a value come last either way.
  CHECK(rows("--columns cycles --sort cycles")[11]["cycles"].is_null());
}

TEST_CASE("bad words are told what would be right, all at once")
{
  const ProgramRun run =
      results("--where 'cylces > 3 and top_stal == 1' --columns point,ipcs --sort nothing --pareto cycles");
  CHECK(run.status == 2);
  for (const char* expected :
       {"--where:1:1: no column is named 'cylces'", "(did you mean 'cycles'?)",
        "--where:1:16: no column is named 'top_stal'", "--columns:1:7: no column is named 'ipcs'",
        "--sort:1:1: no column is named 'nothing'", "--pareto:1:1: a front has at least two objectives"})
    CHECK_MESSAGE(run.err.find(expected) != std::string::npos, expected, run.err);
  CHECK(results("--where 'arch > 3'").err == "--where: point 0: 'h100' is not a number\n");
  CHECK(results("--plot picture.png")
            .err.starts_with("smsim results: --plot: 'picture.png' is no picture's name"));
  CHECK(results("--sensitivity arch").err == "--sensitivity: no point has a number in 'arch'\n");
}

TEST_CASE("the Pareto front is every point that no other beats")
{
  const Json all = rows("--where 'cycles > 0'");
  const Json front = rows("--pareto cycles,memory.dram.bytes:max,launch.block");
  const auto value = [](const Json& row, int objective) {
    return objective == 0   ? row["cycles"].get<double>()
           : objective == 1 ? -row["memory.dram.bytes"].get<double>()
                            : row["launch.block"].get<double>();
  };
  std::vector<int> expected;
  for (const Json& row : all) {
    const bool beaten = std::any_of(all.begin(), all.end(), [&](const Json& other) {
      bool better = false;
      for (int i = 0; i < 3; ++i) {
        if (value(other, i) > value(row, i)) return false;
        better = better || value(other, i) < value(row, i);
      }
      return better;
    });
    if (!beaten) expected.push_back(row["point"].get<int>());
  }
  std::vector<int> found;
  for (const Json& row : front)
    found.push_back(row["point"].get<int>());
  std::sort(found.begin(), found.end());
  CHECK(found == expected);
  CHECK(found.size() < all.size());
  CHECK(std::is_sorted(front.begin(), front.end(),
                       [](const Json& a, const Json& b) { return a["cycles"] < b["cycles"]; }));
}

TEST_CASE("sensitivity is each axis's part of the variance")
{
  const Json found = Json::parse(results("--sensitivity cycles --format json").out);
  CHECK(found["points"] == 9);
  // Once more, by its definition.
  const Json all = rows("--where 'cycles > 0'");
  double mean = 0;
  for (const Json& row : all)
    mean += row["cycles"].get<double>() / 9;
  double squares = 0;
  for (const Json& row : all)
    squares += (row["cycles"].get<double>() - mean) * (row["cycles"].get<double>() - mean);
  for (const char* axis : {"memory.dram.latency", "launch.block"}) {
    std::map<double, double> sums;
    for (const Json& row : all)
      sums[row[axis].get<double>()] += row["cycles"].get<double>() / 3;
    double between = 0;
    for (const auto& [value, group] : sums)
      between += 3 * (group - mean) * (group - mean);
    const auto entry = std::find_if(found["axes"].begin(), found["axes"].end(),
                                    [&](const Json& a) { return a["axis"] == axis; });
    CHECK((*entry)["share"].get<double>() == doctest::Approx(between / squares));
    CHECK((*entry)["values"] == 3);
  }
  CHECK(found["axes"][0]["axis"] == "memory.dram.latency");
  CHECK(found["axes"][0]["least_at"] == "200");
  CHECK(found["axes"][0]["share"].get<double>() > 0.9);
  CHECK(results("--sensitivity").out.starts_with("cycles of 9 points: mean "));
  CHECK(results("--sensitivity ipc --format csv").out.starts_with("axis,share,values,"));
}

TEST_CASE(
    "a plot has a line for each value of the second axis, or a box for each pair, or a dot for each point")
{
  const std::string lines = plot("");
  CHECK(lines.starts_with("<svg xmlns="));
  CHECK(count_of(lines, "<polyline") == 3);
  CHECK(count_of(lines, "<circle") == 9);
  CHECK(lines.find("launch.block 64, memory.dram.latency 400: cycles ") != std::string::npos);
  const std::string boxes = plot("--kind heatmap --color ipc");
  CHECK(count_of(boxes, "<title>") == 9);
  CHECK(boxes.find("memory.dram.latency 800, launch.block 128: ipc ") != std::string::npos);
  const std::string dots = plot("--pareto cycles,ipc:max --color launch.block", "plot.html");
  CHECK(dots.starts_with("<!DOCTYPE html>"));
  CHECK(count_of(dots, "<circle") == 9);
  CHECK(count_of(plot("--where 'launch.block == 32' --color none"), "<polyline") == 1);
}

TEST_CASE("a plot of nothing is an error, and no file is written")
{
  const std::string path = temporary_folder() + "/plot.svg";
  const ProgramRun run = results("--where 'cycles < 0' --plot " + path);
  CHECK(run.status == 2);
  CHECK(run.err == "--plot: no point has a value in all of the columns\n");
  CHECK(read_file(path) == "");
  CHECK(results("--kind heatmap --x arch --y launch.block --color top_stall.state --plot " + path)
            .err.find("is no number") != std::string::npos);
}

TEST_CASE("merge lists what is missing and writes what is there, which the sweep goes on with")
{
  const std::string file = sweep_file("axes: {memory.dram.latency: {range: [301, 310]}}\n");
  const std::string folder = temporary_folder();
  for (const char* shard : {"0", "2"})
    CHECK(test::smsim("sweep " + file + " --shard " + shard + "/4 -o " + folder + "/" + shard + ".sqlite")
              .status == 0);
  Database(folder + "/2.sqlite", Database::Mode::write).execute("DELETE FROM points WHERE point = 6");
  const ProgramRun run = test::smsim("merge 0.sqlite 2.sqlite -o all.sqlite", folder);
  CHECK(run.status == 1);
  CHECK(run.out == "all.sqlite: 4 of 10 points, 0 failed\n");
  CHECK(run.err == "missing: shard 1/4: no store of it was given (3 points)\n"
                   "missing: shard 2/4 (2.sqlite): 1 of 2 points: 6\n"
                   "missing: shard 3/4: no store of it was given (2 points)\n");
  const ProgramRun rest = test::smsim("sweep " + file + " -o " + folder + "/all.sqlite");
  CHECK(rest.out.find("10 of 10 points (6 now)") != std::string::npos);
}

TEST_CASE("merge refuses stores of different sweeps, versions and divisions, and one that is given twice")
{
  const std::string file = sweep_file("axes: {memory.dram.latency: {range: [301, 310]}}\n");
  const std::string other = sweep_file("axes: {memory.dram.latency: {range: [301, 311]}}\n");
  const std::string folder = temporary_folder();
  const auto shard = [&](const std::string& sweep, const std::string& which, const std::string& name) {
    CHECK(test::smsim("sweep " + sweep + " --shard " + which + " -o " + folder + "/" + name).status == 0);
  };
  shard(file, "0/2", "a.sqlite");
  shard(file, "0/2", "again.sqlite");
  shard(file, "1/3", "third.sqlite");
  shard(other, "1/2", "other.sqlite");
  shard(file, "1/2", "version.sqlite");
  Database(folder + "/version.sqlite", Database::Mode::write)
      .execute("UPDATE sweep SET value = '0.0.1' WHERE name = 'smsim_version'");
  const ProgramRun run = test::smsim(
      "merge a.sqlite again.sqlite third.sqlite other.sqlite version.sqlite -o all.sqlite", folder);
  CHECK(run.status == 2);
  CHECK(run.out == "");
  CHECK(run.err.find("again.sqlite: holds shard 0/2, as a.sqlite does\n") != std::string::npos);
  CHECK(run.err.find("third.sqlite: is one of 3 shards, not of 2 (a.sqlite)\n") != std::string::npos);
  CHECK(run.err.find("other.sqlite: was run with another sweep.yaml (a.sqlite)\n") != std::string::npos);
  CHECK(run.err.find("version.sqlite: is of smsim 0.0.1, not of ") != std::string::npos);
  CHECK(read_file(folder + "/all.sqlite") == "");
  CHECK(test::smsim("merge a.sqlite -o again.sqlite", folder).err ==
        "again.sqlite: exists already; merge writes a new file\n");
}

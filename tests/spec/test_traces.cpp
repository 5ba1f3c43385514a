// `smsim run --trace` as a user sees it: files that readers open, windows, limits, and what goes wrong.
#include "support/program.h"
#include "support/trace_readers.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

using namespace smsim;
using namespace smsim::test;

namespace {

namespace fs = std::filesystem;

/// The shipped tiled matrix multiply, three blocks of one tile for 16.
std::string matmul_file()
{
  static const std::string folder = temporary_folder();
  std::string text = read_file(SMSIM_SOURCE_DIR "/workloads/lessons/tiled_matmul.yaml");
  const std::size_t tiles = text.find("count: 16");
  REQUIRE(tiles != std::string::npos);
  text.replace(tiles, 9, "count: 1");
  return write_file(folder + "/tiled_matmul.yaml", text);
}

/// `smsim run` on it.
std::string matmul(const std::string& options = {})
{
  static const std::string command =
      "run " + matmul_file() + " --arch h100 --sms 1 --set launch.grid=3 --format json ";
  return command + options;
}
const std::uint64_t slots = 16;

std::size_t files_in(const std::string& folder)
{
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

StateCycles total(const TraceSums& sums)
{
  StateCycles all{};
  for (const auto& [place, states] : sums.states)
    for (std::size_t i = 0; i < states.size(); ++i)
      all[i] += states[i];
  return all;
}

StateCycles states_of(const nlohmann::json& result)
{
  StateCycles states{};
  for (const WarpStateInfo& state : warp_state_table)
    states[index_of(state.state)] = result["warp_states"][std::string(state.key)];
  return states;
}

}  // namespace

TEST_CASE("the tiled matrix multiply's trace opens in readers of all three formats, and tells what the "
          "report tells")
{
  const std::string folder = temporary_folder();
  const ProgramRun silent = smsim::test::smsim(matmul());
  const auto result = nlohmann::json::parse(silent.out);
  const auto traced = [&](const std::string& name) {
    const ProgramRun run = smsim::test::smsim(matmul("--trace-limit none --trace " + folder + "/" + name));
    CHECK(run.status == 0);
    CHECK(run.err.empty());
    CHECK(run.out == silent.out);
    const std::string bytes = read_file(folder + "/" + name);
    return name.ends_with(".gz") ? unzipped(bytes) : bytes;
  };
  const std::string json = traced("t.json");
  const TraceSums chrome = read_chrome(json);
  CHECK(chrome.problems == std::vector<std::string>{});
  CHECK(total(chrome) == states_of(result));
  CHECK(chrome.last == result["cycles"]);
  CHECK(chrome.slices.at("tiled_matmul") == result["cycles"]);
  CHECK(chrome.slices.count("block 2") == 1);
  CHECK(chrome.slices.count("block 2 warp 31") == 1);
  CHECK(chrome.slices.at("launch") > 0);
  CHECK(traced("t.json.gz") == json);
  const std::string protobuf = traced("t.pftrace");
  const TraceSums perfetto = read_perfetto(protobuf);
  CHECK(perfetto.problems == std::vector<std::string>{});
  CHECK(perfetto.states == chrome.states);
  CHECK(perfetto.slices == chrome.slices);
  CHECK(perfetto.counters == chrome.counters);
  CHECK(traced("t.pftrace.gz") == protobuf);
  const std::string log = traced("t.konata");
  const TraceSums konata = read_konata(log, slots);
  CHECK(konata.problems == std::vector<std::string>{});
  CHECK(konata.states == chrome.states);
  CHECK(konata.rows == result["instructions"]);
  CHECK(log.find("block 1 warp 0 3: ld.global r5, r3\n") != std::string::npos);
  CHECK(traced("t.kanata.gz") == log);
  CHECK(files_in(folder) == 6);
}

TEST_CASE(
    "windows that lie side by side hold what the whole trace holds, and the run stays as it is behind them")
{
  const std::string silent = smsim::test::smsim(matmul("--max-cycles 2500")).out;
  const std::string folder = temporary_folder();
  for (const std::string ending : {".json", ".pftrace", ".konata"}) {
    CAPTURE(ending);
    const auto read = [&](const std::string& window) {
      const std::string path = folder + "/t" + ending;
      const ProgramRun run = smsim::test::smsim(
          matmul("--max-cycles 2500 --trace-limit none --trace " + path + " --trace-cycles " + window));
      CHECK(run.status == 0);
      CHECK(run.out == silent);
      const std::string bytes = read_file(path);
      const TraceSums sums = ending == ".json"      ? read_chrome(bytes)
                             : ending == ".pftrace" ? read_perfetto(bytes)
                                                    : read_konata(bytes, slots);
      CHECK(sums.problems == std::vector<std::string>{});
      return sums;
    };
    const TraceSums whole = read("0:");
    const TraceSums first = read(":1000");
    const TraceSums middle = read("1000:1003");
    const TraceSums rest = read("1003:");
    CHECK(first.last == 1000);
    CHECK(middle.first == 1000);
    CHECK(middle.last == 1003);
    StateCycles sum = total(first);
    for (const TraceSums* part : {&middle, &rest})
      for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += total(*part)[i];
    CHECK(sum == total(whole));
    for (const auto& [name, value] : whole.counters)
      CHECK(value == first.counters.at(name) + middle.counters.at(name) + rest.counters.at(name));
  }
}

TEST_CASE("a trace of some SMs holds these, a Konata log holds one")
{
  const std::string folder = temporary_folder();
  const std::string run = "run latency_hiding --arch a100 --sms 4 --set launch.grid=8 --trace " + folder;
  CHECK(smsim::test::smsim(run + "/t.json --trace-sm 1,3").status == 0);
  const TraceSums chrome = read_chrome(read_file(folder + "/t.json"));
  CHECK(chrome.problems.empty());
  for (const auto& [place, states] : chrome.states)
    CHECK((place.first == 1 || place.first == 3));
  CHECK(chrome.counters.count({3, "active warps"}) == 1);
  CHECK(smsim::test::smsim(run + "/t.konata --trace-sm 2").status == 0);
  CHECK(read_konata(read_file(folder + "/t.konata"), 16).rows > 0);
  const ProgramRun two = smsim::test::smsim(run + "/t.konata --trace-sm 1-2");
  CHECK(two.status == 2);
  CHECK(two.err.starts_with("smsim run: --trace-sm: a Konata log holds one SM; name one\n"));
}

TEST_CASE("a trace that is cut at its limit is whole as far as it goes, and the warning names the windows")
{
  const std::string folder = temporary_folder();
  for (const std::string name : {"t.json", "t.pftrace", "t.konata"}) {
    const ProgramRun run = smsim::test::smsim(matmul("--trace-limit 5000 --trace " + folder + "/" + name));
    CHECK(run.status == 0);
    CHECK(run.err.find("the trace holds the first 5000 events, up to cycle ") != std::string::npos);
    CHECK(run.err.find("--trace-cycles A:B and --trace-sm N") != std::string::npos);
    const std::string bytes = read_file(folder + "/" + name);
    const TraceSums sums = name == "t.json"      ? read_chrome(bytes)
                           : name == "t.pftrace" ? read_perfetto(bytes)
                                                 : read_konata(bytes, slots);
    CHECK(sums.problems == std::vector<std::string>{});
    CHECK(total(sums)[index_of(WarpState::selected)] > 0);
  }
}

TEST_CASE("a trace that cannot be written ends the run with a message, and no part of it is left")
{
  const std::string folder = temporary_folder();
  const auto error = [&](const std::string& options, int status) {
    const ProgramRun run = smsim::test::smsim(matmul(options));
    CHECK(run.status == status);
    CHECK(run.out.empty());
    return run.err.substr(0, run.err.find('\n'));
  };
  for (const std::string ending : {".json", ".json.gz", ".pftrace", ".pftrace.gz", ".konata"}) {
    const std::string path = folder + "/full" + ending;
    fs::create_symlink("/dev/full", path);
    CHECK(error("--trace " + path, 1) == path + ": cannot be written: No space left on device");
    fs::remove(path);
  }
  CHECK(error("--trace " + folder + "/none/t.json", 1) ==
        folder + "/none/t.json: cannot be written: No such file or directory");
  CHECK(error("--trace " + folder + "/t.json --trace-cycles 900000:900001", 1)
            .starts_with("--trace-cycles: the window begins at cycle 900000, but the run ended at cycle "));
  CHECK(files_in(folder) == 0);
}

TEST_CASE("a window, an SM, an ending or a limit that is none is said so before anything runs")
{
  const std::string folder = temporary_folder();
  const auto error = [&](const std::string& options) {
    const ProgramRun run = smsim::test::smsim(matmul(options), folder);
    CHECK(run.status == 2);
    return run.err.substr(0, run.err.find('\n'));
  };
  CHECK(error("--trace t.txt") ==
        "smsim run: --trace: 't.txt': the ending says no format; allowed: .json, .pftrace, "
        ".konata, .kanata, each with .gz behind it or without");
  CHECK(error("--trace t.json --trace-cycles 9:3") ==
        "smsim run: --trace-cycles: '9:3' holds no cycle; expected: A:B, cycles from A to before B, such as "
        "1000:1200, "
        "or A: or :B");
  CHECK(error("--trace t.json --trace-cycles 9")
            .starts_with("smsim run: --trace-cycles: '9' is no window of cycles;"));
  CHECK(error("--trace t.json --trace-sm 1") ==
        "smsim run: --trace-sm: there is no 1; the run's SMs: 0 to 0");
  CHECK(
      error("--trace t.json --trace-sm x").starts_with("smsim run: --trace-sm: 'x' is no number or range;"));
  CHECK(error("--trace t.json --trace-limit 0").starts_with("smsim run: --trace-limit: out of range: 0;"));
  CHECK(error("--trace-sm 0") == "smsim run: --trace-sm needs --trace FILE");
  CHECK(error("--trace t.json --engine every-cycle") ==
        "smsim run: --trace: only the event engine can be traced");
  CHECK(files_in(folder) == 0);
}

TEST_CASE("a deadlock's trace is kept: it shows the way there")
{
  const std::string folder = temporary_folder();
  write_file(folder + "/k.yaml",
             "name: k\nlaunch:\n  grid: 1\n  block: 64\n  registers_per_thread: 16\n  barriers: 1\n"
             "program:\n  - nanosleep 50\n  - bar.sync 0, 96\n  - exit\n");
  const ProgramRun run = smsim::test::smsim("run k.yaml --arch h100 --sms 1 --trace t.json", folder);
  CHECK(run.status == 1);
  CHECK(run.err.starts_with("deadlock at cycle "));
  const TraceSums sums = read_chrome(read_file(folder + "/t.json"));
  CHECK(sums.problems.empty());
  CHECK(total(sums)[index_of(WarpState::selected)] == 4);
}

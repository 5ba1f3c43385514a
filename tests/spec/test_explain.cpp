// `smsim explain`: what limits a kernel, whether occupancy matters, and the change that helps most, run.
#include "engine/explanation.h"
#include "engine/launch_changes.h"
#include "engine/warp_estimate.h"
#include "sm/register_cap.h"
#include "support/kernels.h"
#include "support/program.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <regex>
#include <set>

using namespace smsim;
using namespace smsim::test;
using Json = nlohmann::ordered_json;

namespace {

Json explained(const std::string& arguments)
{
  const ProgramRun run = smsim::test::smsim("explain " + arguments + " --format json");
  CAPTURE(arguments);
  REQUIRE_MESSAGE(run.status == 0, run.err);
  return Json::parse(run.out);
}

std::string words_of(const Json& settings)
{
  std::string words;
  for (const Json& setting : settings)
    words += " --set '" + setting.get<std::string>() + "'";
  return words;
}

const Json* change_named(const Json& page, const std::string& setting)
{
  for (const Json& change : page["changes"])
    if (change["settings"][0] == setting) return &change;
  return nullptr;
}

WarpEstimate estimate(const ArchConfig& sm, const Workload& workload)
{
  Diagnostics diagnostics;
  const BoundProgram program = bind_program(workload.program, sm, workload.kernel, 1, diagnostics);
  throw_if_errors(diagnostics);
  return estimate_warp(sm, program);
}

/// All numbers of a text, as written.
std::set<std::string> numbers_in(const std::string& text)
{
  static const std::regex number("\\d+(\\.\\d+)?");
  return {std::sregex_token_iterator(text.begin(), text.end(), number), std::sregex_token_iterator()};
}

/// A JSON number as the page may write it: with 0 to 3 places, as a share in percent, of either sign.
void add_spellings(const Json& json, std::set<std::string>& all)
{
  if (json.is_structured()) {
    for (const Json& item : json)
      add_spellings(item, all);
  } else if (json.is_string()) {
    all.merge(numbers_in(json.get<std::string>()));
  } else if (json.is_number()) {
    const double value = std::abs(json.get<double>());
    for (const char* form : {"%.0f", "%.1f", "%.2f", "%.3f"}) {
      char text[400];
      std::snprintf(text, sizeof text, form, value);
      all.insert(text);
      if (value <= 10) {
        std::snprintf(text, sizeof text, form, 100 * value);
        all.insert(text);
      }
    }
  }
}

constexpr const char* shipped[] = {"worked_example --arch a100 --sms 4 --set launch.grid=120",
                                   "cap_helps --arch a100 --sms 1",
                                   "vector_add --arch a100 --sms 2 --set launch.grid=300",
                                   "latency_hiding --arch h100 --sms 1",
                                   "uneven_blocks --arch h100 --sms 4",
                                   "carveout_against_l1 --arch a100 --sms 1"};

}  // namespace

TEST_CASE("worked_example: shared memory binds, and more resident warps would help")
{
  const Json page = explained("worked_example --arch a100 --sms 4 --set launch.grid=120");
  CHECK(page["occupancy"]["limiters"] == Json{"shared_memory"});
  CHECK(page["occupancy"]["theoretical"] == 0.375);
  CHECK(page["occupancy"]["arithmetic"][0] ==
        "167936 B of shared memory / 50176 B of a block (49152 B and 1024 B reserved), rounded down = 3 "
        "blocks");
  CHECK(page["occupancy"]["nearest_gain"].get<std::string>().starts_with(
      "40 KiB of shared memory instead of 48 KiB give 4 blocks per SM"));
  const Json& runs = page["occupancy_matters"];
  CHECK(runs["half"]["blocks_per_sm"] == 1);
  CHECK(runs["twice"]["blocks_per_sm"] == 6);
  CHECK(runs["half"]["cycles"] > 1.5 * runs["base"]["cycles"].get<double>());
  CHECK(runs["twice"]["cycles"] < 0.8 * runs["base"]["cycles"].get<double>());
  CHECK(runs["answer"].get<std::string>().ends_with("so that more resident warps would help."));
}

TEST_CASE("vector_add: DRAM bandwidth is the limit, more resident warps than there are would not help")
{
  const Json page = explained("vector_add --arch a100 --sms 4 --set launch.grid=640");
  CHECK(page["estimate"]["units"][0]["unit"] == "DRAM bandwidth");
  CHECK(page["estimate"]["warps_needed_per_scheduler"] < page["estimate"]["warps_per_scheduler"]);
  CHECK(page["run"]["dram_utilisation"] > 0.9);
  const Json& runs = page["occupancy_matters"];
  CHECK(runs["twice"]["gain"] < 0.02);
  // The estimate needs 9.5 warps of each scheduler: half of 16 are too few.
  CHECK(runs["half"]["gain"] < -0.1);
  CHECK(runs["answer"].get<std::string>().ends_with("so that more resident warps would not help."));
}

TEST_CASE("cap_helps: the register cap that the ladder of caps finds is named")
{
  const Json page = explained("cap_helps --arch a100 --sms 1");
  CHECK(page["best"]["settings"] == Json{"launch.max_registers=32"});
  CHECK(page["best"]["gain"] > 0.3);
  const Json ladder =
      Json::parse(smsim::test::smsim("registers cap_helps --arch a100 --sms 1 --format json").out);
  CHECK(ladder["best"] == 32);
  // Under a cap all registers are among what is tried.
  CHECK(change_named(explained("cap_helps --arch a100 --sms 1 --set launch.max_registers=8"),
                     "launch.max_registers=255"));
}

TEST_CASE("a grid that ends in a partial wave: the full wave is named, with what it gains a thread")
{
  const Json page = explained("latency_hiding --arch a100 --sms 1 --set launch.grid=5");
  CHECK(page["best"]["settings"] == Json{"launch.grid=8"});
  CHECK(page["best"]["gain"] > 0.02);
  CHECK((*change_named(page, "launch.grid=4"))["gain"] < -0.2);
  CHECK(page["tail"]["partial_wave_cycles"] > 0);
  CHECK(page["tail"]["answer"].get<std::string>().starts_with("Another grid would help: with launch.grid=8"));
  const Json full = explained("latency_hiding --arch a100 --sms 1 --set launch.grid=8");
  CHECK(full["changes"].empty());
  CHECK(full["best"] == nullptr);
  CHECK(full["tail"]["answer"] == "The grid ends in a full wave: another size would not help.");
}

TEST_CASE("uneven_blocks: longest blocks first helps, other grids and block sizes are other work")
{
  const Json page = explained("uneven_blocks --arch h100 --sms 4 --set launch.grid=100");
  CHECK(page["best"]["settings"] == Json{"dispatch.order=longest_first"});
  CHECK(page["tail"]["uneven_blocks_cycles"] > page["tail"]["launch_order_cycles"].get<double>());
  CHECK(page["changes"].size() == 1);
  CHECK(page["not_tried"].size() == 2);
}

TEST_CASE("what the page says of a change is what a run with its --set words gives")
{
  std::size_t checked = 0;
  for (const std::string arguments : shipped) {
    const Json page = explained(arguments);
    std::vector<Json> tried(page["changes"].begin(), page["changes"].end());
    for (const char* key : {"half", "twice", "base"})
      if (!page["occupancy_matters"][key].is_null()) tried.push_back(page["occupancy_matters"][key]);
    for (const Json& change : tried) {
      if (change["cycles"].is_null()) continue;
      const ProgramRun run =
          smsim::test::smsim("run " + arguments + words_of(change["settings"]) + " --format json");
      CAPTURE(arguments);
      CAPTURE(change.dump());
      REQUIRE_MESSAGE(run.status == 0, run.err);
      const Json result = Json::parse(run.out);
      CHECK(result["cycles"] == change["cycles"]);
      CHECK(result["occupancy"]["warps_per_sm"] == change["warps_per_sm"]);
      CHECK(result["launch"]["grid"] == change["grid"]);
      ++checked;
    }
  }
  CHECK(checked > 25);
}

TEST_CASE("changes are ranked by cycles of a thread, and the gain is told against the run as it is")
{
  for (const std::string arguments : shipped) {
    const Json page = explained(arguments);
    const double base = page["occupancy_matters"]["base"]["cycles_per_1000_threads"];
    double last = 0;
    for (const Json& change : page["changes"]) {
      if (change["cycles"].is_null()) continue;
      const double here = change["cycles_per_1000_threads"];
      CHECK(here >= last);
      CHECK(change["gain"].get<double>() == doctest::Approx(1 - here / base));
      last = here;
    }
    if (!page["best"].is_null()) CHECK(page["best"] == page["changes"][0]);
  }
}

TEST_CASE("every figure of the page is in the JSON")
{
  for (const std::string arguments : shipped) {
    CAPTURE(arguments);
    const std::string text = smsim::test::smsim("explain " + arguments).out;
    std::set<std::string> known{"1", "2", "3", "4", "1000"};  // chapters, "cycles of 1000 threads"
    add_spellings(explained(arguments), known);
    const std::set<std::string> shown = numbers_in(text);
    CHECK(shown.size() > 30);
    for (const std::string& number : shown)
      CHECK_MESSAGE(known.count(number) == 1, number);
  }
}

TEST_CASE("the estimate of a warp alone: k instructions, then L cycles, is met exactly")
{
  const ArchConfig sm = one_scheduler();
  const WarpEstimate repeated =
      estimate(sm, kernel(1, 32, "  - repeat: {compute: 10, stall: 90, rounds: 8}\n"));
  CHECK(repeated.instructions == 80);
  CHECK(repeated.cycles == 80 + 7 * 90);
  CHECK(repeated.waits == 7);
  CHECK(repeated.wait_length() == 90);
  CHECK(repeated.units.front().name == "issue slots");
  CHECK(repeated.warps_needed() == 710.0 / 80);
}

TEST_CASE("the estimate of a warp alone is what a run of one warp takes, on every shipped workload without "
          "draws")
{
  const ArchConfig sm = arch("a100", {"register_file.read_window=0"});
  for (const std::string name : {"vector_add", "latency_hiding", "pointer_chase", "cap_helps", "cap_hurts"}) {
    CAPTURE(name);
    Diagnostics diagnostics;
    const Workload alone = load_workload(name, {"launch.grid=1", "launch.block=32"}, diagnostics);
    throw_if_errors(diagnostics);
    const RunResult result = smsim::test::run(sm, alone);
    const WarpEstimate found = estimate(sm, alone);
    CHECK(found.instructions == static_cast<double>(result.instructions()));
    CHECK(found.cycles == doctest::Approx(static_cast<double>(result.cycles)).epsilon(0.02));
  }
}

TEST_CASE("a long grid is shortened for all runs alike: whole waves, and the last wave as it is")
{
  const std::string lengthy = "latency_hiding --arch a100 --sms 1 --set launch.grid=9999";
  const Json page = explained(lengthy);
  CHECK(page["launch"]["shortened"] == true);
  CHECK(page["launch"]["whole_grid"] == 9999);
  CHECK(page["launch"]["expected_instructions"] == 9999.0 * 16 * 200);
  const std::uint64_t grid = page["launch"]["grid"];
  CHECK(grid % 4 == 9999 % 4);
  CHECK(grid * 16 * 200 <= 20'000'000 + 4 * 16 * 200);
  CHECK(grid * 16 * 200 > 19'000'000);
  CHECK(page["run"]["instructions"] == grid * 16 * 200);
  CHECK(page["not_tried"][0].get<std::string>().starts_with("other grids: in a shortened grid"));
  if (share_of_cases(100) == 100)  // as long again
    CHECK(smsim::test::smsim("explain " + lengthy).out.find("The whole grid has 9999 blocks") !=
          std::string::npos);
  CHECK(explained("latency_hiding --arch a100 --sms 1")["launch"]["shortened"] == false);
}

TEST_CASE("changes that would be other work, or that cannot run, are told and not ranked")
{
  const auto changes = [](const std::string& items, const std::string& more = {}) {
    const ArchConfig sm = arch("a100");
    const Workload staged = kernel(5, 96, items, more);
    return changes_worth_a_run(sm, staged, smsim::test::run(sm, staged), false).left_out;
  };
  CHECK(changes("  - nop\n").empty());
  const auto told = [](const std::vector<std::string>& left_out, const std::string& what) {
    return std::any_of(left_out.begin(), left_out.end(),
                       [&](const std::string& text) { return text.find(what) != std::string::npos; });
  };
  CHECK(told(changes("  - bar.sync 0, 96\n", "  barriers: 1\n"), "a stated number of threads"));
  CHECK(
      told(changes("  - {op: \"ld.global r1, [r2]\", address: {pattern: block_shared, footprint: 8 KiB}}\n"),
           "a footprint of its own"));
  CHECK(told(changes("  - loop: {count: {per: block, values: [1, 2, 3, 4, 5]}, body: [nop]}\n"),
             "other grids: work is listed or drawn"));
  CHECK(told(changes("  - nop\n", "  launch_bounds: {threads: 128}\n"), "launch_bounds"));
}

TEST_CASE("smsim explain refuses what it cannot do as the other commands do")
{
  const ProgramRun impossible =
      smsim::test::smsim("explain pointer_chase --arch a100 --set launch.shared_memory.dynamic=500KiB");
  CHECK(impossible.status == 1);
  CHECK(impossible.out.empty());
  CHECK(impossible.err.starts_with("pointer_chase: no block can launch on A100 SXM4 80GB: 500 KiB"));
  const auto refused = [](const std::string& arguments) {
    const ProgramRun run = smsim::test::smsim("explain " + arguments);
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    return run.err;
  };
  CHECK(refused("--arch a100").find("name a workload") != std::string::npos);
  CHECK(refused("vector_add --format csv").find("allowed: text, json") != std::string::npos);
  CHECK(refused("vector_add --polcy gto").find("did you mean '--policy'?") != std::string::npos);
  CHECK(refused("vector_add --policy gta").find("did you mean 'gto'?") != std::string::npos);
  CHECK(refused("vector_add --set 'program=[\"fada r1, r2\"]'").find("no opcode of") != std::string::npos);
  CHECK(smsim::test::smsim("explain --help").out.starts_with("Usage: smsim explain WORKLOAD [OPTIONS]\n"));
}

TEST_CASE("a cap on a kernel with drawn counts weighs their average")
{
  const ProgramRun run = smsim::test::smsim(
      "run uneven_blocks --arch h100 --sms 1 --set launch.grid=4 --set launch.max_registers=3 --format json");
  REQUIRE_MESSAGE(run.status == 0, run.err);
  CHECK(Json::parse(run.out)["launch"]["registers"]["spilled_values"] > 0);
}

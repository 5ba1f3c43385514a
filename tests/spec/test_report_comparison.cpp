// `smsim report --compare A.json B.json`: two results beside each other, and what is said of files that are
// none.
#include "support/page.h"
#include "support/program.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <regex>

using namespace smsim::test;
using Json = nlohmann::ordered_json;

namespace {

ProgramRun program(const std::string& arguments, const std::string& folder = {})
{
  return smsim::test::smsim(arguments, folder);
}

struct Pair {
  std::string folder = temporary_folder();
  std::string a = folder + "/A.json";
  std::string b = folder + "/B.json";
};

Pair two_runs()
{
  Pair pair;
  REQUIRE(
      program("run tiled_matmul --arch a100 --sms 2 --set launch.grid=9 --format json -o " + pair.a).status ==
      0);
  REQUIRE(
      program("run tiled_matmul --arch a100 --sms 2 --set launch.grid=9 --set launch.registers_per_thread=48 "
              "--policy lrr --format json -o " +
              pair.b)
          .status == 0);
  return pair;
}

/// What is said of bad.json, given as the first file with one that is good.
std::string refusal(const Pair& pair, const std::string& content)
{
  write_file(pair.folder + "/bad.json", content);
  const ProgramRun run = program("report --compare bad.json B.json -o page.html", pair.folder);
  CHECK(run.status == 2);
  CHECK(run.out.empty());
  CHECK_FALSE(std::filesystem::exists(pair.folder + "/page.html"));
  return run.err.substr(0, run.err.find('\n'));
}

std::string replaced(const std::string& text, const std::string& form, const std::string& by)
{
  return std::regex_replace(text, std::regex(form), by, std::regex_constants::format_first_only);
}

}  // namespace

TEST_CASE("every number of the comparison is that of its file, and both files' are there")
{
  const Pair pair = two_runs();
  const ProgramRun run = program("report --compare " + pair.a + " " + pair.b);
  REQUIRE(run.status == 0);
  const Json results[] = {Json::parse(read_file(pair.a)), Json::parse(read_file(pair.b))};
  std::string faults;
  std::size_t of_run[] = {0, 0};
  for (const PageNumber& number : numbers_of(run.out)) {
    const std::size_t which = number.run == "b" ? 1 : 0;
    CHECK(number.run == (which == 1 ? "b" : "a"));
    if (const std::string fault = fault_of(number, results[which]); !fault.empty()) faults += fault + "\n";
    ++of_run[which];
  }
  CHECK(faults == "");
  CHECK(of_run[0] >= 40);
  CHECK(of_run[0] == of_run[1]);
  CHECK(json_of(run.out, "result-a").at("cycles") == results[0].at("cycles"));
  CHECK(json_of(run.out, "result-b").at("policy") == "lrr");
}

TEST_CASE("the comparison says which run was faster, and which keys of the configuration differ")
{
  const Pair pair = two_runs();
  const std::string text = text_of(program("report --compare " + pair.a + " " + pair.b).out);
  const double a = Json::parse(read_file(pair.a)).at("cycles").get<double>();
  const double b = Json::parse(read_file(pair.b)).at("cycles").get<double>();
  REQUIRE(a != b);
  CHECK(text.find(std::string(a < b ? "A" : "B") + " took fewer cycles") != std::string::npos);
  CHECK(text.find("The runs differ in: policy.") != std::string::npos);
  const std::string differences = text.substr(text.find("What differs"));
  CHECK(differences.find("workload.launch.registers_per_thread") != std::string::npos);
  CHECK(differences.find("architecture.scheduler.policy") != std::string::npos);
  CHECK(differences.find("launch.grid") == std::string::npos);

  const std::string same = text_of(program("report --compare " + pair.a + " " + pair.a).out);
  CHECK(same.find("Both took the same number of cycles.") != std::string::npos);
  CHECK(same.find("The configurations are the same.") != std::string::npos);
}

TEST_CASE("a file that is no result of a run is refused with its place")
{
  const Pair pair = two_runs();
  const std::string good = read_file(pair.a);
  const std::string expected = "; a file that `smsim run --format json` wrote is expected";
  CHECK(refusal(pair, "") == "bad.json: the file is empty" + expected);
  CHECK(refusal(pair, good.substr(0, good.size() / 2)).find("the file ends in the middle of its JSON") !=
        std::string::npos);
  CHECK(refusal(pair, "{\n  \"cycles\": 1,\n  oops\n}\n") == "bad.json:3:3: this is no JSON" + expected);
  CHECK(refusal(pair, "[1, 2]") ==
        "bad.json:1:1: this is no result of a run: it has no schema_version" + expected);
  CHECK(refusal(pair, "{\"cycles\": 1e999, \"schema_version\": 1}").find("a number is too large") !=
        std::string::npos);
  CHECK(refusal(pair, replaced(good, "\"schema_version\": 1", "\"schema_version\": 7")) ==
        "bad.json:2:3: schema_version: the result is of version 7; this program reads version 1; run the "
        "kernel "
        "again, or use the smsim that wrote it");
  CHECK(refusal(pair, "{\"schema_version\": 1, \"x\": " + std::string(100'000, '[') +
                          std::string(100'000, ']') + "}") ==
        "bad.json:1:1: this is no result of a run: it is nested 100000 deep" + expected);
  const std::string occupancy_only =
      program("occupancy --arch a100 --threads 64 --registers 32 --format json").out;
  CHECK(refusal(pair, occupancy_only).find("this is no result of a run") != std::string::npos);
  const std::string sub_key = refusal(pair, replaced(good, "\"achieved\": [0-9.]+,\n", ""));
  CHECK_MESSAGE(std::regex_match(sub_key, std::regex("bad\\.json:\\d+:3: occupancy\\.achieved: missing; .*")),
                sub_key);
  const std::string kind = refusal(pair, replaced(good, "\"cycles\": [0-9]+", "\"cycles\": \"many\""));
  CHECK_MESSAGE(
      std::regex_match(kind, std::regex("bad\\.json:\\d+:3: cycles: a value of the wrong kind: string; "
                                        "expected: a number")),
      kind);
}

TEST_CASE("all that is wrong with both files is told at once")
{
  const Pair pair = two_runs();
  write_file(pair.folder + "/one.json", replaced(read_file(pair.a), "\"ipc\"", "\"ipx\""));
  write_file(pair.folder + "/two.json",
             replaced(replaced(read_file(pair.b), "\"ipc\"", "\"ipx\""), "\"seed\"", "\"sed\""));
  const ProgramRun run = program("report --compare one.json two.json", pair.folder);
  CHECK(run.status == 2);
  for (const char* error :
       {"one.json:1:1: ipc: missing", "two.json:1:1: ipc: missing", "two.json:1:1: seed: missing"})
    CHECK_MESSAGE(run.err.find(error) != std::string::npos, run.err);
}

TEST_CASE("a page that cannot be written leaves nothing, and options without effect are refused")
{
  const Pair pair = two_runs();
  const std::string compare = "report --compare " + pair.a + " " + pair.b;
  const ProgramRun nowhere = program(compare + " -o " + pair.folder + "/no/page.html");
  CHECK(nowhere.status == 1);
  CHECK(nowhere.err.find("no/page.html: cannot be written") != std::string::npos);
  CHECK(program("report vector_add --arch a100 --sms 1 --set launch.grid=2 -o " + pair.folder).status == 1);
  for (const auto& entry : std::filesystem::directory_iterator(pair.folder))
    CHECK(entry.path().extension() == ".json");
  CHECK(program(compare + " --arch a100").err.find("--arch has no effect with --compare") !=
        std::string::npos);
  CHECK(program("report --compare " + pair.a)
            .err.find("--compare takes two files, A.json and B.json; given: 1") != std::string::npos);
  CHECK(program("report").err.find("name a workload") != std::string::npos);
}

// Policies in shared libraries: what a good one can do, what a bad one is told, and README's way to one.
#include "support/kernels.h"
#include "support/program.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <sstream>

using namespace smsim::test;
using Json = nlohmann::ordered_json;

namespace {

const std::string policies = SMSIM_POLICIES "/";

ProgramRun run_with(const std::string& policy, const std::string& more = "--format json")
{
  const std::string sms = more.find("--sms") == std::string::npos ? " --sms 1 " : " ";
  return smsim::test::smsim("run barrier_heavy --set launch.grid=4 --policy '" + policy + "'" + sms + more);
}

Json without_policy(const std::string& report)
{
  Json json = Json::parse(report);
  json.erase("policy");
  json.erase("policy_parameters");
  json.erase("config");
  return json;
}

void check_fails(const ProgramRun& run, int status, const std::string& text)
{
  CAPTURE(run.err);
  CHECK(run.status == status);
  CHECK(run.out.empty());
  CHECK(run.err.find(text) != std::string::npos);
}

}  // namespace

TEST_CASE("a policy in a library does what the same one in smsim does, in both engines")
{
  const ProgramRun built_in = run_with("gto");
  for (const char* engine : {"event", "every-cycle"}) {
    const ProgramRun loaded =
        run_with(policies + "gto_again.so", "--format json --engine " + std::string(engine));
    REQUIRE(loaded.status == 0);
    CHECK(without_policy(loaded.out) == without_policy(built_in.out));
  }
}

TEST_CASE("a library that knows the boundary alone needs no callbacks: youngest of none, the lowest slot")
{
  const ProgramRun run = run_with(policies + "lowest.so");
  CHECK(run.status == 0);
  CHECK(Json::parse(run.out)["instructions"] == without_policy(run_with("gto").out)["instructions"]);
}

TEST_CASE("a library's parameters stand behind its path, each is checked where it stands")
{
  const std::string file = policies + "my_policy.so";
  CHECK(without_policy(run_with(file + ":burst=32").out) == without_policy(run_with(file).out));
  CHECK(without_policy(run_with(file + ":burst=1").out) != without_policy(run_with(file).out));
  const std::string column = std::to_string(file.size() + 2);
  check_fails(run_with(file + ":burst=0"), 2,
              "--policy:1:" + column + ": burst: out of range: 0; allowed: 1 to 1000");
  check_fails(run_with(file + ":brst=1"), 2,
              "has no parameter 'brst'; allowed: burst (did you mean 'burst'?)");
  check_fails(run_with(file + ":burst=x"), 2, "burst: 'x' is not a whole number");
  check_fails(run_with(file + ":burst=1:burst=2"), 2, "burst: is given twice");
  check_fails(run_with(file + ":"), 2, "has no parameter ''");
  check_fails(run_with(policies + "lowest.so:burst=1"), 2, "has no parameter 'burst'; it has none");
  check_fails(run_with(file, "--set scheduler.limit=3"), 2,
              "is a parameter of policy 'swl', not of '" + file + "'; parameters of '" + file +
                  "': behind its path, as in mine.so:key=value");
}

TEST_CASE("parameters of smsim's own policies may stand behind their names too, so that several are compared")
{
  CHECK(without_policy(run_with("swl:limit=2").out)["cycles"] ==
        without_policy(run_with("swl", "--format json --set scheduler.limit=2").out)["cycles"]);
  const ProgramRun compared =
      smsim::test::smsim("compare --sms 1 --workloads barrier_heavy --set launch.grid=4 "
                         "--format json --policies swl,swl:limit=1,ccws:base_score=7:hit_score=9");
  REQUIRE(compared.status == 0);
  const Json rows = Json::parse(compared.out)["rows"];
  CHECK(rows[1]["policy"] == "swl:limit=1");
  CHECK(rows[0]["cycles"]["mean"] != rows[1]["cycles"]["mean"]);
  check_fails(run_with("swl:limit=65"), 2, "--policy:1:5: limit: out of range: 65; allowed: 1 to 64");
  check_fails(run_with("swl:"), 2, "policy 'swl' has no parameter ''; allowed: limit");
  check_fails(run_with("gto:limit=2"), 2, "policy 'gto' has no parameter 'limit'; it has none");
  check_fails(run_with("swk:limit=2"), 2, "no policy is named 'swk'; allowed: ");
}

TEST_CASE("a result holds the parameters that its policy ran with, wherever they come from")
{
  const auto parameters = [](const ProgramRun& run) {
    return Json::parse(run.out)["policy_parameters"].dump();
  };
  CHECK(parameters(run_with("gto")) == "{}");
  CHECK(parameters(run_with("swl")) == R"({"limit":4})");
  CHECK(parameters(run_with("swl:limit=2")) == R"({"limit":2})");
  CHECK(parameters(run_with("ccws", "--format json --set scheduler.hit_score=9")) ==
        R"({"victim_tags":16,"base_score":100,"hit_score":9})");
  CHECK(parameters(run_with(policies + "my_policy.so")) == R"({"burst":32})");
  CHECK(parameters(run_with(policies + "my_policy.so:burst=5")) == R"({"burst":5})");
}

TEST_CASE("where a policy lets nobody issue the report says so, not that issue slots are short")
{
  const std::string page = run_with(policies + "faulty.so:how=3", "--max-cycles 500").out;
  CHECK(page.find("could have issued, but was not chosen") != std::string::npos);
  CHECK(page.find(
            "the policy is the limit: it let nobody issue in 100.0 % of the cycles in which a warp could") !=
        std::string::npos);
}

TEST_CASE("an architecture file names a library by its path from the file's own folder")
{
  const std::string folder = temporary_folder();
  std::filesystem::create_directory(folder + "/lab");
  std::filesystem::copy_file(policies + "my_policy.so", folder + "/lab/mine.so");
  write_file(folder + "/lab/sm.yaml", "base: a100\nname: lab\nscheduler: {policy: \"mine.so:burst=4\"}\n");
  const ProgramRun by_file = smsim::test::smsim(
      "run barrier_heavy --sms 1 --set launch.grid=4 --format json --arch '" + folder + "/lab/sm.yaml'");
  REQUIRE(by_file.status == 0);
  CHECK(without_policy(by_file.out)["cycles"] ==
        without_policy(run_with(policies + "my_policy.so:burst=4").out)["cycles"]);
  CHECK(smsim::test::smsim("validate lab/sm.yaml", folder).out == "lab/sm.yaml: ok\n");
  write_file(folder + "/sm.yaml", "base: a100\nname: lab\nscheduler:\n  policy: ./mine.so\n");
  check_fails(smsim::test::smsim("validate sm.yaml", folder), 2,
              "sm.yaml:4:11: scheduler.policy: no such file: ");
}

TEST_CASE("every command that runs kernels takes a library")
{
  const std::string file = policies + "my_policy.so";
  const ProgramRun compared =
      smsim::test::smsim("compare --sms 1 --workloads barrier_heavy --set launch.grid=4 "
                         "--format json --policies gto," +
                         file + "," + file + ":burst=2");
  REQUIRE(compared.status == 0);
  const Json rows = Json::parse(compared.out)["rows"];
  REQUIRE(rows.size() == 3);
  CHECK(rows[2]["policy"] == file + ":burst=2");
  CHECK(rows[1]["cycles"] != rows[2]["cycles"]);
  CHECK(smsim::test::smsim("explain best_of_pipes --sms 1 --policy " + file).status == 0);
  CHECK(smsim::test::smsim("registers cap_helps --sms 1 --set launch.grid=8 --policy " + file).status == 0);
}

TEST_CASE("what is no policy library is told why: exit 1, or 2 where nothing is there")
{
  check_fails(run_with("./nothing.so"), 2,
              "--policy:1:1: scheduler.policy: no such file: ./nothing.so; expected: ");
  check_fails(run_with("./docs"), 2, "is no file: ./docs");
  check_fails(run_with("./README.md"), 1, "policy './README.md': cannot be loaded: ");
  check_fails(run_with(policies + "no_entry.so"), 1, "is no policy: it has no symbol smsim_policy_entry");
  check_fails(run_with(policies + "version_2.so"), 1,
              "is built for version 2 of <smsim/policy.h>; this smsim has version 1: build it again");
  check_fails(run_with(policies + "bad_parameter.so"), 1,
              "its parameter 1 has no key, or its default does not lie between the least and the most");
}

TEST_CASE("two policies of one name are an error, whether smsim or another library has it")
{
  check_fails(run_with(policies + "named_gto.so"), 2, "is called 'gto', as one that comes with smsim is");
  check_fails(smsim::test::smsim("compare --workloads vector_add --policies " + policies + "gto_again.so," +
                                 policies + "gto_twin.so"),
              2, "is called 'gto_again', as that of '");
}

TEST_CASE("exceptions and illegal picks end a run with a message and exit 1, in both engines and on threads")
{
  const std::string faulty = policies + "faulty.so:how=";
  CHECK(run_with(faulty + "0").status == 0);
  for (const char* engine : {"--engine event", "--engine every-cycle", "--threads 2 --sms 3"}) {
    CAPTURE(engine);
    const auto fails = [&](int how, const std::string& text) {
      check_fails(run_with(faulty + std::to_string(how), engine), 1, text);
    };
    fails(1, "faulty.so:how=1' failed in pick in cycle ");
    fails(1, ": no idea\n");
    fails(2, ", whose warp cannot issue; allowed: ");
    fails(4, "faulty.so:how=4' could not be made: no good day\n");
    fails(7, "' failed in on_issue: an exception that is no std::exception\n");
    fails(8, "' picked slot 64 in cycle ");
    fails(11, "' could not be made: SMSIM_POLICY declares no such parameter");
  }
  check_fails(run_with(faulty + "3"), 1, "' has picked no warp in 1000000 cycles in a row");
}

TEST_CASE("policy-check holds a policy to what all must keep, and says what failed")
{
  const auto outcomes = [](const std::string& policy) {
    const ProgramRun run = smsim::test::smsim("policy-check '" + policy + "' --cycles 300 --format json");
    const Json report = Json::parse(run.out);
    std::string failed;
    for (const Json& check : report["checks"])
      if (check["outcome"] != "held")
        failed += check["check"].get<std::string>() + (check["outcome"] == "failed" ? " " : "? ");
    CHECK(report["all_held"] == failed.empty());
    CHECK(run.status == (failed.empty() ? 0 : 1));
    return failed;
  };
  const std::string faulty = policies + "faulty.so:how=";
  CHECK(outcomes(policies + "my_policy.so") == "");
  CHECK(outcomes(faulty + "0") == "");
  CHECK(outcomes(faulty + "2") == "eligible progress? engines? deterministic? idle_cycles? starvation? ");
  CHECK(outcomes(faulty + "3") == "progress ");
  CHECK(outcomes(faulty + "5").find("idle_cycles ") != std::string::npos);
  CHECK(outcomes(faulty + "6") == "starvation ");
  CHECK(outcomes(faulty + "12").find("idle_cycles ") != std::string::npos);
  CHECK(outcomes(faulty + "13") == "progress ");
  CHECK(outcomes(faulty + "9").find("deterministic ") != std::string::npos);
  const ProgramRun text = smsim::test::smsim("policy-check --cycles 300 '" + faulty + "6'");
  CHECK(text.out.find("FAILED  passes over no warp that can issue for longer than a round\n") !=
        std::string::npos);
  CHECK(text.out.find("5 of 6 checks held.\n") != std::string::npos);
  check_fails(smsim::test::smsim("policy-check gtoo"), 2,
              "(did you mean 'gto'?), or the path of a shared library");
  check_fails(smsim::test::smsim("policy-check"), 2, "name a policy");
}

TEST_CASE("README's command builds the template into a policy that holds every check")
{
  std::istringstream readme(read_file(SMSIM_SOURCE_DIR "/README.md"));
  std::string command;
  for (std::string line; std::getline(readme, line);)
    if (line.starts_with("g++ ")) command = line;
  REQUIRE(command.find(" my_policy.cpp -o my_policy.so") != std::string::npos);
  const std::string folder = temporary_folder();
  std::filesystem::copy_file(SMSIM_SOURCE_DIR "/tools/policy_template/my_policy.cpp",
                             folder + "/my_policy.cpp");
  std::filesystem::create_directory_symlink(SMSIM_SOURCE_DIR "/include", folder + "/include");
  const auto builds_and_holds = [&] {
    REQUIRE(std::system(("cd '" + folder + "' && " + command).c_str()) == 0);
    CHECK(smsim::test::smsim("policy-check ./my_policy.so --cycles 300", folder).status == 0);
  };
  builds_and_holds();
  // The whole policy of docs/policies.md too.
  const std::string page = read_file(SMSIM_SOURCE_DIR "/docs/policies.md");
  const std::size_t begin = page.find("```cpp\n") + 7;
  write_file(folder + "/my_policy.cpp", page.substr(begin, page.find("```", begin) - begin));
  std::filesystem::remove(folder + "/my_policy.so");
  builds_and_holds();
}

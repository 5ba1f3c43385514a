// The HTML page of a run: its numbers are those of the JSON result, it stands alone, and what a user wrote is
// text in it.
#include "differential/random_case.h"
#include "report/html/page.h"
#include "report/html/recording.h"
#include "report/run_reports.h"
#include "sm/register_cap.h"
#include "support/page.h"
#include "support/program.h"

#include <doctest/doctest.h>

#include <set>

using namespace smsim;
using namespace smsim::test;
using Json = nlohmann::ordered_json;

namespace {

struct Reports {
  std::string page;
  Json json;
};

/// Nothing where the run cannot be done.
std::optional<Reports> reports_of(const ArchConfig& sm, const Workload& given, RunOptions options)
{
  html::Recording recording({});
  options.listener = &recording;
  try {
    const RunResult result = run_kernel(sm, given, options);
    Diagnostics diagnostics;
    const Workload ran = with_register_cap(sm, given, diagnostics);
    const RunContext context{sm, ran, result};
    return Reports{html_report(context, recording), Json::parse(json_report(context))};
  } catch (const RunError&) {
    return std::nullopt;
  }
}

Reports reports_of(const std::string& arch_name, const std::string& workload_name, std::uint32_t sms)
{
  Diagnostics diagnostics;
  const Workload shipped = load_workload(workload_name, {}, diagnostics);
  throw_if_errors(diagnostics);
  RunOptions options;
  options.sms = sms;
  return *reports_of(arch(arch_name), shipped, options);
}

/// What a reader must find on the page, whatever the run.
void check_numbers(const Reports& reports)
{
  const std::vector<PageNumber> numbers = numbers_of(reports.page);
  std::set<std::string> shown;
  std::string faults;
  for (const PageNumber& number : numbers) {
    if (number.key.empty()) continue;
    if (const std::string fault = fault_of(number, reports.json); !fault.empty()) faults += fault + "\n";
    if (number.scheduler.empty()) shown.insert(number.key);
  }
  CHECK(faults == "");
  for (const char* key :
       {"/occupancy/theoretical", "/occupancy/achieved", "/occupancy/achieved_elapsed",
        "/occupancy/warps_per_sm", "/occupancy/max_warps_per_sm", "/occupancy/blocks_per_sm", "/cycles",
        "/instructions", "/ipc", "/launch/grid", "/launch/waves", "/tail/cycles", "/tail/share_of_runtime",
        "/tail/loss/total", "/seed", "/sms"})
    CHECK_MESSAGE(shown.count(key) == 1, key);
  for (const auto& [limit, blocks] : reports.json["occupancy"]["limits"].items())
    CHECK(shown.count("/occupancy/limits/" + limit) == (blocks.is_null() ? 0 : 1));
  for (const auto& [state, cycles] : reports.json["warp_states"].items())
    CHECK(shown.count("/warp_states/" + state) == (cycles == 0 ? 0 : 1));
}

}  // namespace

TEST_CASE("every number of the page is that of the JSON result, which stands in the page: 200 random runs")
{
  std::uint64_t pages = 0;
  for (std::uint64_t number = 1; pages < share_of_cases(200); ++number) {
    const RandomCase drawn = draw_case(number);
    CAPTURE(number);
    REQUIRE(number < 400);
    RunOptions options = drawn.options(2'000);
    const auto reports =
        reports_of(arch("h100", drawn.arch_overrides), workload(drawn.workload_yaml()), options);
    if (!reports) continue;
    ++pages;
    check_numbers(*reports);
    CHECK(json_of(reports->page, "result") == reports->json);
  }
}

TEST_CASE("the page of a whole GPU is under 2 MB, and needs no file and no network")
{
  for (const char* name : {"worked_example", "vector_add"}) {
    const Reports reports = reports_of("h100", name, 132);
    CAPTURE(name);
    check_numbers(reports);
    CHECK(reports.page.size() < 2'000'000);
    const std::string page = reports.page;
    for (const char* outward : {"http:", "https:", "//cdn", " src=", "@import", "url(", "<link rel=\"style",
                                "fetch(", "XMLHttpRequest", "import("})
      CHECK_MESSAGE(page.find(outward) == std::string::npos, outward);
    CHECK(page.find("default-src 'none'") != std::string::npos);
  }
}

TEST_CASE("a page of thousands of SMs and of a long file is under 2 MB, and says what it leaves out")
{
  const Workload wide = kernel(6'000, 128, "  - repeat: {compute: 2, stall: 3, rounds: 30}\n");
  RunOptions options;
  options.sms = 3'000;
  const auto reports = reports_of(arch("h100", {"sms=3000"}), wide, options);
  REQUIRE(reports);
  CHECK(reports->page.size() < 2'000'000);
  const std::string text = text_of(reports->page);
  CHECK(text.find("Left out of it, because they are long: sub_partitions") != std::string::npos);
  CHECK(text.find("Only SMs 0 to 1499 of 3000 are shown: the page holds at most") != std::string::npos);
  Json shown = json_of(reports->page, "result");
  CHECK_FALSE(shown.contains("sub_partitions"));
  CHECK(shown["cycles"] == reports->json["cycles"]);

  std::string program = "  - loop:\n      count: {per: block, values: [";
  for (int i = 0; i < 100'000; ++i)
    program += "1, ";
  const auto long_file =
      reports_of(arch("h100"), kernel(100'001, 32, program + "1]}\n      body: [nop]\n"), {});
  REQUIRE(long_file);
  CHECK(long_file->page.size() < 2'000'000);
  CHECK(text_of(long_file->page).find("config.workload") != std::string::npos);
}

TEST_CASE("what a user wrote is text in the page, whatever it looks like")
{
  Workload evil = kernel(1, 32, "  - nop\n");
  evil.name = "</script><script>alert(1)</script><b>&\"'";
  const auto reports = reports_of(arch("a100"), evil, {});
  REQUIRE(reports);
  CHECK(reports->page.find("alert(1)</script>") == std::string::npos);
  CHECK(reports->page.find("<b>&\"") == std::string::npos);
  CHECK(json_of(reports->page, "result").at("workload") == evil.name);
  CHECK(text_of(reports->page).find("alert(1)") != std::string::npos);
}

TEST_CASE("the page of a run is the same, byte for byte, on any number of threads")
{
  const std::string folder = temporary_folder();
  for (const char* threads : {"1", "4"})
    REQUIRE(smsim::test::smsim(
                std::string("report worked_example --arch a100 --sms 8 --set launch.grid=100 --threads ") +
                threads + " -o " + folder + "/" + threads + ".html")
                .status == 0);
  CHECK(read_file(folder + "/1.html") == read_file(folder + "/4.html"));
}

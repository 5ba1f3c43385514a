// The page in a browser: it loads without an error, shows the numbers of its result, and can be hovered,
// zoomed and read by keys, at the width of a desk and of a phone (page_in_browser.js does that).
#include "support/program.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

using namespace smsim::test;
using Json = nlohmann::ordered_json;

namespace {

/// A string in a script element.
std::string quoted(const std::string& text)
{
  std::string json = Json(text).dump();
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at))
    json.replace(at, 1, "\\u003c");
  return json;
}

struct Seen {
  Json report;
  std::string console;
};

Seen in_browser(const std::string& folder, const std::string& arguments)
{
  const ProgramRun run = smsim::test::smsim("report " + arguments + " -o " + folder + "/page.html");
  REQUIRE_MESSAGE(run.status == 0, run.err);
  write_file(
      folder + "/test.html",
      "<!DOCTYPE html><title>test</title><body><pre id=\"out\"></pre><script type=\"application/json\" "
      "id=\"page\">" +
          quoted(read_file(folder + "/page.html")) + "</script><script>" +
          read_file(SMSIM_SOURCE_DIR "/tests/spec/page_in_browser.js") + "</script>");
  const std::string command = "chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
                              "--enable-logging=stderr --virtual-time-budget=60000 --window-size=1300,1000 "
                              "--user-data-dir='" +
                              folder + "/profile' --dump-dom 'file://" + folder + "/test.html' > '" + folder +
                              "/dom' 2> '" + folder + "/log'";
  CHECK(std::system(command.c_str()) == 0);
  const std::string dom = read_file(folder + "/dom");
  const std::string before = "<pre id=\"out\">";
  const std::size_t begin = dom.find(before);
  REQUIRE_MESSAGE(begin != std::string::npos, read_file(folder + "/log"));
  Seen seen;
  const std::size_t end = dom.find("</pre>", begin);
  seen.report = Json::parse(dom.substr(begin + before.size(), end - begin - before.size()), nullptr, false);
  REQUIRE_MESSAGE(seen.report.is_object(), read_file(folder + "/log"));
  std::istringstream log(read_file(folder + "/log"));
  for (std::string line; std::getline(log, line);)
    if (line.find("CONSOLE") != std::string::npos) seen.console += line + "\n";
  return seen;
}

/// Says so where it is not.
bool has_chromium()
{
  const bool has = std::system("command -v chromium > /dev/null") == 0;
  if (!has) MESSAGE("SKIPPED: chromium is not installed");
  return has;
}

}  // namespace

TEST_CASE("in Chromium the page loads without errors, shows its result's numbers, hovers and zooms")
{
  if (!has_chromium()) return;
  const Seen seen = in_browser(temporary_folder(), "worked_example --arch a100 --sms 3 --set launch.grid=22");
  CHECK(seen.report["faults"].dump(1) == "[]");
  CHECK(seen.console == "");
  CHECK(seen.report["counts"]["numbers"] > 100);
  CHECK(seen.report["counts"]["hovers"] == 2 * 3 * 6);  // widths, places, figures
  CHECK(seen.report["counts"]["zooms"] == 2 * 3);
}

TEST_CASE("in Chromium the comparison of two runs loads without errors and shows both results' numbers")
{
  if (!has_chromium()) return;
  const std::string folder = temporary_folder();
  for (const char* policy : {"lrr", "gto"})
    REQUIRE(smsim::test::smsim("run worked_example --sms 2 --set launch.grid=9 --format json --policy " +
                               std::string(policy) + " -o " + folder + "/" + policy + ".json")
                .status == 0);
  const Seen seen = in_browser(folder, "--compare " + folder + "/lrr.json " + folder + "/gto.json");
  CHECK(seen.report["faults"].dump(1) == "[]");
  CHECK(seen.console == "");
  CHECK(seen.report["counts"]["numbers"] > 100);
}

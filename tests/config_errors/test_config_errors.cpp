// Every bad file of this folder, and the exact text that a user is told about it: NAME.yaml and
// NAME.expected. SMSIM_UPDATE_EXPECTED=1 in the environment writes the .expected files instead of comparing.
#include "base/text_file.h"
#include "support/program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace {

namespace fs = std::filesystem;
using smsim::test::read_file;

const fs::path root = fs::path(SMSIM_SOURCE_DIR) / "tests" / "config_errors";

std::vector<std::string> names_in(const fs::path& folder, const std::string& ending)
{
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(folder))
    if (file.path().extension() == ending) names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Where the shipped files lie differs from machine to machine.
std::string without_source_folder(std::string text)
{
  const std::string folder = std::string(SMSIM_SOURCE_DIR) + "/";
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
    text.erase(at, folder.size());
  return text;
}

void check_folder(const std::string& folder, const std::string& before, const std::string& after)
{
  const std::vector<std::string> names = names_in(root / folder, ".yaml");
  REQUIRE(names.size() > 2);
  const bool update = std::getenv("SMSIM_UPDATE_EXPECTED") != nullptr;
  for (const std::string& name : names) {
    CAPTURE(name);
    const auto run = smsim::test::smsim(before + " " + name + ".yaml" + after, root / folder);
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    const fs::path expected = root / folder / (name + ".expected");
    if (update) smsim::write_file_atomically(expected, without_source_folder(run.err));
    CHECK(without_source_folder(run.err) == read_file(expected));
    CHECK_FALSE(run.err.empty());
  }
  CHECK(names_in(root / folder, ".expected") == names);
}

}  // namespace

TEST_CASE("a bad architecture file is refused with the exact text beside it")
{
  check_folder("arch", "validate", "");
}

TEST_CASE("a bad workload file is refused with the exact text beside it")
{
  check_folder("workload", "validate", "");
}

TEST_CASE("a workload that its architecture cannot run is refused with the exact text beside it")
{
  check_folder("on_a100", "run", " --arch a100");
  check_folder("on_h100", "run", " --arch h100");
}

TEST_CASE("a bad sweep file is refused with the exact text beside it")
{
  check_folder("sweep", "sweep", " --dry-run");
}

TEST_CASE("files that use every form of the notation are accepted")
{
  for (const std::string& name : names_in(root / "good", ".yaml")) {
    const auto run = smsim::test::smsim("validate " + name + ".yaml", root / "good");
    CHECK(run.err.empty());
    CHECK(run.out == name + ".yaml: ok\n");
    CHECK(run.status == 0);
  }
}

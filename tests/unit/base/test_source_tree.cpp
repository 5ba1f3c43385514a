// Rules of the source tree itself.
#include "support/program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

namespace {

namespace fs = std::filesystem;
const fs::path source = SMSIM_SOURCE_DIR;

std::vector<fs::path> sources_under(const std::string& folder)
{
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(source / folder))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h") files.push_back(entry.path());
  REQUIRE(files.size() > 5);
  return files;
}

/// What a file includes, as written, with its quotes or brackets.
std::vector<std::string> includes_of(const fs::path& file)
{
  static const std::regex line_form("^\\s*#\\s*include\\s*([\"<][^\">]+[\">])");
  std::istringstream text(smsim::test::read_file(file));
  std::vector<std::string> found;
  std::smatch match;
  for (std::string line; std::getline(text, line);)
    if (std::regex_search(line, match, line_form)) found.push_back(match[1]);
  return found;
}

/// sim/sm/warp_scheduler/gto.cpp is of folder sm.
std::string folder_of(const fs::path& path_in_sim) { return path_in_sim.begin()->string(); }

}  // namespace

TEST_CASE("a file of the library includes only its own folder and lower floors")
{
  const std::map<std::string, int> floors{{"base", 0},     {"config", 1},    {"isa", 1},   {"stats", 1},
                                          {"workload", 2}, {"occupancy", 2}, {"trace", 2}, {"sm", 3},
                                          {"engine", 4},   {"report", 5},    {"sweep", 6}};
  std::size_t checked = 0;
  for (const fs::path& file : sources_under("sim")) {
    const std::string own = folder_of(fs::relative(file, source / "sim"));
    CAPTURE(file);
    REQUIRE(floors.count(own) == 1);
    for (const std::string& include : includes_of(file)) {
      if (include.front() == '<') continue;
      CAPTURE(include);
      const std::string other = folder_of(fs::path(include.substr(1, include.size() - 2)));
      REQUIRE(floors.count(other) == 1);  // from the root of sim/, never relative
      CHECK((other == own || floors.at(other) < floors.at(own)));
      ++checked;
    }
  }
  CHECK(checked > 100);
}

TEST_CASE("yaml-cpp is included by config/yaml_reader.cpp alone, and the random generator's library by "
          "base/random.cpp, Boost.Math by stats/estimate.cpp")
{
  std::vector<std::string> yaml;
  std::vector<std::string> random;
  std::vector<std::string> statistics;
  for (const char* folder : {"sim", "tools"}) {
    for (const fs::path& file : sources_under(folder)) {
      for (const std::string& include : includes_of(file)) {
        if (include.find("yaml-cpp") != std::string::npos) yaml.push_back(file.filename().string());
        if (include.find("Random123") != std::string::npos) random.push_back(file.filename().string());
        if (include.find("boost/math") != std::string::npos) statistics.push_back(file.filename().string());
        CHECK_MESSAGE(include != "<random>", file);
      }
    }
  }
  yaml.erase(std::unique(yaml.begin(), yaml.end()), yaml.end());
  CHECK(yaml == std::vector<std::string>{"yaml_reader.cpp"});
  CHECK(random == std::vector<std::string>{"random.cpp"});
  CHECK(statistics == std::vector<std::string>{"estimate.cpp"});
}

TEST_CASE("no result hangs on a mathematics library's last bits: base/portable_math.h is what there is")
{
  const std::regex differs(
      "(std::|[^\\w:.>])(exp2?|expm1|log(2|10|1p)?|pow|cbrt|hypot|a?(sin|cos|tan)h?|erfc?|[lt]gamma)\\(");
  for (const char* use : {"x = std::pow(2, y)", "return exp(y)", "1 + log2(y)", "f(std::lgamma(y))"})
    CHECK(std::regex_search(use, differs));
  CHECK_FALSE(std::regex_search("portable_log(x)", differs));
  for (const char* folder : {"sim", "tools"})
    for (const fs::path& file : sources_under(folder))
      CHECK_MESSAGE(!std::regex_search(smsim::test::read_file(file), differs), file);
}

TEST_CASE("the program's files link the library from above: the library includes none of them")
{
  for (const fs::path& file : sources_under("sim"))
    for (const std::string& include : includes_of(file))
      CHECK_MESSAGE(include.find("cli.h") == std::string::npos, file);
}

TEST_CASE("a source file has a reader's size: at most 400 lines, and half of them at most 150")
{
  std::vector<std::size_t> sizes;
  for (const char* folder : {"sim", "tools"}) {
    for (const fs::path& file : sources_under(folder)) {
      const std::string text = smsim::test::read_file(file);
      sizes.push_back(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
      CHECK_MESSAGE(sizes.back() <= 400, file);
    }
  }
  std::sort(sizes.begin(), sizes.end());
  CHECK(sizes[sizes.size() / 2] <= 150);
}

TEST_CASE("every header opens with what it is for")
{
  for (const char* folder : {"sim", "tools"})
    for (const fs::path& file : sources_under(folder))
      if (file.extension() == ".h") CHECK_MESSAGE(smsim::test::read_file(file).starts_with("// "), file);
}

TEST_CASE("no test's title has a character that keeps CMake from running it")
{
  // A title with a semicolon is two to CMake: the filter finds no test, and that passes.
  static const std::regex title("TEST_CASE\\(\\s*((\"([^\"\\\\]|\\\\.)*\"\\s*)+)\\)");
  std::size_t checked = 0;
  for (const fs::path& file : sources_under("tests")) {
    CAPTURE(file);
    const std::string text = smsim::test::read_file(file);
    for (std::sregex_iterator found(text.begin(), text.end(), title), end; found != end; ++found) {
      CHECK((*found)[1].str().find(';') == std::string::npos);
      ++checked;
    }
  }
  CHECK(checked > 400);
}

// 20 000 launches with the answer of NVIDIA's occupancy calculator (cuda_occupancy.h, CUDA 13.0), made with
// that header: every column must be equal.
#include "base/text_file.h"
#include "report/occupancy_batch.h"
#include "support/program.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace smsim;

namespace {

constexpr const char* oracle_path = SMSIM_SOURCE_DIR "/tests/reference/occupancy_oracle.csv";

/// The first line that differs, for a message shorter than 20 000 lines.
std::string first_difference(const std::string& got, const std::string& expected)
{
  if (got == expected) return {};
  const auto a = make_source("got", got);
  const auto b = make_source("expected", expected);
  for (std::size_t i = 0; i < std::min(a->lines.size(), b->lines.size()); ++i)
    if (a->lines[i] != b->lines[i])
      return "line " + std::to_string(i + 1) + ": " + a->lines[i] + "\n   expected: " + b->lines[i];
  return std::to_string(a->lines.size()) + " lines, expected " + std::to_string(b->lines.size());
}

/// The first seven columns: what a user gives.
std::string launches_only(const std::string& table)
{
  std::string out;
  const auto source = make_source("oracle", table);
  for (const std::string& line : source->lines) {
    std::size_t end = 0;
    for (int column = 0; column < 7; ++column)
      end = line.find(',', end) + 1;
    out += line.substr(0, end - 1) + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("all 20 000 launches of NVIDIA's calculator agree in every column")
{
  const std::string oracle = test::read_file(oracle_path);
  const auto source = make_source("oracle.csv", launches_only(oracle));
  REQUIRE(source->lines.size() == 20'001);
  Diagnostics diagnostics;
  const std::string answer = occupancy_batch(source, diagnostics);
  CHECK(diagnostics.text() == "");
  CHECK(first_difference(answer, oracle) == "");
}

TEST_CASE("the oracle covers 16 compute capabilities, launches that are impossible, barriers and carveouts")
{
  std::set<std::string> capabilities;
  int impossible = 0;
  int without_barriers = 0;
  int with_carveout = 0;
  const auto source = make_source("oracle", test::read_file(oracle_path));
  for (std::size_t i = 1; i < source->lines.size(); ++i) {
    std::vector<std::string> cells{""};
    for (const char c : source->lines[i])
      if (c == ',')
        cells.emplace_back();
      else
        cells.back() += c;
    REQUIRE(cells.size() == 17);
    capabilities.insert(cells[0]);
    impossible += cells[7] == "0";
    without_barriers += cells[6] == "0";
    with_carveout += cells[5] != "-1";
  }
  CHECK(capabilities.size() == 16);
  CHECK(impossible > 1000);
  CHECK(without_barriers > 50);
  CHECK(with_carveout > 4000);
}

TEST_CASE("`smsim occupancy --batch` reads the launches from a file or from stdin and prints the oracle, "
          "byte for byte")
{
  const std::string oracle = test::read_file(oracle_path);
  const std::string launches =
      test::write_file(test::temporary_folder() + "/launches.csv", launches_only(oracle));
  for (const std::string& input :
       {"--batch " + launches, "--batch - < " + launches, "--batch " + std::string(oracle_path)}) {
    CAPTURE(input);
    const test::ProgramRun run = test::smsim("occupancy " + input);
    CHECK(run.status == 0);
    CHECK(run.err == "");
    CHECK(first_difference(run.out, oracle) == "");
  }
}

// docs/experiments.md against the program: each command is run, each figure compared.
#include "support/program.h"
#include "workload/workload_loader.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <iomanip>
#include <set>
#include <sstream>

using namespace smsim;
using Json = nlohmann::ordered_json;

namespace {

struct Row {
  std::string command;  ///< what stands behind `smsim run`
  std::string figures;
};

/// The rows of the document's tables: the command is what is in the backquotes of the third cell.
std::vector<Row> documented()
{
  std::istringstream text(test::read_file(SMSIM_SOURCE_DIR "/docs/experiments.md"));
  std::vector<Row> rows;
  for (std::string line; std::getline(text, line);) {
    const auto end = line.rfind("` | ");
    if (line.empty() || line.front() != '|' || end == std::string::npos || line.ends_with("| IPC |"))
      continue;
    const auto start = line.rfind('`', end - 1) + 1;
    rows.push_back({line.substr(start, end - start), line.substr(end + 2)});
  }
  return rows;
}

std::string figures_of(const Json& run)
{
  std::ostringstream out;
  out << std::fixed << std::setprecision(2);
  for (const char* which : {"theoretical", "achieved", "achieved_elapsed"})
    out << "| " << 100 * run["occupancy"][which].get<double>() << " ";
  out << "| " << run["cycles"] << " | " << run["ipc"].get<double>() << " |";
  return out.str();
}

}  // namespace

TEST_CASE("every figure in docs/experiments.md is that of the command beside it")
{
  const std::vector<Row> rows = documented();
  REQUIRE(rows.size() > 50);
  for (const Row& row : rows) {
    CAPTURE(row.command);
    const test::ProgramRun run = test::smsim("run " + row.command + " --format json");
    REQUIRE(run.status == 0);
    CHECK(figures_of(Json::parse(run.out)) == row.figures);
  }
}

TEST_CASE("every experiment that is shipped is in docs/experiments.md")
{
  std::set<std::string> run;
  for (const Row& row : documented())
    run.insert(row.command.substr(0, row.command.find(' ')));
  for (const WorkloadInfo& info : list_workloads())
    if (info.name.starts_with("experiments/"))
      CHECK_MESSAGE(run.count(info.path.stem().string()) == 1, info.name);
}

// smsim report WORKLOAD --arch ... -o report.html; smsim report --compare A.json B.json -o report.html
#include "report/html/page.h"
#include "report/html/recording.h"
#include "report/result_file.h"
#include "run_setup.h"
#include "sm/register_cap.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace smsim::cli {
namespace {

std::string comparison_page(const OptionParser& parser)
{
  parser.refuse_others("compare", {"output"});
  const std::vector<std::string> files = parser.list("compare");
  if (files.size() != 2)
    parser.fail("--compare takes two files, A.json and B.json; given: " + std::to_string(files.size()));
  Diagnostics diagnostics;
  const auto a = read_result_file(files[0], diagnostics);
  const auto b = read_result_file(files[1], diagnostics);
  throw_if_errors(diagnostics);
  const auto name = [](const std::string& file) { return std::filesystem::path(file).filename().string(); };
  return html_comparison({name(files[0]), a}, {name(files[1]), b});
}

html::WindowChoice window_choice(const OptionParser& parser, const RunSetup& setup)
{
  const auto below = [&](const char* name, std::uint64_t count) {
    return static_cast<std::uint32_t>(parser.integer(name, 0, count - 1));
  };
  html::WindowChoice choice;
  choice.sm = below("window-sm", setup.options.sms);
  choice.sub_partition = below("window-scheduler", setup.arch.sm.sub_partitions);
  choice.cycles = parser.integer("window-cycles", 1, 1'000'000);
  if (parser.has("window-start")) choice.start = parser.integer("window-start", 0, setup.options.max_cycles);
  return choice;
}

std::string run_page(const OptionParser& parser)
{
  Diagnostics diagnostics;
  const RunSetup setup = read_run_setup(parser, diagnostics);
  RunOptions options = setup.options;
  if (parser.has("max-cycles")) options.max_cycles = parser.integer("max-cycles", 1, options.max_cycles);
  const Workload workload = read_workload(parser, setup, diagnostics);
  html::Recording recording(window_choice(parser, setup));
  options.listener = &recording;
  const RunResult result = run_kernel(setup.arch, workload, options);
  const Workload ran = with_register_cap(setup.arch, workload, diagnostics);
  return html_report({setup.arch, ran, result}, recording);
}

}  // namespace

int run_report(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "report",
      "report WORKLOAD [OPTIONS] -o PAGE.html\n       smsim report --compare A.json B.json -o PAGE.html",
      "Runs a kernel and writes one HTML page on it: what fits, what was there, what binds; occupancy over\n"
      "time, the schedule of the blocks, stalls, a timeline of warps, the occupancy curves with this kernel\n"
      "and its cliffs, pipes and bandwidth, the configuration. The page needs no network and no other file.\n"
      "With --compare: two results of `smsim run --format json` beside each other.",
      "  smsim report worked_example --arch a100 -o report.html\n"
      "  smsim report my_kernel.yaml --arch h100 --policy lrr -o lrr.html\n"
      "  smsim run worked_example --policy lrr --format json -o A.json\n"
      "  smsim run worked_example --policy gto --format json -o B.json\n"
      "  smsim report --compare A.json B.json -o both.html\n");
  const auto text = [] { return po::value<std::string>(); };
  add_run_options(parser);
  parser.options.add_options()("max-cycles", text(), "end the run there with what it has")(
      "compare", po::value<std::vector<std::string>>()->multitoken()->value_name("A.json B.json"),
      "two results of `smsim run --format json`")(
      "window-start", text(), "first cycle of the timeline of warps (default: in the middle of the run)")(
      "window-cycles", text()->default_value("1000"),
      "how many cycles the timeline shows")("window-sm", text()->default_value("0"), "the SM that it shows")(
      "window-scheduler", text()->default_value("0"), "the scheduler (sub-partition) that it shows")(
      "output,o", text()->default_value(""), "write the page to this file, whole or not at all");
  if (!parser.parse(arguments)) return 0;
  write_output(parser.text("output"), parser.has("compare") ? comparison_page(parser) : run_page(parser));
  return 0;
}

}  // namespace smsim::cli

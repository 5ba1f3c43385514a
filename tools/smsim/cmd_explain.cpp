// smsim explain WORKLOAD --arch ...
#include "report/explain_report.h"
#include "run_setup.h"

namespace smsim::cli {

int run_explain(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "explain", "explain WORKLOAD [OPTIONS]",
      "One page on a kernel: what limits its occupancy, whether occupancy matters (by an estimate, and by\n"
      "runs with half and twice the resident blocks), what the tail costs, and which change of the launch\n"
      "helps most: grids of whole waves, block sizes, register caps, carveouts and launch orders are run "
      "and\n"
      "ranked. Of a long kernel a few waves are run.",
      "  smsim explain worked_example --arch a100\n"
      "  smsim explain cap_helps --arch a100 --sms 1\n"
      "  smsim explain my_kernel.yaml --arch h100 --format json\n");
  const auto text = [] { return po::value<std::string>(); };
  add_run_options(parser);
  parser.options.add_options()("format", text()->default_value("text")->value_name("text|json"),
                               "text or json")("output,o", text()->default_value(""),
                                               "write the page to this file, whole or not at all");
  if (!parser.parse(arguments)) return 0;
  const std::string format = parser.word("format", {"text", "json"});
  Diagnostics diagnostics;
  const RunSetup setup = read_run_setup(parser, diagnostics);
  const Workload workload = read_workload(parser, setup, diagnostics);
  const Explanation found = explain(setup.arch, workload, setup.options);
  const ExplainContext context{setup.arch, found};
  write_output(parser.text("output"), format == "json" ? explain_json(context) : explain_text(context));
  return 0;
}

}  // namespace smsim::cli

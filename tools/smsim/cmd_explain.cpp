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
  parser.options.add_options()("workload", text(), "the kernel: a shipped workload's name or a file")(
      "arch", text()->default_value("a100"), "architecture: a preset's name or a file")(
      "policy", text(), "warp-scheduling policy instead of the architecture's")(
      "sms", text(), "SMs of the GPU, if not all that the architecture has")(
      "threads", text(), "threads to simulate on; no result depends on it (default: one a processor core)")(
      "seed", text()->default_value("1"), "seed of the random draws")(
      "set", po::value<std::vector<std::string>>(),
      "path=value: override a key of the architecture, or of the workload's launch, level or program")(
      "format", text()->default_value("text"), "text or json")(
      "output,o", text()->default_value(""), "write the page to this file, whole or not at all");
  parser.positional("workload", 1);
  if (!parser.parse(arguments)) return 0;
  const std::string format = parser.word("format", {"text", "json"});
  Diagnostics diagnostics;
  const RunSetup setup = read_run_setup(parser, diagnostics);
  if (!parser.has("workload"))
    parser.fail("name a workload; `smsim list workloads` shows those that come with smsim");
  const Workload workload = load_workload(parser.text("workload"), setup.of_workload, diagnostics);
  throw_if_errors(diagnostics);
  const Explanation found = explain(setup.arch, workload, setup.options);
  const ExplainContext context{setup.arch, found};
  write_output(parser.text("output"), format == "json" ? explain_json(context) : explain_text(context));
  return 0;
}

}  // namespace smsim::cli

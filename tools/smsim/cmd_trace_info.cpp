// smsim trace-info FILE
#include "config/presets.h"
#include "report/trace_report.h"
#include "run_setup.h"
#include "workload/trace_loader.h"

namespace smsim::cli {

int run_trace_info(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "trace-info", "trace-info FILE [OPTIONS]",
      "What a kernel is and does that Accel-Sim's tracer has recorded: its launch, its theoretical "
      "occupancy\n"
      "where it was made for and what limits it, instruction mix, sectors an access touches, "
      "divergence.",
      "  smsim trace-info kernel-1.traceg\n"
      "  smsim trace-info kernel-1.traceg.xz --arch h100 --format json\n");
  const auto text = [] { return po::value<std::string>(); };
  parser.options.add_options()("file", text(), "the trace: .traceg, alone or with .xz or .gz")(
      "arch", text(), "architecture instead of the one that the trace names")(
      "format", text()->default_value("text"), "text or json")(
      "output,o", text()->default_value(""), "write the report to this file, whole or not at all");
  parser.positional("file", 1);
  if (!parser.parse(arguments)) return 0;
  const std::string format = parser.word("format", {"text", "json"});
  if (!parser.has("file")) parser.fail("name a trace, such as kernel-1.traceg");
  Diagnostics diagnostics;
  const Workload workload = load_trace(parser.text("file"), {}, diagnostics);
  throw_if_errors(diagnostics);
  std::string name = "a100";
  if (parser.has("arch")) {
    name = parser.text("arch");
  } else {
    const std::uint32_t version = workload.traced->header.binary_version;
    const std::string preset =
        preset_of_compute_capability(std::to_string(version / 10) + "." + std::to_string(version % 10));
    if (preset.empty())
      warn("no preset stands for sm_" + std::to_string(version) + "; shown on " + name +
           ", --arch names another");
    else
      name = preset;
  }
  const ArchConfig arch = load_arch(name, {}, diagnostics);
  throw_if_errors(diagnostics);
  write_output(parser.text("output"),
               format == "json" ? trace_info_json(arch, workload) : trace_text(arch, workload));
  return 0;
}

}  // namespace smsim::cli

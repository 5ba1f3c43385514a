// smsim occupancy: one launch, a curve, a batch, or the kernels of a compiler's or profiler's log.
#include "base/text_file.h"
#include "cli.h"
#include "config/arch_loader.h"
#include "occupancy/clusters.h"
#include "report/kernel_log_report.h"
#include "report/occupancy_batch.h"
#include "report/occupancy_reports.h"
#include "sm/register_cap.h"

namespace smsim::cli {
namespace {

constexpr std::uint64_t log_file_limit = 256U << 20U;

std::shared_ptr<const SourceText> read_log(const std::string& path)
{
  Diagnostics diagnostics;
  auto source = read_text_file(path, log_file_limit, diagnostics);
  throw_if_errors(diagnostics);
  return source;
}

Carveout carveout_of(const OptionParser& parser)
{
  if (!parser.has("carveout")) return {};
  std::string text = parser.text("carveout");
  // A bare number can only be a percentage here: sizes have a unit.
  if (text.find_first_not_of("0123456789") == std::string::npos) text += '%';
  const auto carveout = parse_carveout(text);
  if (!carveout)
    parser.fail(
        "--carveout: '" + parser.text("carveout") +
        "' is not a carveout; expected: default, a percentage from 0% to 100%, or a size such as 64KiB");
  return *carveout;
}

KernelConfig kernel_of(const OptionParser& parser, const ArchConfig& arch)
{
  KernelConfig kernel;
  kernel.block = {static_cast<std::uint32_t>(parser.integer("threads", 1, 65536)), 1, 1};
  kernel.registers_per_thread =
      static_cast<std::uint32_t>(parser.integer("registers", 0, arch.register_file.max_per_thread));
  if (parser.has("static-shared")) kernel.static_shared_bytes = parser.size("static-shared");
  if (parser.has("dynamic-shared")) kernel.dynamic_shared_bytes = parser.size("dynamic-shared");
  if (parser.has("barriers"))
    kernel.barriers =
        static_cast<std::uint32_t>(parser.integer("barriers", 0, arch.sm.barriers_per_block_limit));
  kernel.carveout = carveout_of(parser);
  if (parser.has("cluster")) {
    kernel.cluster = static_cast<std::uint32_t>(parser.integer("cluster", 1, 64));
    kernel.cluster_mark = {make_source("--cluster", parser.text("cluster")), 1, 1};
    kernel.grid[0] = kernel.cluster;
  }
  return kernel;
}

/// The launch of a workload file, with its register cap.
KernelConfig kernel_of_workload(const OptionParser& parser, const ArchConfig& arch,
                                const std::vector<std::string>& overrides)
{
  parser.refuse_others("workload", {"arch", "set", "explain", "curve", "format", "output"});
  Diagnostics diagnostics;
  Workload workload = load_workload(parser.text("workload"), overrides, diagnostics);
  throw_if_errors(diagnostics);
  workload = with_register_cap(arch, std::move(workload), diagnostics);
  throw_if_errors(diagnostics);
  return workload.kernel;
}

std::string report_batch(const std::string& path)
{
  Diagnostics diagnostics;
  std::string out = occupancy_batch(read_log(path), diagnostics);
  throw_if_errors(diagnostics);
  return out;
}

std::string report_log(const OptionParser& parser, bool json)
{
  KernelLogOptions options;
  if (parser.has("threads")) options.threads = parser.integer("threads", 1, 65536);
  if (parser.has("dynamic-shared")) options.dynamic_shared_bytes = parser.size("dynamic-shared");
  if (parser.has("arch")) options.arch = parser.text("arch");
  options.overrides = parser.list("set");
  Diagnostics diagnostics;
  std::string out = kernel_log_report(read_log(parser.text("ptxas")), options, json, diagnostics);
  throw_if_errors(diagnostics);
  return out;
}

}  // namespace

int run_occupancy(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "occupancy",
      "occupancy --arch NAME|FILE --threads N --registers N [OPTIONS]\n"
      "       smsim occupancy WORKLOAD --arch NAME|FILE [OPTIONS]",
      "Theoretical occupancy: how many blocks and warps of a kernel an SM can hold, and which resource says "
      "so.\n"
      "The answers are those of NVIDIA's occupancy calculator (partitioned global caching off, its "
      "default).\n\n"
      "It answers one launch, given by options or as a workload states it, or a graph with --curve, or a "
      "table of launches with --batch, or the kernels "
      "of a\n"
      "compiler's or profiler's output with --ptxas.",
      "  smsim occupancy --arch a100 --threads 256 --registers 64 --static-shared 48KiB\n"
      "  smsim occupancy --arch h100 --threads 256 --registers 33 --explain\n"
      "  smsim occupancy --arch h100 --threads 256 --registers 32 --curve registers\n"
      "  smsim occupancy --arch h100 --threads 256 --registers 64 --set register_file.registers=131072\n"
      "  nvcc -Xptxas -v kernel.cu 2>&1 | smsim occupancy --ptxas - --threads 256\n"
      "  smsim occupancy --batch launches.csv\n"
      "  smsim occupancy worked_example --arch a100 --set launch.max_registers=32\n");
  const auto text = [] { return po::value<std::string>(); };
  parser.options.add_options()("workload", text(),
                               "take the launch of this workload, a shipped name or a file")(
      "arch", text(), "architecture: a preset's name or a file")("threads", text(), "threads per block")(
      "registers", text(), "registers per thread")("static-shared", text(),
                                                   "static shared memory per block, e.g. 48KiB; default 0")(
      "dynamic-shared", text(), "dynamic shared memory per block; default 0")(
      "carveout", text(),
      "preferred shared memory of the SM: a percentage (50%) or a size (64KiB); default: no preference")(
      "barriers", text(), "named barriers that a block uses; default 1")(
      "cluster", text(), "blocks of a thread-block cluster; default 1")(
      "set", po::value<std::vector<std::string>>(),
      "path=value: override a key of the architecture, or of the workload")(
      "explain", "the arithmetic of each limit, what rounding costs, the nearest cliffs")(
      "curve", text()->value_name("registers|threads|shared"),
      "occupancy over registers, threads or shared")("batch", text(), "CSV file of launches (- for stdin)")(
      "ptxas", text(), "log of nvcc -Xptxas -v or --resource-usage, or Nsight Compute's --csv (- for stdin)")(
      "format", text()->value_name("text|json"), "text (the default) or json")(
      "print-config", "print the architecture as it is after base and --set, and stop")(
      "output,o", text(), "write the report to this file, whole or not at all");
  parser.positional("workload", 1);
  if (!parser.parse(arguments)) return 0;
  const bool json = parser.has("format") && parser.word("format", {"text", "json"}) == "json";
  const std::string output = parser.has("output") ? parser.text("output") : "";
  if (parser.has("batch")) {
    parser.refuse_others("batch", {"output"});
    write_output(output, report_batch(parser.text("batch")));
    return 0;
  }
  if (parser.has("ptxas")) {
    parser.refuse_others("ptxas", {"threads", "dynamic-shared", "arch", "set", "format", "output"});
    write_output(output, report_log(parser, json));
    return 0;
  }

  if (!parser.has("arch")) parser.fail("--arch is missing; `smsim list archs` shows the presets");
  Diagnostics diagnostics;
  std::vector<std::string> of_arch;
  std::vector<std::string> of_workload;
  for (const std::string& option : parser.list("set"))
    (parser.has("workload") && is_workload_override(option) ? of_workload : of_arch).push_back(option);
  const ArchConfig arch = load_arch(parser.text("arch"), of_arch, diagnostics);
  throw_if_errors(diagnostics);
  if (parser.has("print-config")) {
    parser.refuse_others("print-config", {"arch", "set", "output"});
    write_output(output, yaml_text(arch_document(arch)));
    return 0;
  }
  for (const char* needed : {"threads", "registers"})
    if (!parser.has("workload") && !parser.has(needed))
      parser.fail(std::string("--") + needed + " is missing");
  if (json && parser.has("explain"))
    parser.fail("--explain prints text; --format json has the limits and cliffs without it");
  if (parser.has("curve") && parser.has("explain"))
    parser.fail("--explain has no effect with --curve; ask for one of them");
  const KernelConfig kernel =
      parser.has("workload") ? kernel_of_workload(parser, arch, of_workload) : kernel_of(parser, arch);
  check_cluster(arch, kernel, arch.sms, diagnostics);
  throw_if_errors(diagnostics);
  std::string report;
  if (parser.has("curve")) {
    const std::string over = parser.word("curve", {"registers", "threads", "shared"});
    const LaunchNumber number = over == "registers" ? LaunchNumber::registers_per_thread
                                : over == "threads" ? LaunchNumber::block_size
                                                    : LaunchNumber::shared_bytes;
    report = json ? curve_json(arch, kernel, number) : curve_text(arch, kernel, number);
  } else {
    report = json ? occupancy_json(arch, kernel) : occupancy_text(arch, kernel);
    if (parser.has("explain") && !json) report += "\n" + occupancy_explanation(arch, kernel);
  }
  write_output(output, report);
  return 0;
}

}  // namespace smsim::cli

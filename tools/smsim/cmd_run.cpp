// smsim run WORKLOAD --arch ...
#include "engine/best_schedule.h"
#include "report/kernel_list_report.h"
#include "report/run_reports.h"
#include "run_setup.h"
#include "sm/register_cap.h"
#include "trace_options.h"
#include "workload/kernel_list.h"

#include <signal.h>

#include <atomic>
#include <functional>
#include <optional>

namespace smsim::cli {
namespace {

std::atomic<bool> interrupted{false};

/// Ctrl-C ends the run with what it has; a second one ends the program.
void stop_on_interrupt()
{
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted.store(true, std::memory_order_relaxed); };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
}

}  // namespace

int run_run(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "run", "run WORKLOAD [OPTIONS]",
      "Runs a kernel on a GPU, cycle by cycle, and reports theoretical beside achieved "
      "occupancy,\n"
      "what the schedulers did, and what the warps waited for. WORKLOAD is a shipped name "
      "(`smsim list workloads`)\n"
      "or a YAML file; or a kernel that Accel-Sim's tracer has recorded (.traceg, alone or with .xz "
      "or .gz),\n"
      "or a list of such kernels (kernelslist.g).",
      "  smsim run vector_add --arch a100\n"
      "  smsim run tiled_matmul --arch h100 --policy lrr --set launch.grid=64\n"
      "  smsim run my_kernel.yaml --arch my_sm.yaml --format json --output result.json\n"
      "  smsim run worked_example --arch a100 --set register_file.registers=131072\n"
      "  smsim run kernel-1.traceg.xz --arch h100\n"
      "  smsim run tiled_matmul --arch h100 --trace run.json.gz --trace-sm 0 --trace-cycles 1000:5000\n");
  add_run_options(parser);
  add_trace_options(parser);
  parser.options.add_options()(
      "engine", po::value<std::string>()->default_value("event")->value_name("event|every-cycle"),
      "event, or every-cycle: the same numbers, slow and plain")("max-cycles", po::value<std::string>(),
                                                                 "end the run there with what it has")(
      "format", po::value<std::string>()->default_value("text")->value_name("text|json|csv"),
      "text, json or csv")("output,o", po::value<std::string>()->default_value(""),
                           "write the report to this file, whole or not at all")(
      "print-config", "print the architecture as it is after base and --set, and stop");
  if (!parser.parse(arguments)) return 0;

  Diagnostics diagnostics;
  const RunSetup setup = read_run_setup(parser, diagnostics);
  const ArchConfig& arch = setup.arch;
  RunOptions options = setup.options;
  options.engine =
      parser.word("engine", {"event", "every-cycle"}) == "event" ? Engine::event : Engine::every_cycle;
  if (parser.has("max-cycles")) options.max_cycles = parser.integer("max-cycles", 1, options.max_cycles);
  const std::string format = parser.word("format", {"text", "json", "csv"});
  if (parser.has("print-config")) {
    if (parser.has("workload")) load_workload(parser.text("workload"), setup.of_workload, diagnostics);
    throw_if_errors(diagnostics);
    write_output(parser.text("output"), yaml_text(arch_document(arch)));
    return 0;
  }
  const std::unique_ptr<TraceWriter> trace = read_trace(parser, options.sms ? options.sms : arch.sms);
  if (trace && options.engine != Engine::event) parser.fail("--trace: only the event engine can be traced");
  options.listener = trace.get();
  options.stop = &interrupted;
  stop_on_interrupt();
  std::string report;
  const auto run = [&](const Workload& workload, const std::function<void(const RunContext&)>& tell) {
    std::optional<BestSchedule> best;
    if (arch.scheduler.policy == search_policy) {
      if (trace) parser.fail("--trace: a search of schedules has none; trace a policy");
      best = find_best_schedule(arch, workload, options);
    }
    const RunResult result = best ? best->result : run_kernel(arch, workload, options);
    if (trace) check_trace(parser, *trace, result.cycles);
    if (result.stopped_early)
      warn("stopped after " + std::to_string(result.cycles) +
           " cycles, before the kernel had ended; the report covers what was run");
    // Reports show the launch and the registers that ran.
    const Workload ran = with_register_cap(arch, workload, diagnostics);
    tell({arch, ran, result, best ? &*best : nullptr});
  };
  if (parser.has("workload") && is_kernel_list_name(parser.text("workload"))) {
    if (trace) parser.fail("--trace: name one kernel of the list instead of the list");
    KernelListReport list(format == "json"  ? KernelListReport::Format::json
                          : format == "csv" ? KernelListReport::Format::csv
                                            : KernelListReport::Format::text);
    const auto kernels = read_kernel_list(parser.text("workload"), diagnostics);
    throw_if_errors(diagnostics);
    for (const auto& kernel : kernels) {
      if (interrupted.load(std::memory_order_relaxed)) break;
      const Workload workload = load_workload(kernel, setup.of_workload, diagnostics);
      throw_if_errors(diagnostics);
      tell_unknown_opcodes(workload);
      run(workload, [&](const RunContext& context) { list.add(context); });
    }
    report = list.finish();
  } else {
    run(read_workload(parser, setup, diagnostics), [&](const RunContext& context) {
      report = format == "json"  ? json_report(context)
               : format == "csv" ? csv_report(context)
                                 : text_report(context);
    });
  }
  write_output(parser.text("output"), report);
  return 0;
}

}  // namespace smsim::cli

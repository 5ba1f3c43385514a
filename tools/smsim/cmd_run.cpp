// smsim run WORKLOAD --arch ...
#include "engine/best_schedule.h"
#include "report/run_reports.h"
#include "run_setup.h"
#include "sm/register_cap.h"
#include "trace_options.h"

#include <signal.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
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
      "or a YAML file.",
      "  smsim run vector_add --arch a100\n"
      "  smsim run tiled_matmul --arch h100 --policy lrr --set launch.grid=64\n"
      "  smsim run my_kernel.yaml --arch my_sm.yaml --format json --output result.json\n"
      "  smsim run worked_example --arch a100 --set register_file.registers=131072\n"
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
  const Workload workload = read_workload(parser, setup, diagnostics);

  const std::unique_ptr<TraceWriter> trace = read_trace(parser, options.sms ? options.sms : arch.sms);
  if (trace && options.engine != Engine::event) parser.fail("--trace: only the event engine can be traced");
  options.listener = trace.get();
  options.stop = &interrupted;
  stop_on_interrupt();
  std::optional<BestSchedule> best;
  if (arch.scheduler.policy == search_policy) {
    if (trace) parser.fail("--trace: a search of schedules has none; trace a policy");
    best = find_best_schedule(arch, workload, options);
  }
  const RunResult result = best ? best->result : run_kernel(arch, workload, options);
  if (trace) check_trace(parser, *trace, result.cycles);
  if (result.stopped_early) {
    spdlog::stderr_color_st("smsim")->warn(
        "stopped after {} cycles, before the kernel had ended; the report covers what was run",
        result.cycles);
  }
  // Reports show the launch and the registers that ran.
  const Workload ran = with_register_cap(arch, workload, diagnostics);
  const RunContext context{arch, ran, result, best ? &*best : nullptr};
  write_output(parser.text("output"), format == "json"  ? json_report(context)
                                      : format == "csv" ? csv_report(context)
                                                        : text_report(context));
  return 0;
}

}  // namespace smsim::cli

// smsim: the program. Finds the subcommand and turns exceptions into exit statuses:
// 0 done; 1 the run cannot be done or cannot end; 2 the command line or a file is wrong. A sweep that a
// signal stopped ends with 128 and the signal's number.
#include "base/spelling.h"
#include "base/version.h"
#include "cli.h"

#include <array>
#include <csignal>
#include <exception>
#include <iostream>
#include <sstream>

namespace {

using smsim::cli::Command;

constexpr auto command_table = std::to_array<Command>({
    {"run", "run a kernel cycle by cycle: theoretical and achieved occupancy, and where the cycles went",
     smsim::cli::run_run},
    {"occupancy", "theoretical occupancy: every limit, what binds, the nearest cliffs",
     smsim::cli::run_occupancy},
    {"compare", "policies against each other: speed-ups, occupancy, fairness, with confidence intervals",
     smsim::cli::run_compare},
    {"registers",
     "the same kernel with fewer and fewer registers: what a cap brings in warps and costs in spills",
     smsim::cli::run_registers},
    {"explain", "one page on a kernel: what limits it, whether occupancy matters, which change helps most",
     smsim::cli::run_explain},
    {"timeline", "what each warp of a scheduler did, cycle by cycle: in the terminal or as a picture",
     smsim::cli::run_timeline},
    {"report", "one HTML page on a run, or on two beside each other, made for reading",
     smsim::cli::run_report},
    {"policy-check", "a scheduling policy, of smsim or in a shared library, held to what all must keep",
     smsim::cli::run_policy_check},
    {"sweep", "thousands of runs from one file: axes over any key, on all cores or a cluster's job array",
     smsim::cli::run_sweep_command},
    {"results", "what a sweep has found: rows, the Pareto front, which axis matters most, pictures",
     smsim::cli::run_results},
    {"merge", "join the result stores of a sweep's shards", smsim::cli::run_merge},
    {"list", "the architectures, workloads and policies that come with smsim", smsim::cli::run_list},
    {"record", "write a workload as a trace that other simulators take too", smsim::cli::run_record},
    {"trace-info", "what a recorded kernel is and does: launch, occupancy, instruction mix, divergence",
     smsim::cli::run_trace_info},
    {"validate", "check architecture, workload and sweep files", smsim::cli::run_validate},
    {"man", "the manual's pages, in scdoc's format", smsim::cli::run_man},
    {"completion", "completion for the shell", smsim::cli::run_completion},
});

void print_help()
{
  std::ostringstream help;
  help << "smsim simulates one GPU streaming multiprocessor (SM), cycle by cycle.\n\n"
          "Usage: smsim COMMAND [OPTIONS]\n\nCommands:\n";
  for (const Command& command : command_table)
    help << "  " << command.name << std::string(14 - command.name.size(), ' ') << command.summary << "\n";
  help << "\n  --version   print the version\n  --help      print this help; `smsim COMMAND --help` "
          "says more\n\n"
          "Start with:\n"
          "  smsim run vector_add --arch a100\n"
          "  smsim occupancy --arch h100 --threads 256 --registers 64 --explain\n";
  smsim::cli::write_output({}, help.str());
}

int dispatch(const std::vector<std::string>& arguments)
{
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    print_help();
    return arguments.empty() ? 2 : 0;
  }
  if (arguments[0] == "--version") {
    smsim::cli::write_output({}, std::string("smsim ") + smsim::version + "\n");
    return 0;
  }
  std::vector<std::string> names;
  for (const Command& command : command_table) {
    if (command.name == arguments[0]) return command.run({arguments.begin() + 1, arguments.end()});
    names.emplace_back(command.name);
  }
  throw smsim::cli::UsageError("smsim: no command is named '" + arguments[0] + "'; " +
                               smsim::allowed_words(arguments[0], names) + "\n");
}

}  // namespace

namespace smsim::cli {

std::span<const Command> commands() { return command_table; }

}  // namespace smsim::cli

int main(int argc, char** argv)
{
  // A file that may not grow is an error like any other, not a signal.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return dispatch({argv + 1, argv + argc});
  } catch (const smsim::InputError& error) {
    std::cerr << error.what();
    return 2;
  } catch (const smsim::RunError& error) {
    std::cerr << error.what() << (std::string_view(error.what()).ends_with('\n') ? "" : "\n");
    return 1;
  } catch (const std::bad_alloc&) {
    std::cerr << "smsim: out of memory\n";
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "smsim: internal error: " << error.what() << "\n";
    return 1;
  }
}

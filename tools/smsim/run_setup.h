// What the subcommands that run kernels are told in the same words: --arch, --set, --policy, --sms,
// --threads, --seed.
#pragma once

#include "cli.h"
#include "engine/simulation.h"

namespace smsim::cli {

/// A warning on stderr.
void warn(const std::string& text);

/// The --set words, by what they speak of.
struct SplitOverrides {
  std::vector<std::string> of_arch;
  std::vector<std::string> of_workload;
};
SplitOverrides split_overrides(const OptionParser& parser);

/// --threads; one for each processor core where it is not given. @throws UsageError.
std::uint32_t read_threads(const OptionParser& parser);

struct RunSetup {
  ArchConfig arch;
  std::vector<std::string> of_workload;  ///< the --set words that speak of the workload
  RunOptions options;
};

/// Adds the options that read_run_setup and read_workload read.
void add_run_options(OptionParser& parser);

/// Errors in the architecture and the policy go to `diagnostics`. @throws UsageError.
RunSetup read_run_setup(const OptionParser& parser, Diagnostics& diagnostics);

/// Says on stderr how many instructions of a traced kernel no row of the SASS table knows, if any.
void tell_unknown_opcodes(const Workload& workload);

/// The workload that the command line names; throws all errors found so far. @throws UsageError if it names
/// none.
Workload read_workload(const OptionParser& parser, const RunSetup& setup, Diagnostics& diagnostics);

}  // namespace smsim::cli

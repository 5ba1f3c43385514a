// What the subcommands share: option tables, help that teaches, usage errors, output.
#pragma once

#include "base/diagnostics.h"

#include <boost/program_options.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smsim::cli {

namespace po = boost::program_options;

/// A command line that cannot be understood; exit 2.
class UsageError : public InputError {
 public:
  using InputError::InputError;
};

/// One subcommand's options and help.
class OptionParser {
 public:
  /// `synopsis` is what stands behind "smsim", `text` one paragraph on what the command is for.
  OptionParser(std::string command, std::string synopsis, std::string text, std::string examples);

  po::options_description options;

  /// Options given without a name, in order, e.g. WORKLOAD; the last may repeat.
  void positional(const std::string& name, int count) { positional_.add(name.c_str(), count); }

  /// Parses; prints the help and answers false where that was asked for.
  /// @throws UsageError with the nearest option's name where one was mistyped.
  bool parse(const std::vector<std::string>& arguments);

  [[nodiscard]] bool has(const std::string& name) const { return values_.count(name) > 0; }
  /// By the user, not by its default.
  [[nodiscard]] bool given(const std::string& name) const { return has(name) && !values_[name].defaulted(); }
  /// With the option `question` only those in `read` have a meaning: any other would be without effect, so it
  /// is refused. @throws UsageError.
  void refuse_others(const std::string& question, const std::vector<std::string>& read) const;
  [[nodiscard]] std::string text(const std::string& name) const { return values_[name].as<std::string>(); }
  [[nodiscard]] std::vector<std::string> list(const std::string& name) const;
  /// A whole number in a range; @throws UsageError.
  [[nodiscard]] std::uint64_t integer(const std::string& name, std::uint64_t least, std::uint64_t most) const;
  /// A size such as 48KiB; @throws UsageError.
  [[nodiscard]] std::uint64_t size(const std::string& name) const;
  /// One of the words; @throws UsageError.
  [[nodiscard]] std::string word(const std::string& name, const std::vector<std::string>& words) const;
  [[noreturn]] void fail(const std::string& what) const;

  [[nodiscard]] const std::string& command() const { return command_; }
  [[nodiscard]] const std::string& synopsis() const { return synopsis_; }
  [[nodiscard]] const std::string& description() const { return text_; }
  [[nodiscard]] const std::string& examples() const { return examples_; }
  /// The positional options, in order.
  [[nodiscard]] std::vector<std::string> positionals() const;

  /// What --help does: prints the help, unless someone asks for a subcommand's options to write them
  /// otherwise.
  static std::function<void(const OptionParser&)> show_help;

 private:
  std::string command_;
  std::string synopsis_;
  std::string text_;
  std::string examples_;
  po::positional_options_description positional_;
  po::variables_map values_;
};

/// Writes to stdout, or to `path` whole or not at all. @throws RunError if it cannot be written.
void write_output(const std::string& path, std::string_view content);

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const std::vector<std::string>&);
};
/// All subcommands, in the order of the help.
std::span<const Command> commands();

int run_occupancy(const std::vector<std::string>& arguments);
int run_run(const std::vector<std::string>& arguments);
int run_compare(const std::vector<std::string>& arguments);
int run_registers(const std::vector<std::string>& arguments);
int run_timeline(const std::vector<std::string>& arguments);
int run_explain(const std::vector<std::string>& arguments);
int run_policy_check(const std::vector<std::string>& arguments);
int run_sweep_command(const std::vector<std::string>& arguments);
int run_results(const std::vector<std::string>& arguments);
int run_merge(const std::vector<std::string>& arguments);
int run_list(const std::vector<std::string>& arguments);
int run_record(const std::vector<std::string>& arguments);
int run_trace_info(const std::vector<std::string>& arguments);
int run_validate(const std::vector<std::string>& arguments);
int run_report(const std::vector<std::string>& arguments);
int run_man(const std::vector<std::string>& arguments);
int run_completion(const std::vector<std::string>& arguments);

}  // namespace smsim::cli

// What the subcommands share: option tables, help that teaches, usage errors, output.
#pragma once

#include "base/diagnostics.h"

#include <boost/program_options.hpp>

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
  [[nodiscard]] std::string text(const std::string& name) const { return values_[name].as<std::string>(); }
  [[nodiscard]] std::vector<std::string> list(const std::string& name) const;
  /// A whole number in a range; @throws UsageError.
  [[nodiscard]] std::uint64_t integer(const std::string& name, std::uint64_t least, std::uint64_t most) const;
  /// A size such as 48KiB; @throws UsageError.
  [[nodiscard]] std::uint64_t size(const std::string& name) const;
  /// One of the words; @throws UsageError.
  [[nodiscard]] std::string word(const std::string& name, const std::vector<std::string>& words) const;
  [[noreturn]] void fail(const std::string& what) const;

 private:
  void print_help() const;

  std::string command_;
  std::string synopsis_;
  std::string text_;
  std::string examples_;
  po::positional_options_description positional_;
  po::variables_map values_;
};

/// Writes to stdout, or to `path` whole or not at all. @throws RunError if it cannot be written.
void write_output(const std::string& path, std::string_view content);

int run_occupancy(const std::vector<std::string>& arguments);
int run_run(const std::vector<std::string>& arguments);
int run_compare(const std::vector<std::string>& arguments);
int run_registers(const std::vector<std::string>& arguments);
int run_explain(const std::vector<std::string>& arguments);
int run_sweep_command(const std::vector<std::string>& arguments);
int run_results(const std::vector<std::string>& arguments);
int run_merge(const std::vector<std::string>& arguments);
int run_list(const std::vector<std::string>& arguments);
int run_validate(const std::vector<std::string>& arguments);

}  // namespace smsim::cli

// Runs the smsim program as a user would, and gives back what it wrote.
#pragma once

#include <cstdint>
#include <string>

namespace smsim::test {

struct ProgramRun {
  int status = -1;  ///< exit status; 128 + n where signal n ended it
  std::string out;
  std::string err;
};

/// `arguments` is what a user types behind "smsim", for the shell; runs in `folder` (default: the source
/// tree).
ProgramRun smsim(const std::string& arguments, const std::string& folder = {});

/// A new empty folder, removed at the end of the test program.
std::string temporary_folder();

/// Writes a file; the answer is its path.
std::string write_file(const std::string& path, const std::string& content);
std::string read_file(const std::string& path);

/// Random cases of the differential test that the environment asks for with SMSIM_CASES=first:count.
struct Cases {
  std::uint64_t first = 1;
  std::uint64_t count = 5'000;
};
Cases chosen_cases();
/// The same share of another test's `all` cases, five at least.
std::uint64_t share_of_cases(std::uint64_t all);

}  // namespace smsim::test

// Runs the smsim program as a user would, and gives back what it wrote.
#pragma once

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

}  // namespace smsim::test

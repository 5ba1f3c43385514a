// Sweeps for tests: files, stores and what `smsim results` makes of them.
#pragma once

#include "support/program.h"

#include <string>
#include <vector>

namespace smsim::test {

/// A sweep of a kernel of a few cycles on one SM, in a new folder; `rest` says its axes. The answer is the
/// path.
std::string sweep_file(const std::string& rest);

/// A store's name in a new folder.
std::string new_store();

/// Every column of every point, as `smsim results --format csv` gives it out.
std::string export_of(const std::string& store);

/// The program, started and not waited for.
class RunningProgram {
 public:
  explicit RunningProgram(const std::vector<std::string>& arguments);
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
  ~RunningProgram();

  void send(int signal) const;
  /// The exit status; 128 + n where signal n ended it.
  int wait();
  /// Has it ended by itself?
  bool has_ended();

 private:
  int process_ = -1;
  bool ended_ = false;
  int status_ = 0;
};

}  // namespace smsim::test

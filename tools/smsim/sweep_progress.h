// The one line that a sweep shows on a terminal while it runs: done, failed, rate, time left. On stderr, and
// only where that is a terminal.
#pragma once

#include "sweep/runner.h"

#include <chrono>

namespace smsim::cli {

class ProgressBar {
 public:
  ProgressBar();
  [[nodiscard]] bool is_shown() const { return shown_; }
  void show(const SweepProgress& progress);
  void clear() const;

 private:
  bool shown_;
  std::chrono::steady_clock::time_point start_;
};

/// The line, without the terminal's codes. `seconds`: since the start.
std::string progress_line(const SweepProgress& progress, double seconds);

}  // namespace smsim::cli

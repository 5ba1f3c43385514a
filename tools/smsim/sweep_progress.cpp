#include "sweep_progress.h"

#include "report/table_text.h"
#include "sweep/dry_run.h"

#include <unistd.h>

#include <cstdio>

namespace smsim::cli {

ProgressBar::ProgressBar() : shown_(::isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()) {}

std::string progress_line(const SweepProgress& progress, double seconds)
{
  constexpr std::size_t width = 24;
  const double share =
      progress.total == 0 ? 1 : static_cast<double>(progress.done) / static_cast<double>(progress.total);
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(width));
  const auto now = static_cast<double>(progress.done - progress.before);
  const double rate = seconds > 0 ? now / seconds : 0;
  std::string line = "[" + std::string(filled, '#') + std::string(width - filled, ' ') + "] " +
                     std::to_string(progress.done) + "/" + std::to_string(progress.total) + " done, " +
                     std::to_string(progress.failed) + " failed";
  if (rate > 0)
    line += ", " + fixed(rate, rate < 10 ? 1 : 0) + "/s, " +
            duration_text(static_cast<double>(progress.total - progress.done) / rate) + " left";
  return line;
}

void ProgressBar::show(const SweepProgress& progress)
{
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start_;
  std::fprintf(stderr, "\r%s\x1b[K", progress_line(progress, since.count()).c_str());
}

void ProgressBar::clear() const
{
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

}  // namespace smsim::cli

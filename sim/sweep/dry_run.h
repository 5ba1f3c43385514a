// `smsim sweep --dry-run`: how many points, which, and about how long they take.
#pragma once

#include "sweep/runner.h"

namespace smsim {

/// The report. Runs a few points, spread over the order, to measure their time; only the last line hangs on
/// the clock.
std::string dry_run_text(const Sweep& sweep, std::uint64_t points, Shard shard, std::uint64_t listed,
                         std::uint32_t threads);

/// "3 min 20 s".
std::string duration_text(double seconds);

}  // namespace smsim

// Occupancy of many launches: CSV in, CSV out.
#pragma once

#include "base/diagnostics.h"

#include <memory>
#include <string>

namespace smsim {

/// Reads launches (a header line, then compute_capability, threads_per_block, registers_per_thread,
/// static_shared_bytes, dynamic_shared_bytes, carveout_percent, barriers_per_block; further columns are
/// ignored) and answers with the same columns and the calculator's behind them, rows in order. -1: no
/// preference for the carveout, no limit in a limit. Every row that cannot be read is an error; the answer is
/// then not usable.
std::string occupancy_batch(const std::shared_ptr<const SourceText>& source, Diagnostics& diagnostics);

}  // namespace smsim

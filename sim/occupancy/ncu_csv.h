// Reads the table that Nsight Compute writes with --csv (page "details"): one row for each metric of each
// launch.
//
//   "ID","Process ID",...,"Kernel Name",...,"Block Size","Grid Size",...,"Metric Name","Metric Unit","Metric
//   Value",... "0","4711",...,"tile(float *)",...,"(256, 1, 1)","(4096, 1, 1)",...,"Registers Per
//   Thread","register/thread","10",
//
// Columns are found by the header's names, in any order; those that are not needed may be missing (older
// versions have no CC, Device, Block Size or rule columns). Lines before the header and rows without a metric
// (rules) are passed over.
#pragma once

#include "base/diagnostics.h"
#include "occupancy/calculator.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsim {

/// One launch as the profiler saw it. What is optional, older versions or shorter profiles do not say.
struct NcuKernel {
  std::string id;                  ///< the profiler's number of the launch
  std::string name;                ///< as in the table
  std::string compute_capability;  ///< "9.0"; "" where the table has no such column
  std::array<std::uint32_t, 3> block{};
  std::array<std::uint32_t, 3> grid{};
  std::uint32_t registers_per_thread = 0;
  std::uint64_t static_shared_bytes = 0;
  std::uint64_t dynamic_shared_bytes = 0;
  std::optional<std::uint64_t> driver_shared_bytes;         ///< per block
  std::optional<std::uint64_t> shared_configuration_bytes;  ///< of the SM
  bool sizes_rounded = false;  ///< static or dynamic bytes were printed in a larger unit, with two digits
                               ///< ("33.02 Kbyte"): near, not exact; ncu --print-units base prints bytes
  std::optional<std::uint64_t> sms;
  std::optional<double> waves_per_sm;
  std::array<BlockLimit, limiter_count> limits;  ///< by Limiter; only barriers may be nothing
  double theoretical_occupancy_percent = 0;
  std::optional<double> achieved_occupancy_percent;
  Mark where;  ///< the launch's first row
};

/// Whether a text has the header of such a table (or of Nsight Compute's other tables, which the reader
/// explains).
bool looks_like_ncu_csv(const SourceText& source);

/// Reads every launch, in the table's order. A broken row or number, a unit that is none of memory, and a
/// launch without a metric that is needed are errors in `diagnostics`; with errors the answer is incomplete.
std::vector<NcuKernel> parse_ncu_csv(const std::shared_ptr<const SourceText>& source,
                                     Diagnostics& diagnostics);

}  // namespace smsim

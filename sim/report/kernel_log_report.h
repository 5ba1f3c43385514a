// Occupancy of the kernels in a compiler's log (nvcc -Xptxas -v) or a profiler's table (Nsight Compute
// --csv).
#pragma once

#include "base/diagnostics.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsim {

struct KernelLogOptions {
  std::optional<std::uint64_t> threads;    ///< per block; a compiler's log does not say
  std::uint64_t dynamic_shared_bytes = 0;  ///< per block; a compiler's log does not say
  std::string arch;                        ///< "": each kernel's own, by its compute capability
  std::vector<std::string> overrides;      ///< of the architecture
};

/// A row for each kernel and architecture. With a compiler's log: registers, shared memory, spills, blocks
/// per SM, occupancy, what limits it, the next cliff. With a profiler's: its limits and occupancy beside
/// smsim's.
std::string kernel_log_report(const std::shared_ptr<const SourceText>& source,
                              const KernelLogOptions& options, bool json, Diagnostics& diagnostics);

}  // namespace smsim

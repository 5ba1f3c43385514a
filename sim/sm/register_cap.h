// A launch's register cap on an architecture: what a compiler does with --maxrregcount or __launch_bounds__.
#pragma once

#include "config/arch_config.h"
#include "workload/workload_loader.h"

namespace smsim {

/// The workload as it runs: where its launch caps the registers below the need, with the capped count and the
/// program with its spills. Bounds that no register count satisfies, an instruction whose operands do not
/// fit, and spills without the opcodes for them are errors; the answer is then the workload without its cap.
Workload with_register_cap(const ArchConfig& arch, Workload workload, Diagnostics& diagnostics);

}  // namespace smsim

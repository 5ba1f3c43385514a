// Writes what the warps of a workload execute as a trace, version 5 of Accel-Sim's tracer, so that the same
// stream runs here and on other simulators. No cycle is simulated: the program is walked.
//
// A trace knows instructions, registers, threads and addresses. What it cannot say is refused: stall counts,
// yield, operand reuse, dependence counters, constant misses, barriers of some threads, bar.arrive,
// nanosleep, spilled registers. An access without `address:` gets one of its own (streaming), and a program
// that does not end in `exit` gets one at its end; `notes` says so. Predicates become registers above the
// program's.
#pragma once

#include "base/output_file.h"
#include "config/arch_config.h"
#include "workload/workload_loader.h"

#include <string>
#include <vector>

namespace smsim {

/// More instructions than this are not written: some 1 GB.
inline constexpr std::uint64_t most_recorded = 20'000'000;

/// Errors, located in the workload, go to `diagnostics`; then nothing may come of `out`.
/// @throws RunError above `most_recorded` instructions.
void record_trace(const ArchConfig& arch, const Workload& workload, std::uint64_t seed, OutputFile& out,
                  std::vector<std::string>& notes, Diagnostics& diagnostics);

}  // namespace smsim

// Short ways to architectures, workloads and runs for tests.
#pragma once

#include "config/arch_loader.h"
#include "engine/simulation.h"
#include "workload/workload_loader.h"

#include <string>
#include <vector>

namespace smsim::test {

/// A preset with overrides; throws InputError if that is no valid architecture.
ArchConfig arch(const std::string& name, const std::vector<std::string>& overrides = {});

/// A workload from YAML text; throws InputError if that is no valid workload.
Workload workload(const std::string& yaml);

/// A workload of one program item list, e.g. "  - nop\n", for `grid` blocks of `threads` threads.
Workload kernel(std::uint64_t grid, std::uint64_t threads, const std::string& program,
                const std::string& more_launch = {});

/// An SM of one sub-partition with 64 warp slots and no other limit in the way, whose FP32 pipe (fma) takes
/// an instruction each cycle; for closed forms.
ArchConfig one_scheduler(const std::vector<std::string>& overrides = {});

RunResult run(const ArchConfig& arch, const Workload& workload, const std::string& policy = {},
              std::uint64_t max_cycles = RunOptions{}.max_cycles, std::uint32_t sms = 1,
              std::uint64_t seed = 1);

/// Warp-cycles in a state, all SMs.
std::uint64_t in_state(const RunResult& result, WarpState state);

}  // namespace smsim::test

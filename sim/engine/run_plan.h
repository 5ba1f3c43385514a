// What an engine is given: the kernel bound to the architecture, and how to run it. Made once; engines only
// read it.
#pragma once

#include "engine/run_result.h"
#include "engine/simulation.h"
#include "sm/launch_order.h"
#include "sm/sm.h"

#include <atomic>

namespace smsim {

struct RunPlan {
  RunInputs inputs;
  std::uint32_t sms = 1;
  std::vector<std::uint32_t> group_sizes;  ///< SMs that take blocks together, see sm_group.h
  std::uint64_t grid = 1;
  std::uint32_t threads = 1;
  Cycle bound{0};  ///< the run ends there with what it has
  const std::atomic<bool>* stop = nullptr;

  [[nodiscard]] std::uint32_t cluster() const { return inputs.kernel.cluster; }
  [[nodiscard]] std::uint64_t clusters() const { return grid / cluster(); }
  [[nodiscard]] LaunchOrder launch_order() const
  {
    return {inputs.arch.dispatch.order, clusters(), cluster(), inputs.program, inputs.kernel,
            inputs.arch.sm.warp_size,   inputs.seed};
  }
  [[nodiscard]] bool is_stopped() const { return stop && stop->load(std::memory_order_relaxed); }
};

/// The parts of a RunResult that an engine finds.
struct EngineResult {
  std::uint64_t cycles = 0;
  std::uint64_t tail_start = 0;
  bool stopped_early = false;
  std::vector<SmResult> sms;
};

/// Visits only the cycles in which something can change.
EngineResult run_by_events(const RunPlan& plan);

/// Visits every cycle and asks every warp: slow, plain, the oracle that the other engine is held against.
EngineResult run_every_cycle(const RunPlan& plan);

/// run_kernel with schedulers that are made so; `diagnostics` holds the errors found before.
using SchedulerMaker = std::function<std::unique_ptr<WarpScheduler>()>;
RunResult run_with(const ArchConfig& arch, const Workload& workload, const RunOptions& options,
                   const SchedulerMaker& make_scheduler, Diagnostics diagnostics = {});

/// "deadlock at cycle t ...", one line for each warp that is listed.
std::string deadlock_report(const RunPlan& plan, Cycle now,
                            const std::vector<std::vector<WarpReport>>& warps_by_sm);

}  // namespace smsim

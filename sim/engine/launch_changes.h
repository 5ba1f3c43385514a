// Changes of a launch that may make a kernel faster, each as the words of `--set` that make it: whoever tries
// one runs what a user would run.
#pragma once

#include "config/arch_config.h"
#include "engine/run_result.h"
#include "workload/workload_loader.h"

#include <string>
#include <vector>

namespace smsim {

struct LaunchChange {
  std::string what;                   ///< "blocks of 128 threads"
  std::vector<std::string> settings;  ///< {"launch.block=128", "launch.grid=512"}
  std::uint64_t work = 0;             ///< threads that do the kernel's work
};

struct LaunchChanges {
  std::vector<LaunchChange> worth_a_run;
  std::vector<std::string> left_out;  ///< kinds of change that cannot be compared, and why
};

/// What `result`, a run of `workload` as read, makes worth a run: grids of whole waves; block sizes with more
/// resident warps or without a partial wave; register caps that let more blocks be resident; other carveouts;
/// longest blocks first. Each does the same work for a thread; changes that would not are left out.
/// `is_shortened`: the grid is not the user's own, so that no other is sought.
LaunchChanges changes_worth_a_run(const ArchConfig& arch, const Workload& workload, const RunResult& result,
                                  bool is_shortened);

}  // namespace smsim

// When which warp issued: runs a kernel on one SM with a policy whose picks are written down and checked.
#pragma once

#include "engine/simulation.h"
#include "sm/warp_scheduler/registry.h"

#include <cstdint>
#include <vector>

namespace smsim {

struct Issue {
  std::uint64_t cycle;
  std::uint32_t sub_partition;
  std::uint32_t slot;  ///< of the warp in its sub-partition

  friend bool operator==(const Issue&, const Issue&) = default;
};

struct TraceOptions {
  Engine engine = Engine::event;
  std::uint64_t max_cycles = 1'000'000;
  /// Ask the policy up to so many times more than there is a reason to, for this cycle and for later ones,
  /// and throw the answers away.
  std::uint32_t extra_asks = 0;
  std::uint64_t seed = 1;
};

struct IssueTrace {
  std::vector<Issue> issues;
  std::uint64_t cycles = 0;
  bool ended = false;  ///< not cut short by max_cycles
  std::uint64_t asked = 0;
  std::uint64_t declined = 0;
  /// Of warps that could issue in every cycle: the most issues from one of their own to the next.
  std::uint64_t longest_wait = 0;
  std::uint64_t waits_too_long = 0;  ///< those with more issues than slots that had a warp meanwhile
};

/// @throws RunError where the policy picks a warp that cannot issue, and as run_kernel does.
IssueTrace trace_issues(const ArchConfig& arch, const Workload& workload, const PolicyInfo& policy,
                        const TraceOptions& options = {});

}  // namespace smsim

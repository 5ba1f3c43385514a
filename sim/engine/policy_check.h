// What every policy has to keep, tried out: `smsim policy-check`, and the tests of those that come with
// smsim.
//
// Kernels of workloads/policies/ are run for some cycles on an SM with four schedulers and on one with a
// single one, each pick written down. A check that holds there need not hold everywhere; one that fails
// shows where.
#pragma once

#include "sm/warp_scheduler/registry.h"

#include <string>
#include <string_view>
#include <vector>

namespace smsim {

struct PolicyCheck {
  enum class Outcome { held, failed, not_tried };

  std::string_view key;
  std::string_view promise;
  Outcome outcome = Outcome::held;
  std::string seen;  ///< what was tried and what was seen, a sentence
};

struct PolicyCheckOptions {
  std::uint64_t cycles = 4'000;  ///< of each kernel
};

/// Every check once, in a fixed order.
std::vector<PolicyCheck> check_policy(const PolicyInfo& policy, const PolicyCheckOptions& options = {});

/// No check failed, and none could not be tried.
bool all_held(const std::vector<PolicyCheck>& checks);

}  // namespace smsim

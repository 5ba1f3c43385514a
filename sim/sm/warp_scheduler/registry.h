// The policies that smsim knows, one row each.
#pragma once

#include "base/diagnostics.h"
#include "sm/warp_scheduler/warp_scheduler.h"

#include <memory>
#include <span>
#include <string_view>

namespace smsim {

struct PolicyInfo {
  std::string_view name;
  std::string_view summary;  ///< one line
  std::unique_ptr<WarpScheduler> (*make)();
};

std::span<const PolicyInfo> policy_registry();

/// The policy with this name. If there is none, `diagnostics` gets an error at `mark` that lists them all.
const PolicyInfo* find_policy(std::string_view name, const Mark& mark, Diagnostics& diagnostics);

}  // namespace smsim

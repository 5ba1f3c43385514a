// What `smsim policy-check` prints.
#pragma once

#include "engine/policy_check.h"

#include <string>

namespace smsim {

/// A line for each check, and one that sums up.
std::string policy_check_text(const PolicyInfo& policy, const std::vector<PolicyCheck>& checks);
std::string policy_check_json(const PolicyInfo& policy, const std::vector<PolicyCheck>& checks);

}  // namespace smsim

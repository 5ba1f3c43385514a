// When which warp issued, for tests: the library's trace by a policy's name.
#pragma once

#include "engine/issue_trace.h"
#include "support/kernels.h"

#include <string>
#include <vector>

namespace smsim::test {

/// Every issue of one SM, in order.
std::vector<Issue> issues_of(const ArchConfig& arch, const Workload& workload, const std::string& policy);

}  // namespace smsim::test

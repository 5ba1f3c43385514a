// When which warp issued: runs a kernel with a policy whose picks are written down.
#pragma once

#include "support/kernels.h"

#include <cstdint>
#include <string>
#include <vector>

namespace smsim::test {

struct Issue {
  std::uint64_t cycle;
  std::uint32_t sub_partition;
  std::uint32_t slot;  ///< of the warp in its sub-partition
};

/// Every issue of one SM, in order.
std::vector<Issue> issues_of(const ArchConfig& arch, const Workload& workload, const std::string& policy);

}  // namespace smsim::test

// Random architectures and workloads for holding one engine against the other: small, odd, with every
// mechanism on.
#pragma once

#include "support/kernels.h"

#include <string>
#include <vector>

namespace smsim::test {

/// A case is text only, so that a failing one can be shrunk and printed as files.
struct RandomCase {
  std::vector<std::string> arch_overrides;  ///< of preset h100
  std::vector<std::string> launch;          ///< lines of the workload's launch
  std::vector<std::string> program;         ///< items of the program, one or more lines each
  std::string policy;
  std::uint32_t sms = 1;
  std::uint32_t threads = 1;
  std::uint64_t seed = 0;

  [[nodiscard]] std::string workload_yaml() const;
  [[nodiscard]] RunOptions options(std::uint64_t max_cycles) const;
};

RandomCase draw_case(std::uint64_t number);

}  // namespace smsim::test

// Runs a shipped workload as the command in its comments does.
#pragma once

#include "support/kernels.h"

namespace smsim::test {

/// `overrides` are what --set takes, for the workload and for the architecture alike.
RunResult run_shipped(const std::string& name, const std::string& arch_name,
                      const std::vector<std::string>& overrides = {}, std::uint32_t sms = 1,
                      const std::string& policy = {}, std::uint64_t max_cycles = RunOptions{}.max_cycles);

}  // namespace smsim::test

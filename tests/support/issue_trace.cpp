#include "support/issue_trace.h"

namespace smsim::test {

std::vector<Issue> issues_of(const ArchConfig& arch, const Workload& workload, const std::string& policy)
{
  Diagnostics diagnostics;
  const PolicyInfo* const info = find_policy(policy, {}, diagnostics);
  throw_if_errors(diagnostics);
  return trace_issues(arch, workload, *info).issues;
}

}  // namespace smsim::test

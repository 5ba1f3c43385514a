#include "sm/warp_scheduler/registry.h"

#include "base/spelling.h"

#include <array>

namespace smsim {

// The row is explicit on purpose: objects that register themselves vanish from static libraries without a
// warning.
std::unique_ptr<WarpScheduler> make_cggty();
std::unique_ptr<WarpScheduler> make_gto();
std::unique_ptr<WarpScheduler> make_lrr();

std::span<const PolicyInfo> policy_registry()
{
  static constexpr std::array<PolicyInfo, 3> rows{{
      {"cggty", "compiler-guided greedy then youngest: stay on a warp until it stalls, then the youngest",
       make_cggty},
      {"gto", "greedy then oldest: stay on a warp until it stalls, then the oldest that can issue", make_gto},
      {"lrr", "loose round robin: the next warp in turn that can issue", make_lrr},
  }};
  return rows;
}

const PolicyInfo* find_policy(std::string_view name, const Mark& mark, Diagnostics& diagnostics)
{
  std::vector<std::string> names;
  for (const PolicyInfo& row : policy_registry()) {
    if (row.name == name) return &row;
    names.emplace_back(row.name);
  }
  diagnostics.error(mark, "scheduler.policy", "no policy is named '" + std::string(name) + "'",
                    allowed_words(name, names));
  return nullptr;
}

}  // namespace smsim

#include "sm/warp_scheduler/registry.h"

#include "base/spelling.h"
#include "sm/policy_library.h"

#include <array>
#include <map>
#include <mutex>

namespace smsim {

// The row is explicit on purpose: objects that register themselves vanish from static libraries without a
// warning.
std::unique_ptr<WarpScheduler> make_block_oldest(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_cawa(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_ccws(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_cggty(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_gto(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_lrr(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_mascar(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_oldest(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_owl(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_random(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_rr_strict(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_swl(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_two_level_active(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_two_level_groups(const PolicySetup& setup);
std::unique_ptr<WarpScheduler> make_youngest(const PolicySetup& setup);

std::span<const PolicyInfo> policy_registry()
{
  static const std::array<PolicyInfo, 15> rows{{
      {"block_oldest", "warps of the block that was launched first, in turn", false, make_block_oldest},
      {"cawa", "criticality-aware: stay on a warp until it stalls, then the one that is furthest behind",
       false, make_cawa},
      {"ccws", "cache-conscious: warps whose lines L1 lost hold back the memory accesses of others", false,
       make_ccws},
      {"cggty", "compiler-guided greedy then youngest: stay on a warp until it stalls, then the youngest",
       false, make_cggty},
      {"gto", "greedy then oldest: stay on a warp until it stalls, then the oldest that can issue", false,
       make_gto},
      {"lrr", "loose round robin: the next warp in turn that can issue", true, make_lrr},
      {"mascar", "greedy then oldest; while memory is saturated one warp has it to itself", false,
       make_mascar},
      {"oldest", "the oldest warp that can issue", false, make_oldest},
      {"owl", "groups of blocks: stay on a group while one of its warps can issue", false, make_owl},
      {"random", "any warp that can issue, drawn", false, make_random},
      {"rr_strict", "strict round robin: the next warp in turn, and all wait for it", true, make_rr_strict},
      {"swl", "static warp limiting: greedy then oldest among the oldest few", false, make_swl},
      {"two_level_active", "round robin in an active set, which a warp leaves when it waits for memory",
       false, make_two_level_active},
      {"two_level_groups", "round robin in a group of warps, until all of them wait for memory", false,
       make_two_level_groups},
      {"youngest", "the youngest warp that can issue", false, make_youngest},
  }};
  return rows;
}

namespace {

/// Where a policy's name may stand it stands for a search (engine/best_schedule.h), which only some commands
/// do.
const PolicyInfo best_of{
    "best_of", "no policy: the least cycles over all schedules of a small kernel", false,
    [](const PolicySetup&) -> std::unique_ptr<WarpScheduler> {
      throw RunError("best_of is no policy but a search: `smsim run` and `smsim compare` do it, on one SM\n");
    }};

/// A policy with the parameters behind its name.
const PolicyInfo* find_with_parameters(const PolicyInfo& policy, std::string_view words, const Mark& mark,
                                       Diagnostics& diagnostics)
{
  std::vector<PolicyParameter> parameters;
  PolicySetup setup;
  for (const PolicyParameter& each : policy_parameters)
    if (each.policy == policy.name) {
      setup.parameters.at(parameters.size()) = each.default_value;
      parameters.push_back(each);
    }
  const Mark behind{mark.source, mark.line, mark.column + static_cast<int>(policy.name.size())};
  if (!read_parameters(policy.name, parameters, words.substr(policy.name.size()), behind, setup.parameters,
                       diagnostics))
    return nullptr;
  static std::mutex mutex;
  static std::map<std::string, PolicyInfo, std::less<>> rows;  // by the words that the user wrote
  const std::lock_guard lock(mutex);
  const auto [row, is_new] = rows.try_emplace(std::string(words), policy);
  if (is_new) {
    row->second.name = row->first;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      row->second.fixed_parameters.emplace_back(parameters[i].key, setup.parameters[i]);
    row->second.make = [&policy, values = setup.parameters](const PolicySetup& given) {
      return policy.make({given.seed, values});
    };
  }
  return &row->second;
}

}  // namespace

const PolicyInfo* find_policy(std::string_view name, const Mark& mark, Diagnostics& diagnostics)
{
  if (name == best_of.name) return &best_of;
  if (is_policy_file(name)) return load_policy(name, mark, diagnostics);
  const std::string_view bare = name.substr(0, name.find(':'));
  std::vector<std::string> names;
  for (const PolicyInfo& row : policy_registry()) {
    if (row.name == name) return &row;
    if (row.name == bare) return find_with_parameters(row, name, mark, diagnostics);
    names.emplace_back(row.name);
  }
  names.emplace_back(best_of.name);
  diagnostics.error(mark, "scheduler.policy", "no policy is named '" + std::string(bare) + "'",
                    allowed_words(bare, names) + ", or the path of a shared library, such as ./mine.so");
  return nullptr;
}

void check_declines(std::uint64_t declines, const std::string& policy)
{
  if (declines < most_declines) return;
  throw RunError("policy '" + policy + "' has picked no warp in " + std::to_string(most_declines) +
                 " cycles in a row in which one could issue\n");
}

PolicyParameterList parameters_of(const PolicyInfo& policy, const PolicyValues& values)
{
  PolicyParameterList list = policy.fixed_parameters;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (policy_parameters[i].policy == policy.name)
      list.emplace_back(policy_parameters[i].key,
                        values[i] != 0 ? values[i] : policy_parameters[i].default_value);
  return list;
}

PolicySetup setup_of(const PolicyInfo& policy, const PolicyValues& values, std::uint64_t seed)
{
  PolicySetup setup{seed, {}};
  if (!policy.fixed_parameters.empty()) return setup;  // `make` has them
  std::size_t place = 0;
  for (const auto& [key, value] : parameters_of(policy, values))
    setup.parameters.at(place++) = value;
  return setup;
}

}  // namespace smsim

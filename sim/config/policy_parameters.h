// The parameters of the warp-scheduling policies: keys of `scheduler:` in an architecture file that one
// policy has a use for. They are here, below the policies, because the keys of a file are declared in this
// folder.
#pragma once

#include "base/diagnostics.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsim {

struct PolicyParameter {
  std::string_view policy;
  std::string_view key;
  std::uint32_t least;
  std::uint32_t most;
  std::uint32_t default_value;
  std::string_view doc;
};

/// Parameters of one policy are in the order in which PolicySetup (warp_scheduler.h) gives them to it.
inline constexpr std::array<PolicyParameter, 8> policy_parameters{{
    {"two_level_active", "active_set", 1, 64, 8, "two_level_active: warps that are scheduled at a time"},
    {"two_level_groups", "group_size", 1, 64, 8, "two_level_groups: warps of a fetch group"},
    {"swl", "limit", 1, 64, 4, "swl: how many of the oldest warps may issue"},
    {"ccws", "victim_tags", 1, 64, 16, "ccws: lines that each warp remembers after it lost them"},
    {"ccws", "base_score", 1, 100'000, 100, "ccws: a warp's share of the room for scores"},
    {"ccws", "hit_score", 1, 500'000, 800, "ccws: what a lost line that is missed adds to a warp's score"},
    {"owl", "group_blocks", 1, 64, 2, "owl: blocks of a group"},
    {"mascar", "backlog", 1, 1'000'000, 100,
     "mascar: memory is saturated when its servers are this many cycles behind"},
}};

/// Keys and the values that are in force.
using PolicyParameterList = std::vector<std::pair<std::string, std::uint32_t>>;

/// The values that a file gives, in that order; 0: it leaves the parameter to its default.
using PolicyValues = std::array<std::uint32_t, policy_parameters.size()>;

/// Where `scheduler.policy` is a shared library, "./mine.so:limit=4", the end of its path; else npos.
inline std::size_t end_of_policy_file(std::string_view policy)
{
  const std::size_t parameters = policy.rfind(".so:");
  if (parameters != std::string_view::npos) return parameters + 3;
  const bool is_file = policy.find('/') != std::string_view::npos || policy.ends_with(".so");
  return is_file ? policy.size() : std::string_view::npos;
}
inline bool is_policy_file(std::string_view policy)
{
  return end_of_policy_file(policy) != std::string_view::npos;
}

/// The keys of a policy's parameters, ", " between them; "none" if it has none.
inline std::string parameter_keys(std::string_view policy)
{
  if (is_policy_file(policy)) return "behind its path, as in mine.so:key=value";
  if (policy.find(':') != std::string_view::npos) return "behind its name";
  std::string keys;
  for (const PolicyParameter& parameter : policy_parameters)
    if (parameter.policy == policy) keys += (keys.empty() ? "" : ", ") + std::string(parameter.key);
  return keys.empty() ? "none" : keys;
}

/// Reads `words`, ":limit=4:window=100", which begin at `mark`, into `values`: one for each of `parameters`,
/// with its default. False where something is wrong; `diagnostics` then says what.
bool read_parameters(std::string_view policy, std::span<const PolicyParameter> parameters,
                     std::string_view words, Mark mark, std::span<std::uint32_t> values,
                     Diagnostics& diagnostics);

}  // namespace smsim

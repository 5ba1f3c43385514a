// The policies that smsim knows, one row each.
#pragma once

#include "base/diagnostics.h"
#include "config/policy_parameters.h"
#include "sm/warp_scheduler/warp_scheduler.h"

#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace smsim {

struct PolicyInfo {
  std::string_view name;
  std::string_view summary;  ///< one line
  /// A warp that can issue in every cycle is picked once in as many issues as there are warps, at least.
  bool starves_nobody;
  std::function<std::unique_ptr<WarpScheduler>(const PolicySetup&)> make;
  /// What it was fixed to by its library or by the words behind its name; else an architecture has a say.
  PolicyParameterList fixed_parameters{};
};

std::span<const PolicyInfo> policy_registry();

/// The policy with this name, with its parameters behind it if there are any (swl:limit=2; they then count,
/// not those of an architecture), or of the shared library with this path (policy_library.h). If there is
/// none, `diagnostics` gets an error at `mark` that lists them all. May be called from several threads.
const PolicyInfo* find_policy(std::string_view name, const Mark& mark, Diagnostics& diagnostics);

/// A policy has declined to pick so many times in a row. ccws never does so for longer than its hit_score may
/// be; rr_strict and swl do where the warp that they wait for sleeps that long.
/// @throws RunError when that is for ever, as far as anyone waits.
inline constexpr std::uint64_t most_declines = 1'000'000;
void check_declines(std::uint64_t declines, const std::string& policy);

/// The parameters that it runs with, in the order of its file.
PolicyParameterList parameters_of(const PolicyInfo& policy, const PolicyValues& values);

/// What the policy is made from: the values that are given, else its defaults.
PolicySetup setup_of(const PolicyInfo& policy, const PolicyValues& values, std::uint64_t seed);

}  // namespace smsim

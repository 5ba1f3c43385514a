// The report of a ladder of register caps: a row for each, the fastest marked, and why it is.
#pragma once

#include "config/arch_config.h"
#include "engine/register_ladder.h"

#include <string>

namespace smsim {

struct RegisterLadder {
  const ArchConfig& arch;
  const Workload& workload;
  const std::vector<RegisterStep>& steps;  ///< the first is without a cap; at least one ran
};

std::string register_text(const RegisterLadder& ladder);
/// One object; keys in docs/results.md.
std::string register_json(const RegisterLadder& ladder);
/// A header and a row for each cap: the numbers of the JSON rows.
std::string register_csv(const RegisterLadder& ladder);

}  // namespace smsim

#include "workload/program.h"

#include <algorithm>

namespace smsim {

std::optional<RegisterId> highest_register(const Program& program)
{
  std::optional<RegisterId> highest;
  const auto see = [&](RegisterId reg) {
    if (reg < first_predicate) highest = std::max(highest.value_or(0), reg);
  };
  for (const Instruction& instruction : program.code) {
    if (instruction.destination) see(*instruction.destination);
    for (const SourceOperand& source : instruction.sources)
      see(source.reg);
  }
  return highest;
}

}  // namespace smsim

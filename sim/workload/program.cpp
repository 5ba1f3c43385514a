#include "workload/program.h"

#include <algorithm>

namespace smsim {

void seed_draws(std::vector<Region>& regions, std::uint64_t seed)
{
  std::uint32_t site = 1U << 31U;
  for (Region& region : regions) {
    Varying& number = region.kind == Region::Kind::loop ? region.count : region.lanes.value;
    number.seed = seed;
    number.site = site++;
  }
}

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

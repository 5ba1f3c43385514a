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

std::string instruction_text(const Instruction& instruction)
{
  constexpr std::uint8_t guard_slot = 7;
  std::string guard;
  std::vector<std::string> operands;
  if (instruction.destination) operands.push_back(register_name(*instruction.destination));
  for (const SourceOperand& source : instruction.sources) {
    const std::string name = register_name(source.reg);
    if (source.slot == guard_slot)
      guard = "@" + name + " ";
    else
      operands.push_back(name + (source.reuse ? ".reuse" : ""));
  }
  std::string text = guard + instruction.mnemonic;
  for (std::size_t i = 0; i < operands.size(); ++i)
    text += (i == 0 ? " " : ", ") + operands[i];
  return text;
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

#include "sm/program_checks.h"

namespace smsim {
namespace {

void error(Diagnostics& diagnostics, const Instruction& instruction, const std::string& what,
           const std::string& allowed)
{
  diagnostics.error(instruction.mark, instruction.mnemonic, what, allowed);
}

}  // namespace

void check_counters(const Program& program, Diagnostics& diagnostics)
{
  unsigned raised = 0;
  for (const Instruction& instruction : program.code)
    for (const std::int8_t counter : {instruction.write_counter, instruction.read_counter})
      if (counter >= 0) raised |= 1U << static_cast<unsigned>(counter);
  for (const Instruction& instruction : program.code)
    for (unsigned counter = 0; counter < dependence_counters; ++counter)
      if ((instruction.wait_mask & ~raised & (1U << counter)) != 0)
        error(diagnostics, instruction,
              "waits for counter " + std::to_string(counter) + ", which no instruction raises",
              "raise it with write_counter or read_counter");
}

void reject_useless_attributes(const Instruction& instruction, const BoundOp& op, Diagnostics& diagnostics)
{
  if (instruction.sectors != 0 && op.kind != OpKind::global_access)
    error(diagnostics, instruction, "sectors has no effect", "only a global or local access touches sectors");
  if (instruction.levels_given && op.kind != OpKind::global_access)
    error(diagnostics, instruction, "level has no effect",
          "only a global or local access goes through the memory levels");
  if (instruction.address.kind != AddressPattern::Kind::none && op.kind != OpKind::global_access)
    error(diagnostics, instruction, "address has no effect",
          "only a global or local access goes through the cache");
  if (instruction.lane_stride && op.kind != OpKind::shared_access)
    error(diagnostics, instruction, "lane_stride has no effect", "only a shared access has bank conflicts");
  if (instruction.bank_conflicts != 0 && op.kind != OpKind::shared_access)
    error(diagnostics, instruction, "bank_conflicts has no effect",
          "only a shared access has bank conflicts");
}

}  // namespace smsim

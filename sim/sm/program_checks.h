// What is wrong with a program although each of its words is right: attributes without effect, counters that
// nothing raises. Asked while a program is bound; changes nothing.
#pragma once

#include "sm/bound_program.h"

namespace smsim {

/// Waits for dependence counters that no instruction raises are errors.
void check_counters(const Program& program, Diagnostics& diagnostics);

/// Attributes that the instruction's opcode has no use for are errors.
void reject_useless_attributes(const Instruction& instruction, const BoundOp& op, Diagnostics& diagnostics);

}  // namespace smsim

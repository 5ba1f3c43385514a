// How a warp goes through its program: to the next instruction, through the ends and beginnings of loops.
#pragma once

#include "sm/bound_program.h"
#include "sm/warp.h"

namespace smsim {

/// Brings a warp to `position`, where loops may end, repeat and begin. A loop that is entered or repeated
/// here and ends again before any instruction was reached has an empty body for this warp: it is left at
/// once, whatever its count.
void go_to(Warp& warp, const BoundProgram& program, std::uint32_t position);

/// Brings a warp behind the instruction that it has issued; at the end of the program its pc is the number of
/// ops.
inline void advance(Warp& warp, const BoundProgram& program)
{
  if (program.ops[warp.pc].loop_edge)
    go_to(warp, program, warp.pc + 1);
  else
    ++warp.pc;
}

}  // namespace smsim

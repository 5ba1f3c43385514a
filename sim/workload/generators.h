// Programs made by rule instead of written out.
#pragma once

#include "workload/program.h"

#include <string>
#include <vector>

namespace smsim {

/// May a program charge its own stall to this state?
constexpr bool may_be_charged_to_a_stall(WarpState state)
{
  return state == WarpState::wait || state == WarpState::long_scoreboard ||
         state == WarpState::short_scoreboard || state == WarpState::branch_resolving;
}

/// `rounds` times `compute` copies of one instruction; after each round but the last the warp stalls `stall`
/// cycles more than it must anyway (its next issue is at t + 1 + stall), charged to `state`.
struct RepeatGenerator {
  Instruction instruction;
  std::uint64_t compute = 1;
  std::uint32_t stall = 0;
  std::uint64_t rounds = 1;
  WarpState state = WarpState::long_scoreboard;

  void append_to(Program& program) const;
};

/// A body of `instructions` in which opcodes stand in proportion to their weights, spread as evenly as can
/// be, and each instruction reads what the one `distance` before it wrote. Deterministic: nothing is drawn.
struct MixGenerator {
  struct Weight {
    std::string mnemonic;
    std::uint64_t weight = 1;
    Mark mark;
  };
  std::vector<Weight> weights;
  std::uint32_t instructions = 1;
  std::uint32_t distance = 1;

  [[nodiscard]] std::uint32_t registers_needed() const { return distance + 1; }
  void append_to(Program& program, const LevelMix& levels) const;
};

}  // namespace smsim

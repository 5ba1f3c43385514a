// A lower bound on the cycles that are left, whatever schedule follows: no warp issues its instructions
// faster than their dependences and stalls allow, no scheduler issues two in a cycle, no pipe takes one
// before it is free.
#pragma once

#include "engine/plain_sm.h"

#include <vector>

namespace smsim {

class ScheduleBound {
 public:
  /// `streams`: the positions that each warp of the grid issues, in order, by block and warp of the block.
  /// Where their order is not the same in every schedule only their number is used.
  ScheduleBound(const RunInputs& inputs, const std::vector<std::vector<std::uint32_t>>& streams);

  /// The first cycle in which all may have left. `launched[b]`: block b has been.
  [[nodiscard]] Cycle end(const PlainSm& sm, Cycle now, const std::vector<bool>& launched) const;

 private:
  struct Step {
    std::uint64_t tail;  ///< cycles from its issue to the end of its warp, at least
    std::uint32_t pipe;  ///< the number of a pipe that it keeps busy for several cycles; no_pipe: none
  };
  static constexpr std::uint32_t no_pipe = 0xFFFF'FFFFU;

  [[nodiscard]] std::vector<Step> steps_of(const RunInputs& inputs,
                                           const std::vector<std::uint32_t>& stream) const;

  std::uint32_t warps_per_block_;
  std::uint64_t schedulers_;
  struct Pipe {
    std::uint64_t interval = 0;  ///< the least of its instructions
    std::uint64_t count = 1;
  };
  std::vector<Pipe> pipes_;
  std::vector<std::vector<Step>> steps_;  ///< by warp of the grid
};

}  // namespace smsim

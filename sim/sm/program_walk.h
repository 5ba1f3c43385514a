// How a warp goes through its program: to the next instruction, through the ends and beginnings of regions.
// A split divides the warp's lanes; where both sides have some, they go one after the other (divergence:
// stack) or as two paths (independent), until they meet again behind the split.
#pragma once

#include "sm/bound_program.h"
#include "sm/warp.h"

#include <memory>

namespace smsim {

/// Scoreboards for paths. A path takes one when it comes about and gives it back when it ends.
class ScoreboardPool {
 public:
  explicit ScoreboardPool(std::uint32_t registers) : registers_(registers) {}

  std::uint64_t* take_copy(const std::uint64_t* of);
  void give_back(std::uint64_t* scoreboard) { free_.push_back(scoreboard); }
  [[nodiscard]] std::uint32_t registers() const { return registers_; }

 private:
  std::uint32_t registers_;
  std::vector<std::unique_ptr<std::uint64_t[]>> all_;
  std::vector<std::uint64_t*> free_;
};

class ProgramWalk {
 public:
  explicit ProgramWalk(const BoundProgram& program) : program_(program), scoreboards_(program.register_count)
  {
  }

  /// Brings the path that the warp is on to `position`, where regions may end, repeat and begin. A loop that
  /// is entered or repeated here and ends again before any instruction was reached has an empty body for
  /// this warp: it is left at once, whatever its count. At the end of the program pc is the number of ops.
  ///
  /// The answer is whether other lanes than before are active. If paths came about or ended, the warp is on
  /// the first in the order of the program of those that do not wait at a join.
  bool go_to(Warp& warp, std::uint32_t position);

  /// Brings a warp to the first instruction of its program, or of its part of `trace`.
  void start(Warp& warp, const std::shared_ptr<const TraceBlock>& trace = {});

  /// Brings the path behind the instruction that it has issued.
  bool advance(Warp& warp)
  {
    if (!program_.ops[warp.pc].region_edge) {
      ++warp.pc;
      return false;
    }
    if (program_.ops[warp.pc].loops) {
      Frame& loop = warp.frames[warp.depth - 1];
      if (++loop.iteration < loop.count) {
        warp.pc = program_.ops[warp.pc].loop_begin;
      } else {
        --warp.depth;
        ++warp.pc;
      }
      return false;
    }
    return go_to(warp, warp.pc + 1);
  }

  /// The active lanes leave the program. False if they were the last of the warp.
  bool exit_lanes(Warp& warp);

 private:
  bool follow_trace(Warp& warp) const;
  void walk(Warp& warp, std::uint32_t position, std::uint32_t fresh);
  bool leave_side(Warp& warp, std::uint32_t& position);
  bool enter_split(Warp& warp, std::uint32_t index, std::uint32_t& position, std::uint32_t fresh);
  void split_off(const Path& path, Warp& warp, const Frame& frame, std::uint32_t lanes, std::uint32_t fresh);
  bool join(Warp& warp, std::uint32_t region);
  bool exit_path(Warp& warp);
  bool settle_paths(Warp& warp);
  [[nodiscard]] std::uint32_t side_end(const Frame& frame) const
  {
    const Region& region = program_.regions[frame.region];
    return region.kind == Region::Kind::loop || frame.in_else ? region.end : region.middle;
  }

  const BoundProgram& program_;
  ScoreboardPool scoreboards_;
  bool lanes_changed_ = false;
  bool paths_changed_ = false;
  struct Unwalked {  ///< a path that has just come about: it is known by its scoreboard
    std::uint64_t* ready;
    std::uint32_t fresh;
  };
  std::vector<Unwalked> unwalked_;
};

}  // namespace smsim

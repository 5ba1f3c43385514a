// One resident warp: where it is in its program, when its registers are readable, what it waits for.
#pragma once

#include "base/ids.h"
#include "sm/dependence_counters.h"
#include "stats/warp_states.h"
#include "workload/program.h"

#include <array>
#include <cstdint>

namespace smsim {

/// Why a blocked warp cannot issue, as a sequence of spans: it is in `state` until (not including) `until`.
/// The last span ends where the warp may issue, as far as it alone decides.
struct Verdict {
  struct Span {
    Cycle until;
    WarpState state;
  };
  std::uint32_t count = 0;
  Cycle until{0};  ///< of the last span
  std::array<Span, 8> spans;

  /// In `state` from the end of the spans so far until `end`, if that is later.
  void add(Cycle end, WarpState state)
  {
    if (end <= until) return;
    spans[count] = {end, state};
    ++count;
    until = end;
  }
};

/// What an instruction holds its warp back with, apart from results: each until (not including) a cycle, in
/// the order of precedence of the states.
struct Holds {
  Cycle barrier{0};
  Cycle fence{0};  ///< membar
  Cycle sleep{0};
  Cycle fetch{0};  ///< the next instruction comes (no_instruction)
  Cycle branch{0};
  Cycle stall{0};
  WarpState stall_state = WarpState::wait;
};

/// A loop that a warp is in.
struct LoopFrame {
  std::uint32_t loop;
  std::uint64_t iteration;
  std::uint64_t count;
};

struct Warp {
  enum class Phase : std::uint8_t { absent, running, at_barrier, leaving, gone };

  std::uint64_t* ready = nullptr;        ///< scoreboard: for each dense register, see scoreboard.h
  std::uint64_t* repetitions = nullptr;  ///< for each draw site, how often it was drawn
  std::uint32_t pc = 0;
  std::uint32_t depth = 0;  ///< loops it is in
  Phase phase = Phase::absent;
  Cycle blocked_since{0};         ///< first cycle not yet charged to a state, while it is in no issue group
  Verdict verdict;                ///< while it waits in the wake queue
  Cycle accesses_done{0};         ///< when the last of its memory accesses is done
  Holds holds;                    ///< of its last instruction
  bool constant_fetched = false;  ///< its next instruction's immediate constant was asked for
  BlockId block{0};
  std::uint32_t warp_in_block = 0;
  std::uint32_t block_slot = 0;  ///< of the SM
  std::uint8_t barrier = 0;      ///< where it waits, in phase at_barrier

  // Rarely touched, so last.
  DependenceCounters counters;
  std::array<LoopFrame, max_loop_depth> frames;
};

}  // namespace smsim

// One resident warp: where it is in its program, when its registers are readable, what it waits for; and the
// same for each of its paths, if its lanes have diverged.
#pragma once

#include "base/ids.h"
#include "sm/dependence_counters.h"
#include "stats/warp_states.h"
#include "workload/kernel_trace.h"
#include "workload/program.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

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
  std::array<Span, 12> spans;

  /// In `state` from the end of the spans so far until `end`, if that is later.
  void add(Cycle end, WarpState state)
  {
    if (end <= until) return;
    spans[count] = {end, state};
    ++count;
    until = end;
  }

  /// Tells `charged(state, from, until)` what a warp is between `from` and `end`; the answer is where that
  /// ends.
  template <class Charge>
  Cycle charge(Cycle from, Cycle end, Charge charged) const
  {
    for (std::uint32_t i = 0; i < count; ++i) {
      const Cycle span_end = std::min(spans[i].until, end);
      if (span_end <= from) continue;
      charged(spans[i].state, from, span_end);
      from = span_end;
    }
    return from;
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

/// A region that a path is in.
struct Frame {
  std::uint32_t region;
  bool in_else = false;         ///< split: on its second side
  std::uint32_t waiting = 0;    ///< split, divergence: stack: lanes whose side comes later
  std::uint32_t joined = 0;     ///< split, divergence: stack: lanes that are through
  std::uint64_t iteration = 0;  ///< loop
  std::uint64_t count = 0;      ///< loop
};

/// Lanes of a warp that go through the program together. A warp has one path, unless it has diverged under
/// divergence: independent.
struct Path {
  std::uint64_t* ready = nullptr;  ///< scoreboard: for each dense register, see scoreboard.h
  std::uint32_t pc = 0;
  std::uint32_t depth = 0;        ///< regions it is in
  std::uint32_t lanes = 0;        ///< active lanes
  bool constant_fetched = false;  ///< its next instruction's immediate constant was asked for
  bool at_join = false;           ///< waits behind a split for the lanes of the other side
  bool moved = false;  ///< its verdict is yet to be found; a warp that has always had one path never keeps it
  Verdict verdict;     ///< why it waits, while its warp waits in the wake queue
  Holds holds;         ///< of its last instruction

  // Rarely touched, so last.
  std::uint32_t fetched_place = 0;  ///< in the code, of the instruction that was fetched last
  // The next three: only of a warp with several paths.
  bool flickers = false;  ///< can issue at `flicker_at`, and then waits until `ready_from`
  Cycle flicker_at{0};
  Cycle ready_from{0};
  DependenceCounters counters;
  std::array<Frame, max_region_depth> frames;
};

/// What all paths of a warp share.
struct WarpCommon {
  enum class Phase : std::uint8_t { absent, running, at_barrier, leaving, gone };

  TraceCursor trace;                     ///< of a traced program: at the instruction that it executes next
  std::uint64_t* repetitions = nullptr;  ///< for each draw site, how often it was drawn
  Cycle blocked_since{0};  ///< first cycle not yet charged to a state, while it is in no issue group
  Cycle accesses_done{0};  ///< when the last of its memory accesses is done
  BlockId block{0};
  std::uint32_t warp_in_block = 0;
  std::uint32_t block_slot = 0;  ///< of the SM
  Phase phase = Phase::absent;
  std::uint8_t barrier = 0;  ///< where it waits, in phase at_barrier
};

/// A warp is on one of its paths: only that one can issue, and its state is the warp's.
struct Warp : WarpCommon, Path {
  std::vector<Path> others;  ///< the paths that it is not on

  /// Lets it go on with one of the others.
  void turn_to(Path& other) { std::swap(static_cast<Path&>(*this), other); }
};

}  // namespace smsim

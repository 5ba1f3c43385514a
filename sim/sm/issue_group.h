// Warps of one sub-partition that could issue but for one unit: those whose next instruction goes to the same
// math pipe, to shared memory, to global memory, or needs no unit. Either all of them may issue or none, so
// they are kept and charged as a set: the work does not grow with the number of waiting warps.
#pragma once

#include "base/ids.h"
#include "stats/warp_states.h"

#include <algorithm>
#include <bit>

namespace smsim {

struct IssueGroup {
  WarpMask warps = 0;
  Cycle free_at{0};                              ///< first cycle in which the unit takes an instruction
  Cycle charged{0};                              ///< the warps are charged for every cycle before this one
  WarpState throttle = WarpState::not_selected;  ///< what they are charged while the unit is busy

  /// Charges the warps for the cycles up to (not including) `until`: the unit busy, the sub-partition held
  /// back by register ports before `dispatch_free`, or another warp selected.
  void charge(Cycle until, Cycle dispatch_free, StateCycles& states)
  {
    charge(until, dispatch_free, [&](WarpState state, Cycle from, Cycle end) {
      states[index_of(state)] += static_cast<std::uint64_t>(std::popcount(warps)) * (end - from);
    });
  }

  /// The same, told to `span(state, from, until)`.
  template <class Span>
  void charge(Cycle until, Cycle dispatch_free, Span told)
  {
    if (charged >= until) return;
    if (warps != 0) {
      Cycle from = charged;
      const auto span = [&](Cycle end, WarpState state) {
        end = std::min(end, until);
        if (end <= from) return;
        told(state, from, end);
        from = end;
      };
      span(free_at, throttle);
      span(dispatch_free, WarpState::dispatch_stall);
      span(until, WarpState::not_selected);
    }
    charged = until;
  }
};

}  // namespace smsim

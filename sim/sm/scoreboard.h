// When a register is readable, and what a warp that waits for it is charged. One number for both: the cycle
// in the upper bits and a rank in the lowest four, so that the latest result of several is their maximum, and
// of results of the same cycle the one whose state comes first in the table of states wins.
#pragma once

#include "base/ids.h"
#include "stats/warp_states.h"

#include <cstdint>

namespace smsim {

using ReadyKey = std::uint64_t;

static_assert(warp_state_count <= 16);

constexpr ReadyKey make_ready(Cycle when, WarpState state)
{
  return (when.value() << 4U) | (15U - index_of(state));
}
constexpr Cycle ready_cycle(ReadyKey key) { return Cycle{key >> 4U}; }
constexpr WarpState ready_state(ReadyKey key) { return static_cast<WarpState>(15U - (key & 15U)); }

}  // namespace smsim

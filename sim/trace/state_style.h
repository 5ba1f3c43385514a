// How a warp's state looks: a letter, a terminal's colour (SGR), a colour in a picture. The letter alone
// tells states apart.
#pragma once

#include "stats/warp_states.h"

namespace smsim {

struct StateStyle {
  char letter;
  std::string_view terminal;
  std::string_view picture;
};

/// In the order of warp_state_table.
inline constexpr std::array<StateStyle, warp_state_count> state_styles{{
    {'I', "1;32", "#1a9850"},  // selected: issues
    {'B', "35", "#9467bd"},    // barrier
    {'M', "95", "#c5b0d5"},    // membar
    {'Z', "90", "#bdbdbd"},    // sleeping
    {'D', "90", "#d9d9d9"},    // drain
    {'F', "36", "#17becf"},    // no_instruction: fetch
    {'J', "96", "#9edae5"},    // branch_resolving: jump
    {'w', "33", "#f6e8a0"},    // wait
    {'L', "31", "#d62728"},    // long_scoreboard
    {'S', "91", "#ff9896"},    // short_scoreboard
    {'C', "93", "#e377c2"},    // imc_miss: constant
    {'P', "34", "#1f77b4"},    // math_pipe_throttle
    {'Q', "94", "#8c564b"},    // mio_throttle: queue
    {'G', "94", "#c49c94"},    // lg_throttle
    {'R', "93", "#ff7f0e"},    // dispatch_stall: register ports
    {'n', "32", "#b8e0b0"},    // not_selected
}};

constexpr const StateStyle& style(WarpState state) { return state_styles[index_of(state)]; }

}  // namespace smsim

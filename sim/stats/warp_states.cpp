#include "stats/warp_states.h"

namespace smsim {

std::optional<WarpState> warp_state_of(std::string_view key)
{
  for (const WarpStateInfo& entry : warp_state_table)
    if (entry.key == key) return entry.state;
  return std::nullopt;
}

}  // namespace smsim

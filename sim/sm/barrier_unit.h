// The named barriers of one resident block. Told in the issue phase of an arrival and in retire of an exit;
// answers when the barrier opens. It waits for all warps of the block that have not exited, or for the number
// that the instruction names.
#pragma once

#include "base/ids.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace smsim {

class BarrierUnit {
 public:
  struct Barrier {
    std::uint32_t arrived = 0;
    std::uint32_t expected = 0;  ///< 0: all warps that have not exited
    Cycle last_arrival{0};
    std::uint32_t latency = 0;
  };

  void reset(std::uint32_t barriers, std::uint32_t warps)
  {
    barriers_.assign(barriers, Barrier{});
    live_warps_ = warps;
  }

  /// A warp arrives at `now`. The answer is the cycle in which the barrier opens, if that warp opened it.
  std::optional<Cycle> arrive(std::uint8_t number, std::uint32_t expected, std::uint32_t latency, Cycle now)
  {
    Barrier& barrier = barriers_[number];
    ++barrier.arrived;
    barrier.expected = expected;
    barrier.latency = std::max(barrier.latency, latency);  // bar.arrive brings none
    barrier.last_arrival = now;
    return open_if_complete(barrier, now);
  }

  /// A warp has left: that may complete a barrier that waits for all. Calls `opened(number, cycle)` for each.
  template <class Opened>
  void exit(Cycle now, Opened opened)
  {
    --live_warps_;
    for (std::size_t number = 0; number < barriers_.size(); ++number) {
      Barrier& barrier = barriers_[number];
      if (barrier.arrived == 0) continue;
      if (const auto when = open_if_complete(barrier, now)) opened(static_cast<std::uint8_t>(number), *when);
    }
  }

  [[nodiscard]] std::uint32_t live_warps() const { return live_warps_; }
  [[nodiscard]] const Barrier& barrier(std::uint8_t number) const { return barriers_[number]; }

 private:
  std::optional<Cycle> open_if_complete(Barrier& barrier, Cycle now) const
  {
    const std::uint32_t needed = barrier.expected ? barrier.expected : live_warps_;
    if (barrier.arrived < needed) return std::nullopt;
    barrier.arrived = 0;
    return std::max(barrier.last_arrival + std::exchange(barrier.latency, 0), now);
  }

  std::vector<Barrier> barriers_;
  std::uint32_t live_warps_ = 0;
};

}  // namespace smsim

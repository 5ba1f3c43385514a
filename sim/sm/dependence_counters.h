// The six dependence counters of a warp (dependencies: control_bits): raised at issue, lowered when the
// result is readable (write counter) or the sources have been read (read counter). A counter that is raised
// at t is visible from t + 2 on: the warp's very next issue slot does not see it yet. Source: Huerta et al.,
// MICRO'25, section 4.
#pragma once

#include "sm/scoreboard.h"
#include "sm/state_key.h"
#include "workload/program.h"

#include <algorithm>
#include <array>

namespace smsim {

class DependenceCounters {
 public:
  void raise(std::int8_t counter, Cycle now, Cycle lowered, WarpState state)
  {
    if (counter < 0) return;
    Counter& c = counters_[static_cast<unsigned char>(counter)];
    if (!(c.raised == now && c.ever)) c.before = c.zero_at;
    c.zero_at = std::max(c.zero_at, make_ready(lowered, state));
    c.raised = now;
    c.ever = true;
  }

  /// Takes over what another path of the warp has raised, in an earlier cycle than the last raise here.
  void join(const DependenceCounters& earlier)
  {
    for (std::size_t i = 0; i < counters_.size(); ++i) {
      const Counter& other = earlier.counters_[i];
      Counter& c = counters_[i];
      c.zero_at = std::max(c.zero_at, other.zero_at);
      c.before = std::max(c.before, other.zero_at);
      c.ever = c.ever || other.ever;
    }
  }

  /// When all counters of the mask are 0, as seen in cycle `at`, and what a warp is charged until then.
  [[nodiscard]] ReadyKey zero_at(std::uint8_t mask, Cycle at) const
  {
    ReadyKey latest = 0;
    for (std::size_t i = 0; i < counters_.size(); ++i) {
      if ((mask & (1U << i)) == 0) continue;
      const Counter& c = counters_[i];
      const bool visible = c.ever && at >= c.raised + 2;
      latest = std::max(latest, visible ? c.zero_at : c.before);
    }
    return latest;
  }

  void append_to(StateKey& key) const
  {
    for (const Counter& counter : counters_) {
      key.time(ready_cycle(counter.zero_at));
      key.time(ready_cycle(counter.before));
      // What was raised is visible two cycles later.
      if (counter.ever) key.time(counter.raised + 2);
    }
  }

 private:
  struct Counter {
    ReadyKey zero_at = 0;
    ReadyKey before = 0;  ///< without what was raised last
    Cycle raised{0};
    bool ever = false;
  };
  std::array<Counter, dependence_counters> counters_{};
};

}  // namespace smsim

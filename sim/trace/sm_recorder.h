// Makes a listener's events of what the units of one SM report. A unit charges a warp's cycles late, when it
// knows its state, so reports come in the order of each warp but not of the SM: they are kept until the SM
// has caught up with its clock, and then go to the listener in the order of time.
//
// Asked by the units only where somebody listens.
#pragma once

#include "trace/listener.h"

#include <cassert>
#include <vector>

namespace smsim {

class SmRecorder {
 public:
  SmRecorder(TraceListener& listener, std::uint32_t sm, std::uint32_t sub_partitions, std::uint32_t slots);

  struct Place {
    std::uint32_t sub_partition;
    WarpSlot slot;
  };
  /// A block comes at `now`; launch_warp follows for each of its warps, in the order of their numbers.
  void launch(BlockId block, Cycle now);
  void launch_warp(Place place, BlockId block, std::uint32_t warp, Cycle now);
  void end_block(BlockId block, Cycle launched, Cycle now);
  void warp_left(Place place, Cycle now);

  /// The warp in this slot was in `state` from `from` until (not including) `until`. What was said of it
  /// before stands.
  void charge(Place place, WarpState state, [[maybe_unused]] Cycle from, Cycle until)
  {
    Slot& slot = at(place);
    assert(from <= slot.until);
    if (until <= slot.until) return;
    if (!slot.has_state || slot.state != state) step(slot, state);
    slot.until = until;
  }

  void issue(Place place, Cycle now, std::uint32_t pc, std::uint32_t lanes, Cycle ready);
  void access(Place place, Cycle now, std::uint32_t pc, Cycle departure, Cycle ready, bool shared);
  void arrive(Place place, std::uint32_t barrier, bool waits, Cycle now);
  void open_barrier(BlockId block, std::uint32_t barrier, Cycle opens);

  /// Every warp is charged up to `now`: gives the listener all that happened before.
  void deliver(Cycle now);
  /// The run ends at `end`: gives it the rest, and the spans that are cut there.
  void finish(Cycle end);

 private:
  /// In the order in which they come in a cycle.
  enum class Kind : std::uint8_t {
    left,
    block_end,
    launch,
    opening,
    step,
    issue,
    access,
    arrival,
    departed,
    done
  };
  struct Key {
    Cycle cycle;
    Kind kind;
    std::uint32_t index;  ///< among the events of its kind
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Slot {
    TracedWarp warp;
    bool has_state = false;
    WarpState state = WarpState::wait;
    Cycle until{0};
  };
  struct Launched {
    BlockLaunch launch;
    std::vector<TracedWarp> warps;
  };

  [[nodiscard]] std::size_t index_of_slot(const TracedWarp& warp) const
  {
    return std::size_t{warp.sub_partition} * slots_ + warp.slot;
  }
  Slot& at(Place place) { return recorded_[std::size_t{place.sub_partition} * slots_ + place.slot.value()]; }
  void step(Slot& slot, WarpState state);
  template <class Event>
  void keep(Kind kind, Cycle cycle, std::vector<Event>& events, Event event);
  void deliver_before(Cycle end);
  void give(const Key& key);
  void give_step(const WarpStep& step);
  void count(const std::optional<WarpState>& state, std::int32_t by);
  void give_counters();

  TraceListener& listener_;
  std::uint32_t sm_;
  std::uint32_t slots_;
  std::vector<Slot> recorded_;  ///< up to what was charged last

  std::vector<Key> keys_;  ///< of all that is kept
  std::vector<WarpStep> steps_;
  std::vector<InstructionIssue> issues_;
  std::vector<MemoryAccess> accesses_;
  std::vector<Launched> launches_;
  std::vector<BlockEnd> block_ends_;
  std::vector<BarrierArrival> arrivals_;
  std::vector<BarrierOpening> openings_;

  struct Open {
    std::optional<WarpState> state;
    Cycle from{0};
    TracedWarp warp;
  };
  std::vector<Open> open_;  ///< up to what was delivered last
  SmCounters counters_;
  SmCounters given_;
  Cycle counted_{0};
};

}  // namespace smsim

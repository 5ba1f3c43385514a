// SMs whose time goes on together: one SM; or, where thread-block clusters are launched, those of a GPC,
// which take a cluster as a whole. Groups share nothing but the dispatcher, so each goes on by itself up to
// the next cycle in which it has room, whatever cycle the others are in.
//
// A group stands in its cycle `now` between the dispatch and the issue phase: retire(now) is done, and what
// is launched before run() is called again is launched at `now`.
#pragma once

#include "sm/sm.h"

#include <atomic>
#include <memory>

namespace smsim {

class SmGroup {
 public:
  /// Why run() came back.
  enum class Stop {
    room,         ///< the next blocks fit
    ended,        ///< nothing is resident, and nothing comes
    stuck,        ///< warps wait for each other and will do so for ever
    bound,        ///< `now` is the bound
    interrupted,  ///< by the stop flag
  };

  /// `count` SMs, numbers `first` and up, that launch `cluster` blocks at a time.
  SmGroup(const RunInputs& inputs, std::uint32_t first, std::uint32_t count, std::uint32_t cluster);

  [[nodiscard]] Cycle now() const { return now_; }
  /// The last cycle in which something happened here.
  [[nodiscard]] Cycle last_event() const { return last_event_; }
  /// Whether the next blocks fit at `now`.
  [[nodiscard]] bool has_room();
  /// Grants it a cluster: blocks `first`, `first` + 1 ..., which go to its SMs in turn, or with `depth_first`
  /// to the first SM with room. They are launched, at `now`, by the thread that runs the group.
  void grant(BlockId first, bool depth_first);

  /// Goes on to the next cycle in which it has room, if more blocks may come; else to the end. `clock` is
  /// kept at a cycle before which it will not stop.
  Stop run(Cycle bound, bool more_may_come, const std::atomic<bool>* stop, std::atomic<std::uint64_t>& clock);

  /// Empty until the first launch. An SM that never had a block was never made.
  [[nodiscard]] std::vector<std::unique_ptr<Sm>>& sms() { return sms_; }
  [[nodiscard]] std::uint32_t size() const { return count_; }

 private:
  [[nodiscard]] bool is_empty() const;
  [[nodiscard]] Cycle next_event() const;
  [[nodiscard]] Cycle next_launch() const;
  void launch_granted();
  void launch(BlockId first, bool depth_first);
  [[nodiscard]] std::uint64_t count_room();

  const RunInputs& inputs_;
  std::uint32_t first_;
  std::uint32_t count_;
  std::uint32_t cluster_;
  std::vector<std::unique_ptr<Sm>> sms_;
  std::uint32_t next_sm_ = 0;  ///< after the one that got a block last
  struct Grant {
    BlockId first;
    bool depth_first;
  };
  std::vector<Grant> granted_;  ///< not launched yet
  std::uint64_t room_;          ///< for so many clusters, those that are granted included
  Cycle now_{0};
  Cycle last_event_{0};
};

}  // namespace smsim

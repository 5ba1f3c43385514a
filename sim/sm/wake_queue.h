// When which warp of a sub-partition is to be looked at again. Filled in the issue phase, emptied in retire.
//
// Waits shorter than 64 cycles, nearly all of them, are bits in a ring of 64 masks; longer ones are in a heap
// of at most 64 entries. So a wake-up costs the same however long the wait was.
#pragma once

#include "base/ids.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace smsim {

class WakeQueue {
 public:
  /// Warp `slot` is to be woken at `when`, after `now`. A warp is in the queue once at most.
  void add(WarpSlot slot, Cycle when, Cycle now)
  {
    if (when - now < ring_size) {
      const std::uint64_t place = when.value() % ring_size;
      ring_[place] |= bit(slot);
      occupied_ |= std::uint64_t{1} << place;
    } else {
      heap_.push_back({when, slot});
      std::push_heap(heap_.begin(), heap_.end(), later);
    }
  }

  /// The first wake-up after `now`, or never. All wake-ups up to `now` must have been taken.
  [[nodiscard]] Cycle next(Cycle now) const
  {
    Cycle first = heap_.empty() ? never : heap_.front().when;
    if (occupied_ != 0) {
      const auto start = static_cast<int>((now.value() + 1) % ring_size);
      const auto ahead = static_cast<std::uint64_t>(std::countr_zero(std::rotr(occupied_, start)));
      first = std::min(first, now + (ahead + 1));
    }
    return first;
  }

  /// Whether a warp wakes at `now`.
  [[nodiscard]] bool is_due(Cycle now) const
  {
    return ((occupied_ >> (now.value() % ring_size)) & 1U) != 0 ||
           (!heap_.empty() && heap_.front().when == now);
  }

  /// Takes the warps that wake at `now`.
  WarpMask take(Cycle now)
  {
    const std::uint64_t place = now.value() % ring_size;
    WarpMask woken = ring_[place];
    ring_[place] = 0;
    occupied_ &= ~(std::uint64_t{1} << place);
    while (!heap_.empty() && heap_.front().when == now) {
      woken |= bit(heap_.front().slot);
      std::pop_heap(heap_.begin(), heap_.end(), later);
      heap_.pop_back();
    }
    return woken;
  }

 private:
  static constexpr std::uint64_t ring_size = 64;

  struct Entry {
    Cycle when;
    WarpSlot slot;
  };
  static bool later(const Entry& a, const Entry& b) { return a.when > b.when; }

  WarpMask ring_[ring_size] = {};
  std::uint64_t occupied_ = 0;
  std::vector<Entry> heap_;
};

}  // namespace smsim

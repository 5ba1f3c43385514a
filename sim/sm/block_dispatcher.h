// Hands out the grid's blocks in order, one by one as room frees, to the SMs in turn: each gets one block
// before any gets its second. Runs in the dispatch phase. A block needs all of its resources at once; the
// first that fits nowhere holds up the rest, since blocks launch in grid order.
#pragma once

#include "sm/sm.h"

#include <deque>

namespace smsim {

class BlockDispatcher {
 public:
  explicit BlockDispatcher(std::uint64_t blocks) : blocks_(blocks) {}

  void dispatch(std::deque<Sm>& sms, Cycle now);

  [[nodiscard]] bool all_launched() const { return next_ == blocks_; }

 private:
  std::uint64_t blocks_;
  std::uint64_t next_ = 0;
  std::size_t next_sm_ = 0;
};

}  // namespace smsim

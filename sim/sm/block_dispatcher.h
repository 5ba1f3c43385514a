// Hands out the grid's blocks, or clusters of them, in launch order, one by one as room frees, to the SM
// groups that have room. Breadth first: in turn, each gets one before any gets its second; depth first: to
// the first with room. Runs in the dispatch phase. All blocks need the same, and whatever a launch needs it
// needs at once.
#pragma once

#include "sm/launch_order.h"
#include "sm/sm_group.h"

#include <vector>

namespace smsim {

class BlockDispatcher {
 public:
  /// `groups`: how many SM groups there are.
  BlockDispatcher(LaunchOrder order, std::uint64_t clusters, std::uint32_t cluster, FillOrder fill,
                  std::size_t groups)
      : order_(std::move(order)), clusters_(clusters), cluster_(cluster), fill_(fill), groups_(groups)
  {
  }

  struct Candidate {
    std::size_t index;  ///< among all groups
    SmGroup* group;
  };
  /// All the groups that have room in one cycle, in ascending order of index.
  void dispatch(std::vector<Candidate>& candidates);

  [[nodiscard]] bool all_launched() const { return next_ == clusters_; }

 private:
  LaunchOrder order_;
  std::uint64_t clusters_;
  std::uint32_t cluster_;
  FillOrder fill_;
  std::size_t groups_;
  std::uint64_t next_ = 0;
  std::size_t next_group_ = 0;  ///< after the one served last
};

}  // namespace smsim

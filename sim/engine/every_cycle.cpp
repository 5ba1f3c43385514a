// The engine that visits every cycle: the oracle for the event engine.
#include "engine/plain_sm.h"

#include <algorithm>
#include <deque>

namespace smsim {
namespace {

class PlainGpu {
 public:
  explicit PlainGpu(const RunPlan& plan) : plan_(plan), order_(plan.launch_order())
  {
    for (std::uint32_t i = 0; i < plan.sms; ++i)
      sms_.emplace_back(plan.inputs);
    std::size_t first = 0;
    for (const std::uint32_t size : plan.group_sizes) {
      groups_.push_back({first, size});
      first += size;
    }
  }

  EngineResult run()
  {
    EngineResult result;
    Cycle now{0};
    for (;; ++now) {
      for (PlainSm& sm : sms_)
        sm.retire(now);
      const bool all_empty =
          std::all_of(sms_.begin(), sms_.end(), [](const PlainSm& sm) { return sm.empty(); });
      if (all_empty && all_launched()) break;
      if (now >= plan_.bound || plan_.is_stopped()) {
        result.stopped_early = true;
        break;
      }
      if (!all_launched()) {
        dispatch(now);
        if (all_launched()) {
          result.tail_start = now.value();
          for (PlainSm& sm : sms_)
            sm.start_tail();
        }
      }
      for (PlainSm& sm : sms_) {
        sm.issue(now);
        sm.account();
      }
      if (!alive()) throw RunError(deadlock_report(plan_, now, waiting_warps()));
    }
    result.cycles = now.value();
    if (!all_launched()) result.tail_start = now.value();
    for (PlainSm& sm : sms_) {
      sm.finish();
      result.sms.push_back(sm.result);
    }
    return result;
  }

 private:
  struct Group {
    std::size_t first;
    std::uint32_t size;
    std::uint32_t next = 0;  ///< of its SMs: after the one that got a block last
  };

  [[nodiscard]] bool all_launched() const { return launched_ == plan_.clusters(); }

  /// One cluster for each group in turn, and again, until none has room.
  void dispatch(Cycle now)
  {
    const bool depth_first = plan_.inputs.arch.dispatch.fill == FillOrder::depth_first;
    bool placed = true;
    while (placed && !all_launched()) {
      placed = false;
      const std::size_t start = depth_first ? 0 : next_group_;
      for (std::size_t step = 0; step < groups_.size() && !all_launched(); ++step) {
        const std::size_t index = (start + step) % groups_.size();
        if (!has_room(groups_[index], now)) continue;
        launch(groups_[index], now);
        next_group_ = (index + 1) % groups_.size();
        placed = true;
        if (depth_first) break;
      }
    }
  }

  [[nodiscard]] bool has_room(const Group& group, std::optional<Cycle> now) const
  {
    std::uint32_t room = 0;
    for (std::size_t i = 0; i < group.size; ++i)
      if (const PlainSm& sm = sms_[group.first + i]; !now || sm.may_launch(*now))
        room += sm.room(plan_.cluster());
    return room >= plan_.cluster();
  }

  void launch(Group& group, Cycle now)
  {
    const bool depth_first = plan_.inputs.arch.dispatch.fill == FillOrder::depth_first;
    const std::uint64_t first = order_[launched_++] * plan_.cluster();
    std::vector<bool> may(group.size);
    for (std::uint32_t i = 0; i < group.size; ++i)
      may[i] = sms_[group.first + i].may_launch(now);
    std::uint32_t at = depth_first ? 0 : group.next;
    for (std::uint32_t block = 0; block < plan_.cluster();) {
      PlainSm& sm = sms_[group.first + at];
      const bool fits = may[at] && sm.room(1) == 1;
      if (fits) {
        sm.launch(BlockId{first + block++}, now);
        group.next = (at + 1) % group.size;
      }
      if (!fits || !depth_first) at = (at + 1) % group.size;
    }
  }

  /// Whether a warp can go on, or a launch interval ends that keeps blocks back.
  [[nodiscard]] bool alive() const
  {
    if (std::any_of(sms_.begin(), sms_.end(), [](const PlainSm& sm) { return sm.alive(); })) return true;
    return !all_launched() && std::any_of(groups_.begin(), groups_.end(),
                                          [&](const Group& group) { return has_room(group, std::nullopt); });
  }

  [[nodiscard]] std::vector<std::vector<WarpReport>> waiting_warps() const
  {
    std::vector<std::vector<WarpReport>> warps;
    for (const PlainSm& sm : sms_)
      warps.push_back(sm.waiting_warps());
    return warps;
  }

  const RunPlan& plan_;
  LaunchOrder order_;
  std::deque<PlainSm> sms_;
  std::vector<Group> groups_;
  std::uint64_t launched_ = 0;
  std::size_t next_group_ = 0;
};

}  // namespace

EngineResult run_every_cycle(const RunPlan& plan) { return PlainGpu(plan).run(); }

}  // namespace smsim

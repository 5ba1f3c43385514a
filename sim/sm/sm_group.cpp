#include "sm/sm_group.h"

#include <algorithm>

namespace smsim {

SmGroup::SmGroup(const RunInputs& inputs, std::uint32_t first, std::uint32_t count, std::uint32_t cluster)
    : inputs_(inputs), first_(first), count_(count), cluster_(cluster), room_(count_room())
{
}

/// Clusters that can be launched at `now`; of several SMs only whether it is one.
std::uint64_t SmGroup::count_room()
{
  const bool one_at_a_time = inputs_.arch.dispatch.launch_interval > 0 || count_ > 1;
  if (sms_.empty()) {
    const Resources empty(inputs_.arch, inputs_.kernel, inputs_.occupancy);
    const std::uint64_t clusters = std::uint64_t{empty.room(inputs_.arch.sm.max_blocks)} * count_ / cluster_;
    return one_at_a_time ? std::min<std::uint64_t>(clusters, 1) : clusters;
  }
  if (!one_at_a_time) return sms_.front()->room(inputs_.arch.sm.max_blocks);
  std::uint32_t blocks = 0;
  for (const auto& sm : sms_) {
    if (sm->may_launch(now_)) blocks += sm->room(cluster_ - blocks);
    if (blocks == cluster_) return 1;
  }
  return 0;
}

bool SmGroup::has_room()
{
  if (granted_.size() < room_) return true;
  if (count_ == 1) return false;
  launch_granted();
  room_ = count_room();
  return room_ > 0;
}

void SmGroup::grant(BlockId first, bool depth_first) { granted_.push_back({first, depth_first}); }

void SmGroup::launch_granted()
{
  if (granted_.empty()) return;
  while (sms_.size() < count_)
    sms_.push_back(std::make_unique<Sm>(inputs_, first_ + static_cast<std::uint32_t>(sms_.size())));
  for (const Grant& grant : granted_)
    launch(grant.first, grant.depth_first);
  granted_.clear();
  room_ = 0;
}

void SmGroup::launch(BlockId first, bool depth_first)
{
  std::vector<std::uint32_t>
      takers;  // a cluster counts as one launch: its second block on an SM waits for nothing
  for (std::uint32_t step = 0; step < count_; ++step) {
    const std::uint32_t index = depth_first ? step : (next_sm_ + step) % count_;
    if (sms_[index]->may_launch(now_)) takers.push_back(index);
  }
  std::uint32_t launched = 0;
  while (launched < cluster_)
    for (const std::uint32_t index : takers)
      while (launched < cluster_ && sms_[index]->fits()) {
        sms_[index]->launch(first + launched++, now_);
        next_sm_ = (index + 1) % count_;
        if (!depth_first) break;
      }
}

bool SmGroup::is_empty() const
{
  return std::all_of(sms_.begin(), sms_.end(), [](const auto& sm) { return sm->empty(); });
}

Cycle SmGroup::next_event() const
{
  Cycle next = never;
  for (const auto& sm : sms_)
    next = std::min(next, sm->next_event());
  return next;
}

/// When a launch interval ends.
Cycle SmGroup::next_launch() const
{
  Cycle next = never;
  for (const auto& sm : sms_)
    if (sm->next_launch() > now_) next = std::min(next, sm->next_launch());
  return next;
}

SmGroup::Stop SmGroup::run(Cycle bound, bool more_may_come, const std::atomic<bool>* stop,
                           std::atomic<std::uint64_t>& clock)
{
  constexpr unsigned visits_between_news = 16;
  launch_granted();
  for (unsigned visits = 0;; ++visits) {
    if (!more_may_come && is_empty()) return Stop::ended;
    if (now_ >= bound) return Stop::bound;
    if (stop && stop->load(std::memory_order_relaxed)) return Stop::interrupted;
    for (const auto& sm : sms_)
      sm->issue(now_);
    const Cycle event = next_event();
    const Cycle next = more_may_come ? std::min(event, next_launch()) : event;
    if (next == never) return is_empty() ? Stop::ended : Stop::stuck;
    now_ = std::min(next, bound);
    if (event == now_) last_event_ = now_;
    if (visits % visits_between_news == 0) clock.store(now_.value(), std::memory_order_release);
    for (const auto& sm : sms_)
      sm->retire(now_);
    if (more_may_come && now_ < bound) {
      room_ = count_room();
      if (room_ > 0) return Stop::room;
    }
  }
}

}  // namespace smsim

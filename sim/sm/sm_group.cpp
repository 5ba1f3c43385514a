#include "sm/sm_group.h"

#include <algorithm>

namespace smsim {

SmGroup::SmGroup(const RunInputs& inputs, std::uint32_t count, std::uint32_t cluster)
    : inputs_(inputs), count_(count), cluster_(cluster)
{
}

void SmGroup::make_sms()
{
  for (std::uint32_t i = 0; i < count_; ++i)
    sms_.push_back(std::make_unique<Sm>(inputs_));
}

bool SmGroup::has_room()
{
  if (sms_.empty()) return inputs_.occupancy.blocks_per_sm * count_ >= cluster_;
  std::uint32_t blocks = 0;
  for (const auto& sm : sms_) {
    if (sm->may_launch(now_)) blocks += sm->room(cluster_ - blocks);
    if (blocks == cluster_) return true;
  }
  return false;
}

void SmGroup::launch(BlockId first, bool depth_first)
{
  if (sms_.empty()) make_sms();
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
  while (true) {
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
    clock.store(now_.value(), std::memory_order_release);
    for (const auto& sm : sms_)
      sm->retire(now_);
    if (more_may_come && now_ < bound && has_room()) return Stop::room;
  }
}

}  // namespace smsim

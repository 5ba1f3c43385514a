#include "trace/sm_recorder.h"

#include <algorithm>
#include <utility>

namespace smsim {

SmRecorder::SmRecorder(TraceListener& listener, std::uint32_t sm, std::uint32_t sub_partitions,
                       std::uint32_t slots)
    : listener_(listener), sm_(sm), slots_(slots), recorded_(std::size_t{sub_partitions} * slots),
      open_(recorded_.size())
{
  for (std::uint32_t i = 0; i < recorded_.size(); ++i)
    recorded_[i].warp = {sm, i / slots, i % slots, BlockId{0}, 0};
}

template <class Event>
void SmRecorder::keep(Kind kind, Cycle cycle, std::vector<Event>& events, Event event)
{
  keys_.push_back({cycle, kind, static_cast<std::uint32_t>(events.size())});
  events.push_back(std::move(event));
}

void SmRecorder::launch(BlockId block, Cycle now)
{
  keep(Kind::launch, now, launches_, {{sm_, block, now, {}}, {}});
}

void SmRecorder::launch_warp(Place place, BlockId block, std::uint32_t warp, Cycle now)
{
  Slot& slot = at(place);
  slot.warp.block = block;
  slot.warp.warp = warp;
  slot.has_state = false;
  slot.until = now;
  launches_.back().warps.push_back(slot.warp);
}

void SmRecorder::end_block(BlockId block, Cycle launched, Cycle now)
{
  keep(Kind::block_end, now, block_ends_, {sm_, block, launched, now});
}

void SmRecorder::warp_left(Place place, Cycle now)
{
  Slot& slot = at(place);
  assert(slot.until == now);
  keep(Kind::left, now, steps_, {slot.warp, now, std::nullopt});
}

void SmRecorder::step(Slot& slot, WarpState state)
{
  slot.has_state = true;
  slot.state = state;
  keep(Kind::step, slot.until, steps_, {slot.warp, slot.until, state});
}

void SmRecorder::issue(Place place, Cycle now, std::uint32_t pc, std::uint32_t lanes, Cycle ready)
{
  keep(Kind::issue, now, issues_, {at(place).warp, now, pc, lanes, ready});
}

void SmRecorder::access(Place place, Cycle now, std::uint32_t pc, Cycle departure, Cycle ready, bool shared)
{
  keep(Kind::access, now, accesses_, {at(place).warp, now, pc, departure, ready, shared});
  keys_.push_back({departure, Kind::departed, 0});
  if (!shared) keys_.push_back({ready, Kind::done, 0});
}

void SmRecorder::arrive(Place place, std::uint32_t barrier, bool waits, Cycle now)
{
  keep(Kind::arrival, now, arrivals_, {at(place).warp, now, barrier, waits});
}

void SmRecorder::open_barrier(BlockId block, std::uint32_t barrier, Cycle opens)
{
  keep(Kind::opening, opens, openings_, {sm_, block, barrier, opens});
}

void SmRecorder::deliver(Cycle now)
{
  deliver_before(now);
  listener_.reached(sm_, now);
}

void SmRecorder::finish(Cycle end)
{
  deliver_before(end + 1);
  for (Open& open : open_)
    if (open.state && open.from < end) listener_.on(WarpSpan{open.warp, *open.state, open.from, end});
  listener_.reached(sm_, end);
}

void SmRecorder::deliver_before(Cycle end)
{
  // What is still to come, ends of accesses and barriers that open, goes to the front of the next delivery.
  const auto later =
      std::partition(keys_.begin(), keys_.end(), [&](const Key& key) { return key.cycle < end; });
  std::sort(keys_.begin(), later);
  for (auto key = keys_.begin(); key != later; ++key) {
    if (key->cycle != counted_) give_counters();
    counted_ = key->cycle;
    give(*key);
  }
  give_counters();
  keys_.erase(keys_.begin(), later);
  std::vector<BarrierOpening> openings;
  for (Key& key : keys_)
    if (key.kind == Kind::opening) {
      openings.push_back(openings_[key.index]);
      key.index = static_cast<std::uint32_t>(openings.size() - 1);
    }
  openings_ = std::move(openings);
  steps_.clear();
  issues_.clear();
  accesses_.clear();
  launches_.clear();
  block_ends_.clear();
  arrivals_.clear();
}

void SmRecorder::give(const Key& key)
{
  switch (key.kind) {
  case Kind::left:
  case Kind::step:
    return give_step(steps_[key.index]);
  case Kind::block_end:
    --counters_.resident_blocks;
    return listener_.on(block_ends_[key.index]);
  case Kind::launch: {
    Launched& launched = launches_[key.index];
    launched.launch.warps = launched.warps;
    ++counters_.resident_blocks;
    return listener_.on(launched.launch);
  }
  case Kind::opening:
    return listener_.on(openings_[key.index]);
  case Kind::issue:
    return listener_.on(issues_[key.index]);
  case Kind::access: {
    const MemoryAccess& access = accesses_[key.index];
    ++counters_.queued;
    if (!access.shared) ++counters_.in_flight;
    return listener_.on(access);
  }
  case Kind::arrival:
    return listener_.on(arrivals_[key.index]);
  case Kind::departed:
    --counters_.queued;
    return;
  case Kind::done:
    --counters_.in_flight;
    return;
  }
}

void SmRecorder::give_step(const WarpStep& step)
{
  Open& open = open_[index_of_slot(step.warp)];
  if (open.state) listener_.on(WarpSpan{open.warp, *open.state, open.from, step.cycle});
  count(open.state, -1);
  count(step.state, 1);
  open = {step.state, step.cycle, step.warp};
  listener_.on(step);
}

void SmRecorder::count(const std::optional<WarpState>& state, std::int32_t by)
{
  if (!state) return;
  const auto add = static_cast<std::uint32_t>(by);  // wraps back
  counters_.active += add;
  if (*state == WarpState::selected) counters_.issued += add;
  if (*state == WarpState::selected || *state == WarpState::not_selected) counters_.eligible += add;
}

void SmRecorder::give_counters()
{
  if (counters_ == given_) return;
  given_ = counters_;
  listener_.on(CounterSample{sm_, counted_, counters_});
}

}  // namespace smsim

#include "trace/slice_trace.h"

#include <algorithm>

namespace smsim {

SliceTrace::SliceTrace(const TraceOptions& options, std::unique_ptr<SliceFormat> format)
    : TraceWriter(options), format_(std::move(format)), file_(options.path)
{
}

void SliceTrace::begin(const TraceRun& run)
{
  run_ = run;
  sms_.resize(run.sms);
  format_->begin(file_, run);
}

/// The SM's clock is at `now`; the answer is whether what happens there is in the window.
bool SliceTrace::advance(std::uint32_t sm, Cycle now)
{
  SmView& view = sms_[sm];
  if (view.stage == Stage::before && now >= options().from && !is_cut()) enter_window(sm);
  view.now = std::max(view.now, now);
  if (view.stage != Stage::inside) return false;
  if (now < options().until && !is_cut()) return true;
  leave_window(sm, is_cut() ? view.now : options().until);
  return false;
}

void SliceTrace::enter_window(std::uint32_t sm)
{
  SmView& view = sms_[sm];
  const Cycle from = options().from;
  view.stage = Stage::inside;
  format_->name_sm(file_, sm);
  format_->name_row(file_, sm, 0, "kernel");
  view.slots.resize(std::size_t{run_.sub_partitions} * run_.slots);
  for (std::uint32_t slot = 0; slot < view.slots.size(); ++slot)
    format_->name_row(file_, sm, row_of_slot(slot),
                      "scheduler " + std::to_string(slot / run_.slots) + " warp slot " +
                          std::to_string(slot % run_.slots));
  open(sm, 0, run_.kernel, from);
  for (std::uint32_t lane = 0; lane < view.lanes.size(); ++lane)
    if (view.lanes[lane].used) open_block(sm, lane, from);
  for (std::uint32_t slot = 0; slot < view.slots.size(); ++slot)
    if (view.slots[slot].used) open_warp(sm, slot, from);
  write_counters(sm, view.counters, from, true);
}

/// What is open ends at `at`.
void SliceTrace::leave_window(std::uint32_t sm, Cycle at)
{
  SmView& view = sms_[sm];
  view.stage = Stage::behind;
  for (std::uint32_t slot = 0; slot < view.slots.size(); ++slot)
    if (view.slots[slot].used) format_->close(file_, sm, row_of_slot(slot), at);
  for (std::uint32_t lane = 0; lane < view.lanes.size(); ++lane) {
    if (view.lanes[lane].launching) format_->close(file_, sm, row_of_lane(lane), at);
    if (view.lanes[lane].used) format_->close(file_, sm, row_of_lane(lane), at);
  }
  format_->close(file_, sm, 0, at);
}

void SliceTrace::open(std::uint32_t sm, std::uint32_t row, std::string_view name, Cycle at)
{
  count_event(at);  // what is opened is closed, so it is never left out
  format_->open(file_, sm, row, name, at);
}

void SliceTrace::open_block(std::uint32_t sm, std::uint32_t lane, Cycle at)
{
  SmView& view = sms_[sm];
  for (; view.named_lanes <= lane; ++view.named_lanes) {
    const auto named = static_cast<std::uint32_t>(view.named_lanes);
    format_->name_row(file_, sm, row_of_lane(named), "blocks " + std::to_string(named));
  }
  open(sm, row_of_lane(lane), "block " + std::to_string(view.lanes[lane].block.value()), at);
  if (view.lanes[lane].launching) open(sm, row_of_lane(lane), "launch", at);
}

void SliceTrace::open_warp(std::uint32_t sm, std::uint32_t slot, Cycle at)
{
  const TracedWarp& warp = sms_[sm].slots[slot].warp;
  open(sm, row_of_slot(slot),
       "block " + std::to_string(warp.block.value()) + " warp " + std::to_string(warp.warp), at);
}

void SliceTrace::on(const BlockLaunch& launch)
{
  const bool inside = advance(launch.sm, launch.cycle);
  SmView& view = sms_[launch.sm];
  view.slots.resize(std::size_t{run_.sub_partitions} * run_.slots);
  const auto free =
      std::find_if(view.lanes.begin(), view.lanes.end(), [](const Lane& lane) { return !lane.used; });
  const auto lane = static_cast<std::uint32_t>(free - view.lanes.begin());
  if (free == view.lanes.end()) view.lanes.emplace_back();
  view.lanes[lane] = {true, true, launch.block};
  if (inside) open_block(launch.sm, lane, launch.cycle);
  for (const TracedWarp& warp : launch.warps) {
    const std::uint32_t slot = slot_of(warp);
    view.slots[slot] = {true, warp, lane};
    if (inside) open_warp(launch.sm, slot, launch.cycle);
  }
}

void SliceTrace::on(const BlockEnd& end)
{
  const bool inside = advance(end.sm, end.cycle);
  SmView& view = sms_[end.sm];
  const auto found = std::find_if(view.lanes.begin(), view.lanes.end(),
                                  [&](const Lane& lane) { return lane.used && lane.block == end.block; });
  const std::uint32_t row = row_of_lane(static_cast<std::uint32_t>(found - view.lanes.begin()));
  if (inside && found->launching) format_->close(file_, end.sm, row, end.cycle);
  if (inside) format_->close(file_, end.sm, row, end.cycle);
  *found = {};
}

void SliceTrace::on(const InstructionIssue& issue)
{
  SmView& view = sms_[issue.warp.sm];
  Lane& lane = view.lanes[view.slots[slot_of(issue.warp)].lane];
  if (!lane.launching) return;
  const bool inside = advance(issue.warp.sm, issue.cycle);
  lane.launching = false;
  if (inside)
    format_->close(file_, issue.warp.sm, row_of_lane(view.slots[slot_of(issue.warp)].lane), issue.cycle);
}

void SliceTrace::on(const WarpStep& step)
{
  if (step.state) return;
  const bool inside = advance(step.warp.sm, step.cycle);
  const std::uint32_t slot = slot_of(step.warp);
  sms_[step.warp.sm].slots[slot].used = false;
  if (inside) format_->close(file_, step.warp.sm, row_of_slot(slot), step.cycle);
}

void SliceTrace::on(const WarpSpan& span)
{
  advance(span.warp.sm, span.until);
  if (span.until <= options().from || span.from >= options().until) return;
  const Cycle from = std::max(span.from, options().from);
  if (!count_event(from)) return;
  format_->state(file_, span.warp.sm, row_of_slot(slot_of(span.warp)), span.state, from,
                 std::min(span.until, options().until));
}

void SliceTrace::on(const CounterSample& sample)
{
  if (advance(sample.sm, sample.cycle)) write_counters(sample.sm, sample.counters, sample.cycle, false);
  sms_[sample.sm].counters = sample.counters;
}

void SliceTrace::write_counters(std::uint32_t sm, const SmCounters& counters, Cycle at, bool all)
{
  const auto values = [](const SmCounters& of) {
    return std::array{of.active, of.eligible, of.issued, of.resident_blocks, of.queued, of.in_flight};
  };
  const auto before = values(sms_[sm].counters);
  const auto after = values(counters);
  for (std::size_t i = 0; i < after.size(); ++i)
    if ((all || before[i] != after[i]) && count_event(at)) format_->counter(file_, sm, i, at, after[i]);
}

void SliceTrace::reached(std::uint32_t sm, Cycle now) { advance(sm, now); }

void SliceTrace::end(Cycle end)
{
  for (std::uint32_t sm = 0; sm < sms_.size(); ++sm)
    if (sms_[sm].stage == Stage::inside) leave_window(sm, is_cut() ? sms_[sm].now : end);
  format_->end(file_);
  if (options().from < end) file_.close();
}

}  // namespace smsim

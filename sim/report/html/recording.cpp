#include "report/html/recording.h"

#include <algorithm>
#include <tuple>

namespace smsim::html {

Columns::Column& Columns::column_of(std::uint64_t cycle)
{
  while (cycle / width_ >= most) {
    for (std::size_t i = 0; i < columns_.size(); i += 2) {
      Column sum = columns_[i];
      if (i + 1 < columns_.size()) {
        sum.active_warp_cycles += columns_[i + 1].active_warp_cycles;
        sum.block_cycles += columns_[i + 1].block_cycles;
        sum.launches += columns_[i + 1].launches;
      }
      columns_[i / 2] = sum;
    }
    columns_.resize((columns_.size() + 1) / 2);
    width_ *= 2;
  }
  const std::size_t index = cycle / width_;
  if (index >= columns_.size()) columns_.resize(index + 1);
  return columns_[index];
}

void Columns::add(Cycle from, Cycle until, std::uint64_t active_warps, std::uint64_t blocks)
{
  if (from == until) return;
  column_of(until.value() - 1);  // makes room for all of it
  for (std::uint64_t at = from.value(); at < until.value();) {
    const std::uint64_t next = std::min((at / width_ + 1) * width_, until.value());
    Column& column = column_of(at);
    column.active_warp_cycles += active_warps * (next - at);
    column.block_cycles += blocks * (next - at);
    at = next;
  }
}

void Columns::add_launch(Cycle at) { ++column_of(at.value()).launches; }

void Recording::begin(const TraceRun& run)
{
  open_.resize(run.sms);
  resident_.resize(run.sms);
  sm_limit_ = run.sms;
  current_.resize(run.slots);
  for (std::uint32_t slot = 0; slot < run.slots; ++slot)
    current_[slot].slot = slot;
  instructions_ = run.instructions;
  issues_.resize(instructions_.size());
  const std::uint64_t start = choice_.start.value_or(0);
  windows_.push_back({start, start + choice_.cycles, false, current_, {}});
}

void Recording::on(const CounterSample& sample)
{
  Open& open = open_[sample.sm];
  if (open.active == sample.counters.active && open.blocks == sample.counters.resident_blocks) return;
  columns_.add(open.since, sample.cycle, open.active, open.blocks);
  open = {sample.cycle, sample.counters.active, sample.counters.resident_blocks};
}

void Recording::on(const BlockLaunch& launch)
{
  columns_.add_launch(launch.cycle);
  if (launch.sm < sm_limit_)
    resident_[launch.sm].push_back({launch.sm, launch.block.value(), launch.cycle.value(), {}});
}

void Recording::on(const BlockEnd& end)
{
  if (end.sm >= sm_limit_) return;
  const auto same = [&](const BlockSpan& span) { return span.block == end.block.value(); };
  std::vector<BlockSpan>& resident = resident_[end.sm];
  const auto found = std::find_if(resident.begin(), resident.end(), same);
  BlockSpan span = *found;
  resident.erase(found);
  span.ended = end.cycle.value();
  keep(span);
}

/// Too many blocks: those of half of the SMs are left out, of a single SM those that end last.
void Recording::keep(BlockSpan span)
{
  while (blocks_.size() >= most_blocks && sm_limit_ > 1) {
    sm_limit_ = (sm_limit_ + 1) / 2;
    std::erase_if(blocks_, [&](const BlockSpan& other) { return other.sm >= sm_limit_; });
  }
  if (span.sm < sm_limit_ && blocks_.size() < most_blocks) blocks_.push_back(span);
}

void Recording::on(const InstructionIssue& issue) { ++issues_[issue.pc]; }

/// Windows at 0, n, 2n, 4n, ... of n cycles each: when the run ends, the last but one that has begun is near
/// the middle.
void Recording::next_window()
{
  const std::uint64_t start = std::max(windows_.back().start * 2, choice_.cycles);
  if (windows_.size() == 2) windows_.erase(windows_.begin());
  windows_.push_back({start, start + choice_.cycles, false, current_, {}});
}

void Recording::on(const WarpStep& step)
{
  if (step.warp.sm != choice_.sm || step.warp.sub_partition != choice_.sub_partition) return;
  const std::uint64_t now = step.cycle.value();
  while (!choice_.start && now >= std::max(windows_.back().start * 2, choice_.cycles))
    next_window();
  Window& window = windows_.back();
  const Window::Step found{now, step.warp.slot, step.state, step.warp.block.value(), step.warp.warp};
  current_[step.warp.slot] = found;
  if (now < window.start) {
    window.before[step.warp.slot] = found;
    return;
  }
  if (now >= window.end) return;
  if (window.steps.size() == Window::most_steps) {
    window.is_full = true;
    window.end = now;
    return;
  }
  window.steps.push_back(found);
}

void Recording::end(Cycle end)
{
  for (const Open& open : open_)
    columns_.add(open.since, end, open.active, open.blocks);
  for (const std::vector<BlockSpan>& resident : resident_)
    for (const BlockSpan& span : resident)
      keep(span);
  std::sort(blocks_.begin(), blocks_.end(), [](const BlockSpan& a, const BlockSpan& b) {
    return std::tie(a.sm, a.launched, a.block) < std::tie(b.sm, b.launched, b.block);
  });
  Window& shown = windows_.front();
  shown.end = std::max(shown.start, std::min(shown.end, end.value()));
  std::erase_if(shown.steps, [&](const Window::Step& step) { return step.cycle >= shown.end; });
}

}  // namespace smsim::html

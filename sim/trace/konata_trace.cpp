#include "trace/konata_trace.h"

#include <algorithm>
#include <functional>

namespace smsim {

KonataTrace::KonataTrace(const TraceOptions& options)
    : TraceWriter(options), sm_(options.sms.empty() ? 0 : options.sms.front()), file_(options.path)
{
}

void KonataTrace::begin(const TraceRun& run)
{
  run_ = run;
  slots_.resize(std::size_t{run.sub_partitions} * run.slots);
  written_ = options().from;
  file_.text("Kanata\t0004\nC=\t");
  file_.number(written_.value());
  file_.text("\n");
}

/// The clock is at `now`; the answer is whether what happens there is in the window.
bool KonataTrace::advance(Cycle now)
{
  now_ = std::max(now_, now);
  if (stage_ == Stage::before && now >= options().from) {
    stage_ = Stage::inside;
    for (Slot& slot : slots_)
      if (slot.state && *slot.state != WarpState::selected && open_row(slot, options().from)) open_lane(slot);
  }
  if (stage_ != Stage::inside) return false;
  if (now < options().until && !is_cut()) {
    finish_until(now);
    go_to(now);
    return true;
  }
  close_all(is_cut() ? now_ : options().until);
  return false;
}

void KonataTrace::go_to(Cycle cycle)
{
  if (cycle <= written_) return;
  file_.text("C\t");
  file_.number(cycle - written_);
  file_.text("\n");
  written_ = cycle;
}

/// Writes what was to be written up to `now`.
void KonataTrace::finish_until(Cycle now)
{
  while (!later_.empty() && later_.front().cycle <= now) {
    std::pop_heap(later_.begin(), later_.end(), std::greater<>{});
    const Later due = later_.back();
    later_.pop_back();
    go_to(due.cycle);
    if (due.retires) {
      stage('E', due.row, '0', "X");
      retire(due.row, true);
      continue;
    }
    stage('E', due.row, '0', "I");
    if (due.ready <= due.cycle) {
      retire(due.row, true);
    } else {
      stage('S', due.row, '0', "X");
      add_later(due.ready, due.row, true, due.ready);
    }
  }
}

void KonataTrace::add_later(Cycle cycle, std::uint64_t row, bool retires, Cycle ready)
{
  later_.push_back({cycle, order_++, row, retires, ready});
  std::push_heap(later_.begin(), later_.end(), std::greater<>{});
}

/// Every row ends at `at`; of a result that is still on its way nobody will hear.
void KonataTrace::close_all(Cycle at)
{
  stage_ = Stage::behind;
  finish_until(at);
  go_to(at);
  for (Slot& slot : slots_) {
    close_lane(slot);
    if (slot.has_row) {
      stage('E', slot.row, '0', "W");
      retire(slot.row, false);
    }
    slot.has_row = false;
  }
  std::sort(later_.begin(), later_.end());
  for (const Later& later : later_) {
    stage('E', later.row, '0', later.retires ? "X" : "I");
    retire(later.row, true);
  }
  later_.clear();
}

/// Begins the row of the instruction that the warp issues next; false if that is one row too many.
bool KonataTrace::open_row(Slot& slot, Cycle now)
{
  if (slot.has_row) return true;
  if (!count_event(now)) return false;
  slot.has_row = true;
  slot.row = rows_++;
  line('I', slot.row, {});
  file_.number(slot.row);
  file_.text("\t");
  file_.number(slot_of(slot.warp));
  file_.text("\n");
  if (slot.state != WarpState::selected) stage('S', slot.row, '0', "W");
  return true;
}

void KonataTrace::open_lane(Slot& slot)
{
  if (!count_event(written_)) return;
  slot.in_lane = true;
  stage('S', slot.row, '1', info(*slot.state).key);
}

void KonataTrace::close_lane(Slot& slot)
{
  if (slot.in_lane) stage('E', slot.row, '1', info(*slot.state).key);
  slot.in_lane = false;
}

void KonataTrace::on(const WarpStep& step)
{
  const bool inside = advance(step.cycle);
  Slot& slot = slots_[slot_of(step.warp)];
  if (inside) close_lane(slot);
  slot.state = step.state;
  slot.warp = step.warp;
  if (!inside) return;
  if (!step.state && slot.has_row) {
    line('L', slot.row, "0\tblock ");
    file_.number(step.warp.block.value());
    file_.text(" warp ");
    file_.number(step.warp.warp);
    file_.text(" has left\n");
    stage('E', slot.row, '0', "W");
    retire(slot.row, false);
    slot.has_row = false;
  }
  if (step.state && step.state != WarpState::selected && open_row(slot, step.cycle)) open_lane(slot);
}

void KonataTrace::on(const InstructionIssue& issue)
{
  if (!advance(issue.cycle)) return;
  Slot& slot = slots_[slot_of(issue.warp)];
  const bool waited = slot.has_row;
  if (!open_row(slot, issue.cycle)) return;
  line('L', slot.row, "0\tblock ");
  file_.number(issue.warp.block.value());
  file_.text(" warp ");
  file_.number(issue.warp.warp);
  file_.text(" ");
  file_.number(issue.pc);
  file_.text(": ");
  file_.text(run_.instructions[issue.pc]);
  file_.text("\n");
  line('L', slot.row, "1\t");
  file_.number(issue.lanes);
  file_.text(" lanes\n");
  if (waited) stage('E', slot.row, '0', "W");
  stage('S', slot.row, '0', "I");
  add_later(issue.cycle + 1, slot.row, false, issue.ready);
  slot.has_row = false;
}

void KonataTrace::line(char command, std::uint64_t row, std::string_view rest)
{
  file_.text({&command, 1});
  file_.text("\t");
  file_.number(row);
  file_.text("\t");
  file_.text(rest);
}

void KonataTrace::stage(char command, std::uint64_t row, char lane, std::string_view name)
{
  line(command, row, {&lane, 1});
  file_.text("\t");
  file_.text(name);
  file_.text("\n");
}

void KonataTrace::retire(std::uint64_t row, bool issued)
{
  line('R', row, {});
  file_.number(issued ? retired_++ : row);
  file_.text(issued ? "\t0\n" : "\t1\n");
}

void KonataTrace::reached(std::uint32_t /*sm*/, Cycle now) { advance(now); }

void KonataTrace::end(Cycle end)
{
  if (stage_ == Stage::inside) close_all(is_cut() ? now_ : end);
  if (options().from < end) file_.close();
}

}  // namespace smsim

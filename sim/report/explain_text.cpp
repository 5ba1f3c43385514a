#include "base/version.h"
#include "engine/tail_analysis.h"
#include "report/advice.h"
#include "report/explain_report.h"
#include "report/table_text.h"

namespace smsim {
namespace {

using namespace explained;

std::string num(std::uint64_t n) { return std::to_string(n); }
std::string rounded(double value) { return fixed(value, 1); }

/// Broken at spaces into lines of readable length; what follows is indented like the first, and two more.
std::string wrapped(const std::string& text)
{
  constexpr std::size_t width = 100;
  std::string out;
  std::string indent = std::string(text.find_first_not_of(' '), ' ');
  std::size_t begin = indent.size();
  while (text.size() - begin + indent.size() > width) {
    const std::size_t space = text.rfind(' ', begin + width - indent.size());
    if (space == std::string::npos || space <= begin) break;
    out += indent + text.substr(begin, space - begin) + "\n";
    if (begin == indent.size()) indent += "  ";
    begin = space + 1;
  }
  return out + indent + text.substr(begin) + "\n";
}

/// A title, and lines of text under it.
class Chapter {
 public:
  explicit Chapter(const std::string& title) : text_(title + "\n") {}
  Chapter& line(const std::string& text)
  {
    text_ += wrapped("  " + text);
    return *this;
  }
  Chapter& table(const std::vector<std::vector<std::string>>& rows)
  {
    const std::string table = columns(rows, 1, 1);
    for (std::size_t begin = 0; begin < table.size();) {
      const std::size_t end = table.find('\n', begin) + 1;
      text_ += "  " + table.substr(begin, end - begin);
      begin = end;
    }
    return *this;
  }
  [[nodiscard]] std::string text() const { return text_ + "\n"; }

 private:
  std::string text_;
};

std::string head(const ExplainContext& context)
{
  const Explanation& found = context.found;
  const RunResult& result = found.result;
  std::string text =
      found.workload.name + " on " + context.arch.name + " (compute capability " +
      context.arch.compute_capability + "), " + num(result.sms.size()) + " of " + num(context.arch.sms) +
      " SMs, policy " + result.policy + ", seed " + num(result.seed) + ", smsim " + version + "\n" +
      num(result.grid) + (result.grid == 1 ? " block of " : " blocks of ") +
      num(found.workload.kernel.threads_per_block()) + " threads, " + fixed(result.waves(), 2) +
      " waves of " + num(result.block_places()) + ": " + num(result.cycles) + " cycles\n";
  const std::string million = fixed(found.instructions_expected / 1e6, 0) + " million warp instructions";
  if (found.is_shortened())
    text += wrapped("The whole grid has " + num(found.whole_grid) + " blocks, about " + million +
                    ": every run on this page has a shortened one instead, whole waves and the last wave as "
                    "it is.");
  else if (found.instructions_expected > Explanation::most_instructions)
    text += "About " + million + " a run; the grid cannot be shortened.\n";
  return text + "\n";
}

std::string limits(const ExplainContext& context)
{
  const Occupancy& o = context.found.result.occupancy;
  Chapter chapter("1. What limits occupancy");
  chapter.line("Limited by " + limiters_text(o.limiters) + ":");
  for (const std::string& line : limit_arithmetic(context))
    chapter.line("  " + line);
  chapter.line(num(o.blocks_per_sm) + (o.blocks_per_sm == 1 ? " block" : " blocks") + " x " +
               num(o.warps_per_block) + " warps = " + num(o.warps_per_sm) + " of " + num(o.max_warps_per_sm) +
               " warps on an SM: theoretical occupancy " + percent(o.ratio()) + " %; achieved " +
               percent(context.found.result.achieved_occupancy()) + " %");
  const std::string gain = nearest_gain(context);
  if (!gain.empty()) return chapter.line("Nearest change that raises it: " + gain).text();
  return chapter
      .line(o.ratio() >= 1 ? "All warp slots are filled: it cannot be raised."
                           : "No change of registers, shared memory or block size alone raises it.")
      .text();
}

/// The estimate: said to be one, and how it was made.
void add_estimate(Chapter& chapter, const ExplainContext& context)
{
  const WarpEstimate& estimate = context.found.estimate;
  if (estimate.units.empty()) return;
  const double there =
      static_cast<double>(context.found.result.occupancy.warps_per_sm) / context.arch.sm.sub_partitions;
  const WarpEstimate::Unit& busiest = estimate.units.front();
  chapter.line("Estimate, from the program and the architecture's latencies, without a run:");
  chapter.line("  A warp alone would issue k = " + rounded(estimate.run_length()) +
               " instructions and then wait L = " + rounded(estimate.wait_length()) +
               " cycles, on average: " + rounded(estimate.instructions) + " instructions in " +
               rounded(estimate.cycles) + " cycles.");
  chapter.line("  Its busiest unit, " + busiest.name + ", would work for it in " + rounded(busiest.cycles) +
               " of these cycles (a scheduler's share of the unit).");
  chapter.line("  Little's law: " + rounded(estimate.cycles) + " / " + rounded(busiest.cycles) + " = " +
               rounded(estimate.warps_needed()) + " warps of each scheduler keep that unit busy; " +
               rounded(there) + " fit: " + (there < estimate.warps_needed() ? "too few." : "enough."));
  for (const WarpEstimate::Unit& unit : estimate.units)
    if (unit.name == "issue slots" && &unit != &busiest)
      chapter.line("  To fill every issue slot would need (k + L) / k = " +
                   rounded(estimate.cycles / estimate.instructions) +
                   " warps, if the busiest unit did not stop them first.");
}

void add_run(Chapter& chapter, const ExplainContext& context)
{
  const Explanation& found = context.found;
  const RunContext run{context.arch, found.workload, found.result};
  const WarpState stall = top_stall(found.result);
  std::string line = "The run: " + percent(issue_utilisation(found.result)) + " % of the issue slots used";
  if (const auto dram = dram_utilisation(run)) line += ", " + percent(*dram) + " % of DRAM's bandwidth";
  if (const auto l2 = l2_utilisation(run)) line += ", " + percent(*l2) + " % of L2's";
  chapter.line(line + ".");
  chapter.line("  Warps spent " + percent(share_of_warp_time(found.result, stall)) + " % of their time in " +
               std::string(info(stall).label) + " (" + std::string(info(stall).doc) + ").");
}

std::string matters(const ExplainContext& context)
{
  const Explanation& found = context.found;
  Chapter chapter("2. Does occupancy matter here?");
  add_estimate(chapter, context);
  add_run(chapter, context);
  std::vector<std::vector<std::string>> rows{{"Resident", "Blocks/SM", "Warps/SM", "Cycles", ""}};
  const auto row = [&](const TriedRun& tried, const std::string& note) {
    if (tried.ran())
      rows.push_back({tried.what, num(tried.occupancy.blocks_per_sm), num(tried.occupancy.warps_per_sm),
                      num(tried.cycles), note});
    else
      rows.push_back({tried.what, "-", "-", "-", tried.why_not});
  };
  if (found.half) row(*found.half, "--set " + found.half->settings.front());
  row(found.base, "");
  row(found.twice, "hypothetical: slots, registers and shared memory doubled, L1 and bandwidths as they are");
  chapter.table(rows);
  return chapter.line(does_occupancy_matter(context)).text();
}

std::string tail(const ExplainContext& context)
{
  const RunResult& result = context.found.result;
  const OccupancyLoss loss = occupancy_loss(result);
  const double cost = tail_cost(result);
  const double full = static_cast<double>(result.occupancy.warps_per_sm * result.sms.size());
  const auto cycles = static_cast<double>(result.cycles);
  Chapter chapter("3. What the tail costs");
  chapter.line("After the launch of the last block " + num(result.tail_cycles()) +
               " cycles pass. Warp slots that are empty then are worth " + rounded(cost) +
               " cycles of full SMs, " + percent(cycles == 0 ? 0 : cost / cycles) + " % of the run" +
               (loss.partial_wave != 0 || loss.uneven_blocks != 0 || loss.launch_order != 0 ? ":" : "."));
  const auto part = [&](std::int64_t value, const char* what) {
    if (value != 0) chapter.line("  " + rounded(static_cast<double>(value) / full) + " cycles: " + what);
  };
  part(loss.partial_wave, "the last wave is partial");
  part(loss.uneven_blocks, "the longest block outlasts any launch order");
  part(loss.launch_order, "blocks took unequally long, in this launch order");
  if (const auto effect = nsight_tail_effect(result))
    chapter.line("Nsight Compute would say: up to " + percent(*effect) +
                 " % (estimate: equal blocks, 1 / (full waves + 1))");
  return chapter.line(does_the_grid_matter(context)).text();
}

std::string changes(const ExplainContext& context)
{
  const Explanation& found = context.found;
  Chapter chapter("4. The change that would help most: each was run");
  if (!found.changes.empty()) {
    std::vector<std::vector<std::string>> rows{
        {"Change", "Warps/SM", "Blocks", "Cycles", "Cycles/1000 threads", "Fewer %", ""}};
    const auto row = [&](const TriedRun& tried) {
      std::string words;
      for (const std::string& setting : tried.settings)
        words += (words.empty() ? "" : " ") + setting;
      if (tried.ran())
        rows.push_back({tried.what, num(tried.occupancy.warps_per_sm), num(tried.grid), num(tried.cycles),
                        fixed(tried.cycles_per_1000_threads(), 3), percent(found.gain(tried)), words});
      else
        rows.push_back({tried.what, "-", "-", "-", "-", "-", "not run: " + tried.why_not});
    };
    row(found.base);
    for (const TriedRun& change : found.changes)
      row(change);
    chapter.table(rows);
  }
  for (const std::string& text : found.left_out)
    chapter.line("Not tried: " + text + ".");
  return chapter.line(what_helps_most(context)).text();
}

}  // namespace

std::string explain_text(const ExplainContext& context)
{
  std::string text = head(context) + limits(context) + matters(context) + tail(context) + changes(context);
  text.pop_back();
  return text;
}

}  // namespace smsim

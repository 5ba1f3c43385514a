#include "base/numbers.h"
#include "engine/tail_analysis.h"
#include "occupancy/cliffs.h"
#include "report/advice.h"
#include "report/explain_report.h"
#include "report/table_text.h"

#include <algorithm>

namespace smsim::explained {
namespace {

std::string num(std::uint64_t n) { return std::to_string(n); }

std::string arithmetic(const ArchConfig& arch, const KernelConfig& kernel, const Occupancy& o,
                       Limiter limiter)
{
  const std::uint64_t parts = arch.sm.sub_partitions;
  const std::string warps = num(o.warps_per_block) + " warps of a block";
  switch (limiter) {
  case Limiter::warps:
    return num(arch.sm.max_warps) + " warp slots / " + warps;
  case Limiter::blocks:
    return num(arch.sm.max_blocks) + " block slots";
  case Limiter::registers:
    return num(arch.registers_per_sub_partition()) + " registers of a sub-partition / " +
           num(o.registers_per_warp) + " of a warp, x " + num(parts) +
           " sub-partitions = " + num(arch.registers_per_sub_partition() / o.registers_per_warp * parts) +
           " warps / " + warps;
  case Limiter::shared_memory:
    return num(o.shared_bytes_per_sm) + " B of shared memory / " + num(o.shared_bytes_per_block) +
           " B of a block (" + num(kernel.static_shared_bytes + kernel.dynamic_shared_bytes) + " B and " +
           num(arch.shared_memory.reserved_per_block) + " B reserved)";
  case Limiter::barriers:
    return num(arch.sm.max_barriers.value_or(0)) + " barriers / " + num(kernel.barriers) + " of a block";
  }
  return {};
}

double share_more(std::uint64_t cycles, std::uint64_t base)
{
  return base == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(base) - 1;
}

/// "12.34 % more cycles", "no fewer cycles".
std::string against(std::uint64_t cycles, std::uint64_t base)
{
  if (cycles == base) return "the same cycles";
  const double more = share_more(cycles, base);
  return percent(more < 0 ? -more : more) + " % " + (more < 0 ? "fewer" : "more") + " cycles";
}

}  // namespace

std::vector<std::string> limit_arithmetic(const ExplainContext& context)
{
  const Occupancy& occupancy = context.found.result.occupancy;
  std::vector<std::string> lines;
  for (const Limiter limiter : occupancy.limiters)
    lines.push_back(arithmetic(context.arch, context.found.workload.kernel, occupancy, limiter) +
                    (limiter == Limiter::blocks ? "" : ", rounded down") + " = " +
                    num(occupancy.blocks_per_sm) + (occupancy.blocks_per_sm == 1 ? " block" : " blocks"));
  return lines;
}

std::string nearest_gain(const ExplainContext& context)
{
  for (const Cliff& cliff : nearest_cliffs(context.arch, context.found.workload.kernel)) {
    const bool odd = cliff.what == LaunchNumber::block_size && cliff.to % context.arch.sm.warp_size != 0;
    if (!odd && cliff.occupancy_after > context.found.result.occupancy.ratio()) return cliff_text(cliff);
  }
  return {};
}

std::string does_occupancy_matter(const ExplainContext& context)
{
  constexpr double matters = 0.02;
  const Explanation& found = context.found;
  if (found.result.waves() < 1)
    return "The grid does not fill the GPU once, so that its blocks are fewer than occupancy allows: more "
           "room "
           "would stay empty.";
  const std::uint64_t base = found.base.cycles;
  std::string text;
  const bool has_half = found.half && found.half->ran();
  if (has_half) {
    const bool does = share_more(found.half->cycles, base) > matters;
    text = std::string(does ? "Yes, the resident warps are needed: " : "No: ") +
           "with half of the blocks the run takes " + against(found.half->cycles, base) + ". ";
  }
  if (!found.twice.ran()) return text + "Twice the blocks could not be tried: " + found.twice.why_not + ".";
  const bool more_helps = -share_more(found.twice.cycles, base) > matters;
  if (!has_half) text = more_helps ? "Yes: " : "More of it would not help: ";
  return text + (has_half ? "With" : "with") + " twice the blocks it would take " +
         against(found.twice.cycles, base) +
         (more_helps ? ", so that more resident warps would help."
                     : ", so that more resident warps would not help.");
}

double tail_cost(const RunResult& result)
{
  const OccupancyLoss loss = occupancy_loss(result);
  const auto lost = static_cast<double>(loss.partial_wave + loss.uneven_blocks + loss.launch_order);
  return lost / static_cast<double>(result.occupancy.warps_per_sm * result.sms.size());
}

std::string does_the_grid_matter(const ExplainContext& context)
{
  const Explanation& found = context.found;
  if (found.is_shortened())
    return "The shortened grid keeps the last wave of the whole one: the cycles are those of the whole grid, "
           "its share of the runtime is smaller there.";
  if (!nsight_tail_effect(found.result)) return "The grid ends in a full wave: another size would not help.";
  // The best stand first.
  const auto best = std::find_if(found.changes.begin(), found.changes.end(), [](const TriedRun& change) {
    return change.ran() && change.settings.size() == 1 && change.settings[0].starts_with("launch.grid=");
  });
  if (best == found.changes.end()) return "Another grid would be other work, so none was tried.";
  const double gain = found.gain(*best);
  return std::string(gain >= Explanation::worth_telling ? "Another grid would help: "
                                                        : "Another grid would not help: ") +
         "with " + best->settings[0] + " (" + best->what + ") a thread's work takes " +
         percent(gain < 0 ? -gain : gain) + " % " + (gain < 0 ? "more" : "fewer") + " cycles" +
         (best->grid > found.result.grid ? ", if there is so much work." : ".");
}

std::string what_helps_most(const ExplainContext& context)
{
  const Explanation& found = context.found;
  if (found.changes.empty())
    return "Nothing was found to try: no grid, block size, register cap, carveout or launch order promises "
           "more.";
  const TriedRun* best = found.best();
  if (!best)
    return "None of the changes tried saves " +
           num(static_cast<std::uint64_t>(100 * Explanation::worth_telling)) + " % of the cycles or more.";
  std::string words;
  for (const std::string& setting : best->settings)
    words += " --set '" + setting + "'";
  return "Best: " + best->what + ", " + percent(found.gain(*best)) + " % fewer cycles a thread:" + words;
}

double issue_utilisation(const RunResult& result)
{
  const double slots = static_cast<double>(result.cycles) * static_cast<double>(result.sms.size()) *
                       static_cast<double>(result.sms.empty() ? 1 : result.sms.front().sub_partitions.size());
  return slots == 0 ? 0 : static_cast<double>(result.instructions()) / slots;
}

WarpState top_stall(const RunResult& result)
{
  const StateCycles states = result.states();
  const auto stalls = states.begin() + 1;
  static_assert(index_of(WarpState::selected) == 0);
  return warp_state_table[static_cast<std::size_t>(std::max_element(stalls, states.end()) - states.begin())]
      .state;
}

double share_of_warp_time(const RunResult& result, WarpState state)
{
  const std::uint64_t all = result.active_warp_cycles();
  return all == 0 ? 0 : static_cast<double>(result.states()[index_of(state)]) / static_cast<double>(all);
}

}  // namespace smsim::explained

#include "report/tail_text.h"

#include "engine/tail_analysis.h"
#include "report/table_text.h"

#include <algorithm>

namespace smsim {

std::string tail_section(const RunContext& context)
{
  const RunResult& result = context.result;
  const OccupancyLoss loss = occupancy_loss(result);
  const double slot_cycles = static_cast<double>(result.occupancy.max_warps_per_sm * result.sms.size()) *
                             static_cast<double>(result.cycles);
  const auto points = [&](std::int64_t warp_cycles) {
    return fixed(slot_cycles == 0 ? 0 : 100 * static_cast<double>(warp_cycles) / slot_cycles, 2);
  };
  ReportSection section("Waves and Tail");
  section
      .row("Waves", fixed(result.waves(), 2), "of " + std::to_string(result.block_places()) + " blocks each")
      .row("Full Waves", result.full_waves())
      .row("Tail", result.tail_cycles(), "cycles after the last block launch")
      .row("Tail Of Runtime",
           percent(result.cycles == 0
                       ? 0
                       : static_cast<double>(result.tail_cycles()) / static_cast<double>(result.cycles)),
           "%")
      .row("Warp Slots Empty In The Tail", result.tail_empty_slot_cycles(), "warp-cycles")
      .row("Lost: Theoretical - Achieved (Elapsed)", points(loss.total),
           loss.total == 0 ? "% of the warp slots" : "% of the warp slots, of which");
  const auto part = [&](std::string_view label, std::int64_t value, std::string_view why) {
    if (value != 0) section.row(label, points(value), why);
  };
  part("  Warps That Exited Early", loss.exited_warps, "their block still held their slots");
  part("  Before The Tail", loss.before_tail, "slots without a block although more were to come");
  part("  Partial Last Wave", loss.partial_wave, "as if all blocks were of average length");
  part("  Uneven Blocks", loss.uneven_blocks,
       "blocks took unlike times: the longest outlasts every launch order");
  part("  Launch Order", loss.launch_order, "the rest of the tail: uneven blocks in this order");
  if (const auto effect = nsight_tail_effect(result)) {
    section.row("Nsight's Tail Effect", percent(*effect),
                "% of the runtime at most (estimate: equal blocks)");
    const WithoutTail near = without_tail(context.arch, context.workload.kernel, result);
    section.row("Full Waves At Grid Size",
                (near.grid_below ? std::to_string(*near.grid_below) + " or " : std::string()) +
                    std::to_string(near.grid_above),
                "blocks");
    if (near.block)
      section.row("Full Waves At Block Size", near.block->threads,
                  "threads, " + std::to_string(near.block->grid) + " blocks");
  }
  return section.text();
}

std::string sms_section(const RunContext& context)
{
  const RunResult& result = context.result;
  if (result.sms.size() < 2) return {};
  const auto by_active = [](const SmResult& a, const SmResult& b) {
    return a.active_cycles < b.active_cycles;
  };
  const auto [least, most] = std::minmax_element(result.sms.begin(), result.sms.end(), by_active);
  const auto idle = std::count_if(result.sms.begin(), result.sms.end(),
                                  [](const SmResult& sm) { return sm.most_resident_blocks == 0; });
  const auto slots = [&](std::uint64_t warp_cycles) {
    const double all = static_cast<double>(result.occupancy.max_warps_per_sm * result.sms.size()) *
                       static_cast<double>(result.cycles);
    return percent(all == 0 ? 0 : static_cast<double>(warp_cycles) / all);
  };
  ReportSection section("SMs");
  section.row("Busiest SM", most->active_cycles, "active cycles")
      .row("Least Busy SM", least->active_cycles, "active cycles")
      .row("SM Imbalance", percent(sm_imbalance(result)),
           "% more active cycles on the busiest than on average")
      .row("SMs Without A Block", static_cast<std::uint64_t>(idle))
      .row("Warp Slots Allocated (Elapsed)", slots(result.allocated_warp_cycles()), "% of all SMs' slots")
      .row("Achieved Occupancy (Elapsed)", slots(result.active_warp_cycles()), "% of all SMs' slots");
  return section.text();
}

}  // namespace smsim

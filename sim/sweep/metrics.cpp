#include "sweep/metrics.h"

#include "engine/tail_analysis.h"

namespace smsim {
namespace {

/// Names beside figures, so that neither can be out of step with the other.
class Figures {
 public:
  void whole(const std::string& name, std::uint64_t value) { add(name, static_cast<std::int64_t>(value)); }
  void real(const std::string& name, std::optional<double> value)
  {
    add(name, value ? Cell(*value) : Cell());
  }
  void text(const std::string& name, std::string value) { add(name, std::move(value)); }

  std::vector<std::string> names;
  std::vector<Cell> cells;

 private:
  void add(const std::string& name, Cell cell)
  {
    names.push_back(name);
    cells.push_back(std::move(cell));
  }
};

void add_top_stall(const StateCycles& states, Figures& out)
{
  std::uint64_t sum = 0;
  std::optional<WarpState> top;
  for (const WarpStateInfo& state : warp_state_table) {
    const std::uint64_t cycles = states[index_of(state.state)];
    sum += cycles;
    if (state.state != WarpState::selected && cycles > (top ? states[index_of(*top)] : 0)) top = state.state;
  }
  out.text("top_stall.state", top ? std::string(info(*top).key) : "none");
  out.real("top_stall.share",
           top ? static_cast<double>(states[index_of(*top)]) / static_cast<double>(sum) : 0.0);
}

Figures figures_of(const RunResult& result)
{
  Figures out;
  const Occupancy& occupancy = result.occupancy;
  const StateCycles states = result.states();
  const MemoryCounts memory = result.memory();
  out.whole("cycles", result.cycles);
  out.whole("instructions", result.instructions());
  out.real("ipc", result.ipc());
  out.real("average_active_threads_per_warp", result.average_active_lanes());
  out.real("occupancy.theoretical", occupancy.ratio());
  out.real("occupancy.achieved", result.achieved_occupancy());
  out.real("occupancy.achieved_elapsed", result.achieved_occupancy_elapsed());
  out.whole("occupancy.blocks_per_sm", occupancy.blocks_per_sm);
  out.whole("occupancy.warps_per_sm", occupancy.warps_per_sm);
  std::string limiters;
  for (const Limiter limiter : occupancy.limiters)
    limiters +=
        (limiters.empty() ? "" : " ") + std::string(limiter_table[static_cast<std::size_t>(limiter)].key);
  out.text("occupancy.limiters", limiters);
  out.real("launch.waves", result.waves());
  out.whole("tail.cycles", result.tail_cycles());
  out.real("sm_imbalance", sm_imbalance(result));
  add_top_stall(states, out);
  for (const WarpStateInfo& state : warp_state_table)
    out.whole("warp_states." + std::string(state.key), states[index_of(state.state)]);
  out.real("l1_hit_rate", memory.l1_hit_rate());
  for (std::size_t i = 0; i < level_count; ++i) {
    out.whole("memory." + std::string(level_keys[i]) + ".accesses", memory.accesses[i]);
    out.whole("memory." + std::string(level_keys[i]) + ".bytes", memory.bytes[i]);
  }
  out.real("turnaround", result.block_turnaround());
  out.real("turnaround_deviation", result.block_turnaround_deviation());
  out.real("block_fairness", result.block_fairness());
  out.real("sub_partition_fairness", result.sub_partition_fairness());
  return out;
}

}  // namespace

const std::vector<std::string>& metric_names()
{
  static const std::vector<std::string> names = [] {
    RunResult none;
    none.sms.resize(1);
    none.occupancy.max_warps_per_sm = 1;
    return figures_of(none).names;
  }();
  return names;
}

std::vector<Cell> metrics_of(const RunResult& result) { return figures_of(result).cells; }

}  // namespace smsim

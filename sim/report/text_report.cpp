#include "base/numbers.h"
#include "base/version.h"
#include "engine/best_schedule.h"
#include "report/advice.h"
#include "report/run_reports.h"
#include "report/table_text.h"
#include "report/tail_text.h"
#include "workload/trace_loader.h"

#include <algorithm>

namespace smsim {
namespace {

/// Where a register cap is in force: what it left of the program's need, and what it cost.
void add_register_cap(ReportSection& section, const RunContext& context)
{
  if (!context.workload.spills) return;
  const Spills& spills = *context.workload.spills;
  const MemoryCounts counts = context.result.memory();
  section.row("Registers Needed", spills.need, "registers; the launch caps them")
      .row("Spilled Values", spills.values.size(), "registers of the program")
      .row("Local Memory Per Thread", spills.local_bytes_per_thread(), "B")
      .row("Spill Loads", counts.spill_loads, "accesses of warps")
      .row("Spill Stores", counts.spill_stores, "accesses of warps");
}

std::string launch_section(const RunContext& context)
{
  const KernelConfig& kernel = context.workload.kernel;
  const RunResult& result = context.result;
  ReportSection section("Launch Statistics");
  section.row("Grid Size", result.grid, "blocks")
      .row("Block Size", kernel.threads_per_block(), "threads")
      .row("Registers Per Thread", kernel.registers_per_thread, "registers");
  add_register_cap(section, context);
  section.row("Static Shared Memory Per Block", size_text(kernel.static_shared_bytes))
      .row("Dynamic Shared Memory Per Block", size_text(kernel.dynamic_shared_bytes))
      .row("Driver Shared Memory Per Block", size_text(context.arch.shared_memory.reserved_per_block))
      .row("Shared Memory Configuration Size", size_text(result.occupancy.shared_bytes_per_sm))
      .row("SMs", result.sms.size())
      .row("Waves Per SM", fixed(result.waves(), 2))
      .row("Elapsed Cycles", result.cycles, "cycles")
      .row("Duration",
           fixed(static_cast<double>(result.cycles) * 1000 / static_cast<double>(context.arch.clock_khz), 2),
           "us");
  if (const auto& traced = context.workload.traced)
    section.row("Traced Instructions", traced->instructions, "instructions of warps")
        .row("Unknown Opcodes",
             percent(static_cast<double>(traced->unknown_instructions()) /
                     static_cast<double>(std::max<std::uint64_t>(traced->instructions, 1))),
             "% of them");
  if (result.cluster > 1)
    section.row("Cluster Size", std::uint64_t{result.cluster}, "blocks")
        .row("Max Active Clusters", result.max_active_clusters);
  return section.text();
}

std::string occupancy_section(const RunContext& context)
{
  const RunResult& result = context.result;
  const Occupancy& occupancy = result.occupancy;
  const double max_warps = static_cast<double>(occupancy.max_warps_per_sm);
  ReportSection section("Occupancy");
  section.row("Theoretical Occupancy", percent(occupancy.ratio()), "%")
      .row("Theoretical Active Warps per SM", occupancy.warps_per_sm, "warps")
      .row("Achieved Occupancy", percent(result.achieved_occupancy()), "%")
      .row("Achieved Active Warps Per SM", fixed(result.achieved_occupancy() * max_warps, 2), "warps");
  for (const LimiterInfo& info : limiter_table) {
    const BlockLimit& limit = occupancy.limit(info.limiter);
    const bool binds = std::find(occupancy.limiters.begin(), occupancy.limiters.end(), info.limiter) !=
                       occupancy.limiters.end();
    section.row(info.label, limit ? std::to_string(*limit) : "no limit",
                limit ? (binds ? "blocks  <- limits" : "blocks") : "");
  }
  return section.text();
}

std::string scheduler_section(const RunContext& context)
{
  const RunResult& result = context.result;
  std::uint64_t scheduler_cycles = 0;
  std::uint64_t eligible_cycles = 0;
  for (const SmResult& sm : result.sms) {
    scheduler_cycles += sm.active_cycles * sm.sub_partitions.size();
    for (const SubPartitionResult& part : sm.sub_partitions)
      eligible_cycles += part.eligible_cycles;
  }
  const StateCycles states = result.states();
  const auto per_cycle = [&](std::uint64_t warp_cycles) {
    return scheduler_cycles == 0 ? 0.0
                                 : static_cast<double>(warp_cycles) / static_cast<double>(scheduler_cycles);
  };
  const std::uint64_t issued = states[index_of(WarpState::selected)];
  ReportSection section("Scheduler Statistics");
  section.row("Active Warps Per Scheduler", fixed(per_cycle(result.active_warp_cycles()), 2), "warps")
      .row("Eligible Warps Per Scheduler",
           fixed(per_cycle(issued + states[index_of(WarpState::not_selected)]), 2), "warps")
      .row("Issued Warp Per Scheduler", fixed(per_cycle(issued), 2))
      .row("No Eligible", percent(1 - per_cycle(eligible_cycles)), "%")
      .row("One or More Eligible", percent(per_cycle(eligible_cycles)), "%")
      .row("Executed Ipc Elapsed", fixed(result.ipc(), 2), "instructions per cycle");
  return section.text();
}

std::string warp_state_section(const RunContext& context)
{
  const RunResult& result = context.result;
  const StateCycles states = result.states();
  const std::uint64_t issued = states[index_of(WarpState::selected)];
  const auto per_issue = [&](std::uint64_t cycles) {
    return issued == 0 ? std::string("-")
                       : fixed(static_cast<double>(cycles) / static_cast<double>(issued), 2);
  };
  ReportSection section("Warp State Statistics");
  section.row("Warp Cycles Per Issued Instruction", per_issue(result.active_warp_cycles()), "cycles");
  section.row("Avg. Active Threads Per Warp", fixed(result.average_active_lanes(), 2));
  std::vector<const WarpStateInfo*> order;
  for (const WarpStateInfo& state : warp_state_table)
    if (states[index_of(state.state)] > 0) order.push_back(&state);
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) {
    return states[index_of(a->state)] > states[index_of(b->state)];
  });
  for (const WarpStateInfo* state : order) {
    const std::uint64_t cycles = states[index_of(state->state)];
    const double share = static_cast<double>(cycles) / static_cast<double>(result.active_warp_cycles());
    section.row("  " + std::string(state->label), per_issue(cycles),
                "(" + fixed(share * 100, 1) + " %) " + std::string(state->doc));
  }
  return section.text();
}

/// A column for each scheduler: the share of its active warp-cycles in each state.
std::string per_scheduler_section(const RunContext& context)
{
  const RunResult& result = context.result;
  const std::size_t count = context.arch.sm.sub_partitions;
  constexpr std::size_t widest = 8;
  if (count < 2 || count > widest) return {};
  std::vector<SubPartitionResult> parts(count);
  for (const SmResult& sm : result.sms)
    for (std::size_t p = 0; p < count; ++p)
      for (std::size_t i = 0; i < warp_state_count; ++i)
        parts[p].states[i] += sm.sub_partitions[p].states[i];
  std::string out = "Warp States Per Scheduler (% of its active warp-cycles)\n" + std::string(42, ' ');
  const auto cell = [](const std::string& text) {
    return std::string(text.size() < 8 ? 8 - text.size() : 0, ' ') + text;
  };
  for (std::size_t p = 0; p < count; ++p)
    out += cell("S" + std::to_string(p));
  out += '\n';
  for (const WarpStateInfo& state : warp_state_table) {
    if (result.states()[index_of(state.state)] == 0) continue;
    std::string label = "  " + std::string(state.label);
    label.resize(42, ' ');
    out += label;
    for (const SubPartitionResult& part : parts) {
      const std::uint64_t active = part.active_warp_cycles();
      const double share =
          active == 0 ? 0.0 : static_cast<double>(part.state(state.state)) / static_cast<double>(active);
      out += cell(active == 0 ? "-" : fixed(share * 100, 1));
    }
    out += '\n';
  }
  return out + "\n";
}

std::string pipe_section(const RunContext& context)
{
  ReportSection section("Compute Workload");
  bool any = false;
  for (std::size_t i = 0; i < context.arch.pipes.size(); ++i) {
    const PipeConfig& pipe = context.arch.pipes[i];
    if (context.result.pipe_cycles(i) == 0) continue;
    any = true;
    section.row("Pipe " + pipe.name, percent(pipe_utilisation(context, i)),
                "% of its cycles, " + std::to_string(pipe.lanes) + " lanes for " +
                    (pipe.scope == Scope::sm ? "the SM" : "each scheduler"));
  }
  return any ? section.text() : std::string();
}

std::string memory_section(const RunContext& context)
{
  const MemoryCounts counts = context.result.memory();
  const std::uint64_t accesses = counts.accesses[0] + counts.accesses[1] + counts.accesses[2];
  if (accesses == 0) return {};
  ReportSection section("Memory Workload");
  constexpr std::string_view labels[] = {"Served by L1", "Served by L2", "Served by DRAM"};
  for (std::size_t i = 0; i < level_count; ++i)
    section.row(labels[i], percent(static_cast<double>(counts.accesses[i]) / static_cast<double>(accesses)),
                "% of " + std::to_string(accesses) + " accesses");
  const auto throughput = [&](std::string_view label, std::optional<double> used) {
    section.row(label, used ? percent(*used) : "no limit", used ? "% of the bandwidth" : "");
  };
  throughput("L2 Throughput", l2_utilisation(context));
  throughput("DRAM Throughput", dram_utilisation(context));
  return section.text();
}

}  // namespace

std::string text_report(const RunContext& context)
{
  const RunResult& result = context.result;
  std::string out = context.workload.name + " on " + context.arch.name + " (compute capability " +
                    context.arch.compute_capability + "), " + std::to_string(result.sms.size()) + " of " +
                    std::to_string(context.arch.sms) + " SMs, policy " + result.policy + ", seed " +
                    std::to_string(result.seed) + ", smsim " + version + "\n\n";
  if (result.stopped_early)
    out += "STOPPED EARLY after " + std::to_string(result.cycles) + " cycles: the kernel had not ended.\n\n";
  if (context.best) out += describe(*context.best) + ".\n\n";
  out += launch_section(context);
  out += occupancy_section(context);
  out += tail_section(context);
  out += sms_section(context);
  out += scheduler_section(context);
  out += warp_state_section(context);
  out += per_scheduler_section(context);
  out += pipe_section(context);
  out += memory_section(context);
  out += "What binds\n";
  for (const std::string& sentence : advice(context))
    out += "  " + sentence + "\n";
  return out;
}

}  // namespace smsim

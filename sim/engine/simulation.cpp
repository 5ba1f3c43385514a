#include "engine/simulation.h"

#include "sm/block_dispatcher.h"
#include "sm/warp_scheduler/registry.h"

#include <algorithm>
#include <cassert>
#include <deque>

namespace smsim {
namespace {

constexpr std::size_t most_warps_in_report = 64;

std::string deadlock_report(const std::deque<Sm>& sms, const BoundProgram& program, Cycle now)
{
  std::string text = "deadlock at cycle " + std::to_string(now.value()) + ": no warp can ever issue again\n";
  std::size_t listed = 0;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < sms.size(); ++i) {
    for (const WarpReport& warp : sms[i].waiting_warps()) {
      if (listed >= most_warps_in_report) {
        ++left_out;
        continue;
      }
      ++listed;
      text += "  SM " + std::to_string(i) + " sub-partition " + std::to_string(warp.sub_partition) + " block " +
              std::to_string(warp.block.value()) + " warp " + std::to_string(warp.warp_in_block) + ": " + warp.state;
      // At a barrier the program counter is already behind it.
      const std::uint32_t at = warp.pc > 0 && warp.state.starts_with("barrier") ? warp.pc - 1 : warp.pc;
      if (warp.state != "exited" && at < program.ops.size()) {
        const Mark& mark = program.marks[at];
        if (mark.source) text += " (" + mark.source->name + ":" + std::to_string(mark.line) + ": " + program.mnemonics[at] + ")";
      }
      text += "\n";
    }
  }
  if (left_out > 0) text += "  and " + std::to_string(left_out) + " more warps\n";
  return text;
}

std::string never_fits_report(const ArchConfig& arch, const Workload& workload, const Occupancy& occupancy)
{
  std::string text = workload.name + ": no block can launch on " + arch.name + ": " + occupancy.not_launchable + "\n";
  text += "`smsim occupancy --explain` shows the arithmetic of every limit.\n";
  return text;
}

/// The laws that hold for every run: each active warp is in one state in each cycle, blocks run once each.
void check_laws([[maybe_unused]] const RunResult& result)
{
#ifndef NDEBUG
  std::uint64_t blocks = 0;
  for (const SmResult& sm : result.sms) {
    std::uint64_t in_states = 0;
    for (const SubPartitionResult& part : sm.sub_partitions) {
      in_states += part.active_warp_cycles();
      assert(part.issued() <= part.eligible_cycles);
      assert(part.eligible_cycles <= sm.active_cycles);
    }
    assert(in_states == sm.active_warp_cycles);
    assert(sm.active_warp_cycles <= sm.allocated_warp_cycles);
    assert(sm.most_resident_blocks <= result.occupancy.blocks_per_sm);
    blocks += sm.blocks;
  }
  assert(result.stopped_early || blocks == result.grid);
#endif
}

SmResult close_books(Sm& sm, Cycle end)
{
  sm.finish(end);
  SmResult result;
  result.blocks = sm.blocks_run();
  result.most_resident_blocks = sm.most_resident_blocks();
  result.active_cycles = sm.active_cycles();
  result.active_warp_cycles = sm.active_warp_cycles(end);
  result.allocated_warp_cycles = sm.allocated_warp_cycles();
  for (const SubPartition& part : sm.sub_partitions()) {
    SubPartitionResult& row = result.sub_partitions.emplace_back();
    row.states = part.states();
    row.eligible_cycles = part.eligible_cycles();
    row.no_eligible_cycles = result.active_cycles - part.eligible_cycles();
  }
  return result;
}

}  // namespace

RunResult run_kernel(const ArchConfig& arch, const Workload& workload, const RunOptions& options)
{
  Diagnostics diagnostics;
  RunResult result;
  result.policy = options.policy.empty() ? arch.scheduler.policy : options.policy;
  const auto policy_source = std::make_shared<SourceText>(SourceText{"policy", {result.policy}});
  const PolicyInfo* policy = find_policy(result.policy, {policy_source, 1, 1}, diagnostics);
  const BoundProgram program = bind_program(workload.program, arch, workload.kernel, diagnostics);
  throw_if_errors(diagnostics);

  result.occupancy = calculate_occupancy(arch, workload.kernel);
  if (result.occupancy.blocks_per_sm == 0) throw RunError(never_fits_report(arch, workload, result.occupancy));
  result.grid = workload.kernel.blocks();
  result.seed = options.seed;

  const RunInputs inputs{arch, workload.kernel, program, result.occupancy, policy->make, options.seed};
  std::deque<Sm> sms;  // an SM stays where it is: its sub-partitions refer to it
  for (std::uint32_t i = 0; i < options.sms; ++i) sms.emplace_back(inputs);
  BlockDispatcher dispatcher(result.grid);

  Cycle now{0};
  const Cycle bound{options.max_cycles};
  std::uint64_t active_before_tail = 0;
  while (now < bound) {
    for (Sm& sm : sms) sm.retire(now);
    if (!dispatcher.all_launched()) {
      dispatcher.dispatch(sms, now);
      if (dispatcher.all_launched()) {
        result.tail_start = now.value();
        active_before_tail = 0;
        for (const Sm& sm : sms) active_before_tail += sm.active_warp_cycles(now);
      }
    }
    for (Sm& sm : sms) sm.issue(now);
    Cycle next = never;
    bool all_empty = true;
    for (const Sm& sm : sms) {
      next = std::min(next, sm.next_event());
      all_empty = all_empty && sm.empty();
    }
    if (all_empty && dispatcher.all_launched()) break;
    if (next == never) throw RunError(deadlock_report(sms, program, now));
    now = next;
  }
  result.stopped_early = now >= bound;
  now = std::min(now, bound);
  if (!dispatcher.all_launched()) result.tail_start = now.value();
  result.cycles = now.value();
  for (Sm& sm : sms) result.sms.push_back(close_books(sm, now));
  result.tail_active_warp_cycles = dispatcher.all_launched() ? result.active_warp_cycles() - active_before_tail : 0;
  check_laws(result);
  return result;
}

}  // namespace smsim

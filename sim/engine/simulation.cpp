#include "engine/simulation.h"

#include "engine/run_plan.h"
#include "engine/tail_analysis.h"
#include "occupancy/clusters.h"
#include "sm/register_cap.h"
#include "sm/warp_scheduler/registry.h"
#include "trace/listener.h"

#include <cassert>

namespace smsim {
namespace {

std::string never_fits_report(const ArchConfig& arch, const Workload& workload, const Occupancy& occupancy)
{
  std::string text =
      workload.name + ": no block can launch on " + arch.name + ": " + occupancy.not_launchable + "\n";
  text += "`smsim occupancy --explain` shows the arithmetic of every limit.\n";
  return text;
}

/// The laws that hold for every run: each active warp is in one state in each cycle, blocks run once each.
void check_laws([[maybe_unused]] const ArchConfig& arch, [[maybe_unused]] const RunResult& result)
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
    // A warp's room that is free before its block ends may let in more blocks than the calculator counts.
    assert(arch.register_file.release == ReleasePolicy::warp ||
           sm.most_resident_blocks <= result.occupancy.blocks_per_sm);
    blocks += sm.blocks;
  }
  assert(result.stopped_early || blocks == result.grid);
  const OccupancyLoss loss = occupancy_loss(result);
  assert(loss.exited_warps + loss.before_tail + loss.partial_wave + loss.uneven_blocks + loss.launch_order ==
         loss.total);
#endif
}

TraceRun trace_run(const ArchConfig& arch, const Workload& workload, const RunResult& result,
                   std::uint32_t sms)
{
  TraceRun run;
  run.kernel = workload.name;
  run.arch = arch.name;
  run.policy = result.policy;
  run.grid = result.grid;
  run.sms = sms;
  run.sub_partitions = arch.sm.sub_partitions;
  run.slots = arch.warps_per_sub_partition();
  run.blocks_per_sm = result.occupancy.blocks_per_sm;
  for (const Instruction& instruction : workload.program.code)
    run.instructions.push_back(instruction_text(instruction));
  return run;
}

}  // namespace

RunResult run_kernel(const ArchConfig& given, const Workload& as_read, const RunOptions& options)
{
  ArchConfig arch = given;
  if (!options.policy.empty()) arch.scheduler.policy = options.policy;
  Diagnostics diagnostics;
  const std::string& name = arch.scheduler.policy;
  const auto source = std::make_shared<SourceText>(SourceText{"policy", {name}});
  const PolicyInfo* policy = find_policy(name, {source, 1, 1}, diagnostics);
  PolicySetup setup;
  if (policy) setup = setup_of(*policy, arch.scheduler.parameters, options.seed);
  RunResult result = run_with(
      arch, as_read, options, [&] { return policy->make(setup); }, std::move(diagnostics));
  result.policy_parameters = parameters_of(*policy, arch.scheduler.parameters);
  return result;
}

RunResult run_with(const ArchConfig& arch, const Workload& as_read, const RunOptions& options,
                   const SchedulerMaker& make_scheduler, Diagnostics diagnostics)
{
  RunResult result;
  result.policy = arch.scheduler.policy;
  const Workload workload = with_register_cap(arch, as_read, diagnostics);
  const BoundProgram program =
      bind_program(workload.program, arch, workload.kernel, options.seed, diagnostics);
  const std::uint32_t sms = options.sms ? options.sms : arch.sms;
  check_cluster(arch, workload.kernel, sms, diagnostics);
  throw_if_errors(diagnostics);

  result.occupancy = calculate_occupancy(arch, workload.kernel);
  if (result.occupancy.blocks_per_sm == 0)
    throw RunError(never_fits_report(arch, workload, result.occupancy));
  result.max_active_clusters = max_active_clusters(arch, workload.kernel, result.occupancy, sms);
  result.cluster = workload.kernel.cluster;
  result.grid = workload.kernel.blocks();
  result.seed = options.seed;

  assert(!options.listener || options.engine == Engine::event);
  if (options.listener) options.listener->begin(trace_run(arch, workload, result, sms));
  const RunPlan plan{
      {arch, workload.kernel, program, result.occupancy, make_scheduler, options.seed, options.listener},
      sms,
      sm_groups(arch, workload.kernel, sms),
      result.grid,
      options.listener ? 1 : options.threads,
      Cycle{options.max_cycles},
      options.stop};
  EngineResult found = options.engine == Engine::event ? run_by_events(plan) : run_every_cycle(plan);
  result.cycles = found.cycles;
  result.tail_start = found.tail_start;
  result.stopped_early = found.stopped_early;
  result.sms = std::move(found.sms);
  check_laws(arch, result);
  if (options.listener) options.listener->end(Cycle{result.cycles});
  return result;
}

}  // namespace smsim

#include "engine/explanation.h"

#include "config/arch_loader.h"
#include "engine/launch_changes.h"
#include "occupancy/clusters.h"
#include "sm/register_cap.h"
#include "workload/trace_loader.h"

#include <algorithm>
#include <cmath>

namespace smsim {
namespace {

/// Reads the documents again with more `--set` words, as the program would, and runs.
class Laboratory {
 public:
  Laboratory(const ArchConfig& arch, const Workload& workload, const RunOptions& options)
      : arch_(arch_document(arch)), workload_(workload), options_(options)
  {
    options_.sms = options.sms ? options.sms : arch.sms;
  }

  [[nodiscard]] TriedRun run(const LaunchChange& change) const
  {
    TriedRun tried{change.what, change.settings, change.work, {}, 0, 0, {}};
    try {
      const RunResult result = result_of(change.settings);
      tried.occupancy = result.occupancy;
      tried.grid = result.grid;
      tried.cycles = result.cycles;
    } catch (const std::runtime_error& error) {
      const std::string text = error.what();
      tried.why_not = text.substr(0, text.find('\n'));
    }
    return tried;
  }

 private:
  [[nodiscard]] RunResult result_of(const std::vector<std::string>& settings) const
  {
    std::vector<std::string> of_arch;
    std::vector<std::string> of_workload;
    for (const std::string& setting : settings)
      (is_workload_override(setting) ? of_workload : of_arch).push_back(setting);
    Diagnostics diagnostics;
    const ArchConfig arch = load_arch_document(arch_, {}, of_arch, diagnostics);
    const Workload workload = with_overrides(workload_, of_workload, diagnostics);
    throw_if_errors(diagnostics);
    return run_kernel(arch, workload, options_);
  }

  YamlNode arch_;
  const Workload& workload_;
  RunOptions options_;
};

/// The grid of a run that is cheap enough: whole waves, and the last, partial one as it is.
std::uint64_t affordable_grid(const ArchConfig& arch, const Workload& ran, double instructions,
                              const RunOptions& options)
{
  const std::uint64_t grid = ran.kernel.blocks();
  const Occupancy occupancy = calculate_occupancy(arch, ran.kernel);
  const std::uint64_t places =
      max_active_clusters(arch, ran.kernel, occupancy, options.sms ? options.sms : arch.sms) *
      ran.kernel.cluster;
  if (ran.traced || places == 0 || instructions <= Explanation::most_instructions) return grid;
  const double of_a_wave = instructions / static_cast<double>(grid) * static_cast<double>(places);
  const auto waves =
      static_cast<std::uint64_t>(std::max(2.0, std::floor(Explanation::most_instructions / of_a_wave)));
  return std::min(grid, waves * places + grid % places);
}

/// The same workload with fewer blocks; itself where its file lists the work of every block.
Workload shortened(const Workload& workload, std::uint64_t grid)
{
  if (grid == workload.kernel.blocks()) return workload;
  Diagnostics diagnostics;
  Workload shorter = with_overrides(workload, {"launch.grid=" + std::to_string(grid)}, diagnostics);
  return diagnostics.ok() ? shorter : workload;
}

LaunchChange half_of(const RunResult& result, std::uint64_t work)
{
  const std::uint64_t blocks = result.occupancy.blocks_per_sm / 2;
  return {"half of the resident blocks", {"sm.max_blocks=" + std::to_string(blocks)}, work};
}

/// Twice of all that limits blocks. L1 keeps its size: the array grows by what shared memory is given more.
LaunchChange twice_of(const ArchConfig& arch, const RunResult& result, std::uint64_t work)
{
  const auto set = [](const char* key, std::uint64_t value) {
    return std::string(key) + "=" + std::to_string(value);
  };
  const std::uint64_t carveout = result.occupancy.shared_bytes_per_sm;
  LaunchChange change{"twice the resident blocks",
                      {set("sm.max_warps", 2 * std::uint64_t{arch.sm.max_warps}),
                       set("sm.max_blocks", 2 * result.occupancy.blocks_per_sm),
                       set("register_file.registers", 2 * std::uint64_t{arch.register_file.registers})},
                      work};
  if (arch.sm.max_barriers)
    change.settings.push_back(set("sm.max_barriers", 2 * std::uint64_t{*arch.sm.max_barriers}));
  change.settings.push_back(
      set("shared_memory.unified_capacity", arch.shared_memory.unified_capacity + carveout));
  // One carveout is all it needs; the largest must hold what a block may have.
  std::string carveouts = std::to_string(2 * carveout);
  if (2 * carveout < arch.max_shared_memory()) carveouts += ", " + std::to_string(arch.max_shared_memory());
  change.settings.push_back("shared_memory.carveouts=[" + carveouts + "]");
  change.settings.push_back("launch.carveout=" + std::to_string(2 * carveout) + " B");
  return change;
}

}  // namespace

const TriedRun* Explanation::best() const
{
  if (changes.empty() || !changes.front().ran() || gain(changes.front()) < worth_telling) return nullptr;
  return &changes.front();
}

Explanation explain(const ArchConfig& arch, const Workload& as_read, const RunOptions& options)
{
  Explanation found;
  Diagnostics diagnostics;
  found.whole_grid = as_read.kernel.blocks();
  found.workload = with_register_cap(arch, as_read, diagnostics);
  const BoundProgram program =
      bind_program(found.workload.program, arch, found.workload.kernel, options.seed, diagnostics);
  throw_if_errors(diagnostics);
  found.estimate = estimate_warp(arch, program);
  const std::uint64_t warps = calculate_occupancy(arch, found.workload.kernel).warps_per_block;
  found.instructions_expected = as_read.traced ? static_cast<double>(as_read.traced->instructions)
                                               : found.estimate.instructions * static_cast<double>(warps) *
                                                     static_cast<double>(found.whole_grid);
  const Workload workload =
      shortened(as_read, affordable_grid(arch, found.workload, found.instructions_expected, options));
  found.workload = with_register_cap(arch, workload, diagnostics);
  found.result = run_kernel(arch, workload, options);

  const RunResult& result = found.result;
  const std::uint64_t work = result.grid * workload.kernel.threads_per_block();
  found.base = {"as it is", {}, work, result.occupancy, result.grid, result.cycles, {}};
  const Laboratory laboratory(arch, workload, options);
  if (result.occupancy.blocks_per_sm > 1) found.half = laboratory.run(half_of(result, work));
  found.twice = laboratory.run(twice_of(arch, result, work));
  LaunchChanges changes = changes_worth_a_run(arch, workload, result, found.is_shortened());
  found.left_out = std::move(changes.left_out);
  for (const LaunchChange& change : changes.worth_a_run)
    found.changes.push_back(laboratory.run(change));
  std::stable_sort(found.changes.begin(), found.changes.end(), [](const TriedRun& a, const TriedRun& b) {
    if (a.ran() != b.ran()) return a.ran();
    return a.ran() && a.cycles_per_1000_threads() < b.cycles_per_1000_threads();
  });
  return found;
}

}  // namespace smsim

#include "engine/comparison.h"

#include "base/threads.h"
#include "engine/best_schedule.h"
#include "occupancy/clusters.h"
#include "sm/bound_program.h"
#include "sm/register_cap.h"

#include <algorithm>
#include <exception>

namespace smsim {
namespace {

/// What is kept of one run.
struct Point {
  std::array<std::optional<double>, compared_figures.size()> figures;
  StateCycles states{};
  std::optional<ComparisonRow::Proved> proved;
  std::string failure;
  std::exception_ptr error;  ///< nothing that a kernel can do
};

double of_integer(std::uint64_t value) { return static_cast<double>(value); }

RunResult run_or_search(const ComparisonPlan& plan, const ComparisonRow& row, const RunOptions& options,
                        Point& point)
{
  const ArchConfig& arch = plan.archs[row.arch].value;
  const Workload& workload = plan.workloads[row.workload].value;
  if (options.policy != search_policy) return run_kernel(arch, workload, options);
  BestSchedule best = find_best_schedule(arch, workload, options);
  point.proved = {best.lower_bound, best.exact(), describe(best)};
  return std::move(best.result);
}

Point run_point(const ComparisonPlan& plan, const ComparisonRow& row, std::uint64_t seed)
{
  Point point;
  RunOptions options;
  options.policy = plan.policies[row.policy];
  options.sms = row.sms;
  options.seed = seed;
  try {
    const RunResult result = run_or_search(plan, row, options, point);
    if (result.stopped_early)
      point.failure = "has not ended after " + std::to_string(result.cycles) + " cycles\n";
    for (std::size_t i = 0; i < compared_figures.size(); ++i)
      point.figures[i] = compared_figures[i].of(result);
    point.states = result.states();
  } catch (const RunError& error) {
    point.failure = error.what();
  } catch (...) {
    point.error = std::current_exception();
  }
  return point;
}

void add_seed(ComparisonRow& row, const Point& point)
{
  if (point.error) std::rethrow_exception(point.error);
  if (row.failure.empty()) row.failure = point.failure;
  if (point.proved && (!row.proved || (row.proved->exact && !point.proved->exact))) row.proved = point.proved;
  for (std::size_t i = 0; i < warp_state_count; ++i)
    row.states[i] += point.states[i];
  for (std::size_t i = 0; i < compared_figures.size(); ++i)
    if (point.figures[i]) row.samples[i].push_back(*point.figures[i]);
}

std::optional<SpeedUp> speed_up(const ComparisonRow& row, const ComparisonRow& baseline)
{
  const auto own = row.figure(cycles_figure);
  const auto other = baseline.figure(cycles_figure);
  if (!own || !other || own->mean == 0 || other->mean == 0) return std::nullopt;
  return SpeedUp{other->mean / own->mean,
                 paired_difference(row.samples[cycles_figure], baseline.samples[cycles_figure])};
}

}  // namespace

const std::array<ComparedFigure, 8> compared_figures{{
    {"cycles", "Cycles", 1, 1, [](const RunResult& r) { return std::optional(of_integer(r.cycles)); }},
    {"ipc", "IPC", 3, 1, [](const RunResult& r) { return std::optional(r.ipc()); }},
    {"achieved_occupancy", "Achieved %", 2, 0.01,
     [](const RunResult& r) { return std::optional(r.achieved_occupancy()); }},
    {"l1_hit_rate", "L1 hits %", 2, 0.01, [](const RunResult& r) { return r.memory().l1_hit_rate(); }},
    {"turnaround", "Turnaround", 1, 1,
     [](const RunResult& r) { return std::optional(r.block_turnaround()); }},
    {"turnaround_deviation", "Deviation", 1, 1,
     [](const RunResult& r) { return std::optional(r.block_turnaround_deviation()); }},
    {"block_fairness", "Fair blocks", 4, 1,
     [](const RunResult& r) { return std::optional(r.block_fairness()); }},
    {"sub_partition_fairness", "Fair parts", 4, 1,
     [](const RunResult& r) { return std::optional(r.sub_partition_fairness()); }},
}};

void check_comparison(const ComparisonPlan& plan, Diagnostics& diagnostics)
{
  constexpr std::uint64_t any_seed = 1;
  for (const auto& [arch_name, arch] : plan.archs) {
    for (const auto& [workload_name, as_read] : plan.workloads) {
      const Workload workload = with_register_cap(arch, as_read, diagnostics);
      bind_program(workload.program, arch, workload.kernel, any_seed, diagnostics);
      check_cluster(arch, workload.kernel, plan.sms ? plan.sms : arch.sms, diagnostics);
    }
  }
}

std::optional<WarpState> ComparisonRow::top_stall() const
{
  std::optional<WarpState> top;
  for (const WarpStateInfo& state : warp_state_table)
    if (state.state != WarpState::selected &&
        states[index_of(state.state)] > (top ? states[index_of(*top)] : 0))
      top = state.state;
  return top;
}

double ComparisonRow::share_of(WarpState state) const
{
  std::uint64_t sum = 0;
  for (const std::uint64_t cycles : states)
    sum += cycles;
  return sum == 0 ? 0 : of_integer(states[index_of(state)]) / of_integer(sum);
}

std::optional<Estimate> ComparisonRow::figure(std::size_t which) const
{
  // A rate that some seeds lack would be one of other runs than its neighbours.
  if (!failure.empty() || samples[which].size() != samples[cycles_figure].size()) return std::nullopt;
  return estimate(samples[which]);
}

bool Comparison::all_ran() const
{
  return std::all_of(rows.begin(), rows.end(), [](const ComparisonRow& row) { return row.failure.empty(); });
}

Comparison compare(const ComparisonPlan& plan)
{
  Comparison found;
  for (std::size_t arch = 0; arch < plan.archs.size(); ++arch)
    for (std::size_t workload = 0; workload < plan.workloads.size(); ++workload)
      for (std::size_t policy = 0; policy < plan.policies.size(); ++policy) {
        ComparisonRow& row = found.rows.emplace_back();
        row.arch = arch;
        row.workload = workload;
        row.policy = policy;
        row.sms = plan.sms ? plan.sms : plan.archs[arch].value.sms;
      }
  std::vector<Point> points(found.rows.size() * plan.seeds);
  run_items(plan.threads, points.size(), [&](std::size_t i) {
    points[i] = run_point(plan, found.rows[i / plan.seeds], 1 + i % plan.seeds);
  });
  for (std::size_t i = 0; i < points.size(); ++i)
    add_seed(found.rows[i / plan.seeds], points[i]);

  const std::size_t policies = plan.policies.size();
  for (std::size_t i = 0; i < found.rows.size(); ++i)
    found.speed_ups.push_back(speed_up(found.rows[i], found.rows[i - i % policies + plan.baseline]));
  for (std::size_t arch = 0; arch < plan.archs.size(); ++arch)
    for (std::size_t policy = 0; policy < policies; ++policy) {
      std::vector<double> ratios;
      for (std::size_t i = 0; i < found.rows.size(); ++i)
        if (found.rows[i].arch == arch && found.rows[i].policy == policy && found.speed_ups[i])
          ratios.push_back(found.speed_ups[i]->ratio);
      found.means.push_back({arch, policy, ratios.size(),
                             ratios.empty() ? std::nullopt : std::optional(geometric_mean(ratios))});
    }
  return found;
}

}  // namespace smsim

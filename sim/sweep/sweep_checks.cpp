// What can be said of a sweep's values before any point is run: each axis by itself on the base
// configuration. The rules between several keys are a point's own, and a point that breaks them is a failure
// in the results.
#include "config/arch_loader.h"
#include "sm/warp_scheduler/registry.h"
#include "sweep/point_builder.h"
#include "sweep/sweep_loader.h"

#include <algorithm>

namespace smsim {
namespace {

/// Of a long axis the first ones and the last are tried.
constexpr std::uint64_t most_tried = 1000;

std::vector<AxisPlace> tried_places(const Axis& axis)
{
  const std::uint64_t count = axis.count();
  if (count == 0) return {{0, 0.5}};
  std::vector<AxisPlace> places;
  for (std::uint64_t i = 0; i < std::min(count, axis.items.empty() ? 1 : most_tried); ++i)
    places.push_back({i, 0});
  if (count > places.size()) places.push_back({count - 1, 0});
  return places;
}

/// One value on the first architecture or workload. Errors are where the key or the value was written.
void check_value(const Sweep& sweep, const std::string& key, const Mark& mark, const YamlNode& value,
                 Diagnostics& diagnostics)
{
  YamlNode arch = sweep.archs[0].document;
  YamlNode workload = sweep.workloads[0].document;
  YamlNode placed = value;
  if (!placed.mark.source) placed.mark = mark;
  const std::size_t errors_before = diagnostics.count();
  lay_on_base(key, mark, placed, arch, workload, diagnostics);
  if (diagnostics.count() != errors_before) return;
  if (is_workload_override(key))
    sweep.workloads[0].workload(std::move(workload), diagnostics);
  else
    build_arch(arch, diagnostics, ArchChecks::keys);
  if (key == "scheduler.policy" && placed.kind == YamlNode::Kind::scalar)
    find_policy(placed.text, placed.mark, diagnostics);
}

void check_axis(const Sweep& sweep, const Axis& axis, bool alone, Diagnostics& diagnostics)
{
  const std::vector<AxisPlace> places = tried_places(axis);
  std::vector<Diagnostics> found(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    check_value(sweep, axis.key, axis.mark, axis.value(places[i]), found[i]);
  // A value of a launch may be wrong beside the base's others and right beside another axis's. If all are
  // wrong, it is the key.
  const bool all = std::none_of(found.begin(), found.end(), [](const Diagnostics& d) { return d.ok(); });
  if (!alone && is_workload_override(axis.key) && !all) return;
  for (std::size_t i = 0; i < places.size(); ++i)
    check_value(sweep, axis.key, axis.mark, axis.value(places[i]), diagnostics);
}

void check_derived(const Sweep& sweep, const SweepPoint& first, Diagnostics& diagnostics)
{
  PointScope scope(sweep);
  try {
    scope.enter(first);
  } catch (const ExpressionError& error) {
    const Mark mark = sweep.derived[0].mark;
    diagnostics.error({mark.source, 0, 0}, "", error.what());
    return;
  }
  for (std::size_t i = 0; i < sweep.derived.size(); ++i)
    check_value(sweep, sweep.derived[i].key, sweep.derived[i].mark, derived_node(scope.derived(i)),
                diagnostics);
}

}  // namespace

void check_sweep_values(const Sweep& sweep, Diagnostics& diagnostics)
{
  const auto of_workload = [](const auto& with_key) { return is_workload_override(with_key.key); };
  const auto touching = std::count_if(sweep.axes.begin(), sweep.axes.end(), of_workload) +
                        std::count_if(sweep.derived.begin(), sweep.derived.end(), of_workload);
  for (const Axis& axis : sweep.axes)
    check_axis(sweep, axis, touching == 1, diagnostics);
  if (!diagnostics.ok()) return;
  const auto first = PointCursor(sweep).next();
  if (!first)
    diagnostics.error(sweep.when[0].expression.mark(), "when",
                      "excludes every point; the conditions contradict each other, or the axes");
  else
    check_derived(sweep, *first, diagnostics);
}

}  // namespace smsim

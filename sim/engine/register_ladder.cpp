#include "engine/register_ladder.h"

#include "sm/register_cap.h"

#include <algorithm>

namespace smsim {
namespace {

using Cap = Located<std::uint32_t>;

Workload capped_at(const ArchConfig& arch, Workload workload, const std::optional<Cap>& cap,
                   Diagnostics& diagnostics)
{
  workload.kernel.launch_bounds.reset();
  workload.kernel.max_registers = cap;
  return with_register_cap(arch, std::move(workload), diagnostics);
}

bool can_run_with(const ArchConfig& arch, const Workload& workload, std::uint32_t registers)
{
  Diagnostics diagnostics;
  capped_at(arch, workload, Cap{registers, {}}, diagnostics);
  return diagnostics.ok();
}

}  // namespace

std::vector<Cap> caps_worth_a_run(const ArchConfig& arch, const Workload& workload)
{
  std::vector<Cap> caps;
  KernelConfig kernel = workload.kernel;
  const auto limit = [&](std::uint32_t registers) {
    kernel.registers_per_thread = registers;
    return calculate_occupancy(arch, kernel).limit(Limiter::registers);
  };
  const std::uint32_t need = workload.kernel.registers_per_thread;
  for (std::uint32_t registers = need; registers-- > 1;) {
    if (limit(registers) == limit(registers + 1)) continue;
    if (!can_run_with(arch, workload, registers)) break;
    caps.push_back({registers, {}});
  }
  Diagnostics diagnostics;
  const std::uint32_t own = with_register_cap(arch, workload, diagnostics).kernel.registers_per_thread;
  throw_if_errors(diagnostics);
  const auto place = std::find_if(caps.begin(), caps.end(), [&](const Cap& cap) { return cap.value <= own; });
  if (own < need && (place == caps.end() || place->value != own)) caps.insert(place, {own, {}});
  return caps;
}

std::vector<RegisterStep> run_register_ladder(const ArchConfig& arch, const Workload& workload,
                                              const std::vector<Cap>& caps, const RunOptions& options)
{
  Diagnostics diagnostics;
  std::vector<Workload> capped{capped_at(arch, workload, std::nullopt, diagnostics)};
  for (const Cap& cap : caps)
    capped.push_back(capped_at(arch, workload, cap, diagnostics));
  throw_if_errors(diagnostics);
  std::vector<RegisterStep> steps;
  bool any_runs = false;
  for (const Workload& each : capped) {
    RegisterStep& step = steps.emplace_back();
    step.registers = each.kernel.registers_per_thread;
    step.spills = each.spills.value_or(Spills{});
    step.occupancy = calculate_occupancy(arch, each.kernel);
    // Where no block can launch with any, the run of the last says why.
    const bool is_last_hope = !any_runs && &each == &capped.back();
    if (!step.occupancy.launchable() && !is_last_hope) continue;
    step.result = run_kernel(arch, each, options);
    any_runs = true;
  }
  return steps;
}

}  // namespace smsim

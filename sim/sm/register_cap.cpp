#include "sm/register_cap.h"

#include "occupancy/launch_bounds.h"

#include <algorithm>

namespace smsim {
namespace {

/// The cap that the launch states, if it states one that this architecture can keep.
std::optional<SpillRequest> stated_cap(const ArchConfig& arch, const KernelConfig& kernel,
                                       Diagnostics& diagnostics)
{
  SpillRequest cap;
  cap.need = kernel.registers_per_thread;
  cap.uses_counters = arch.dependencies == Dependencies::control_bits;
  if (kernel.max_registers) {
    cap.cap = kernel.max_registers->value;
    cap.mark = kernel.max_registers->mark;
    cap.path = "launch.max_registers";
    return cap;
  }
  if (!kernel.launch_bounds) return std::nullopt;
  cap.mark = kernel.launch_bounds->mark;
  cap.path = "launch.launch_bounds";
  std::string why;
  const auto registers = registers_within(arch, kernel.launch_bounds->value, why);
  if (registers)
    cap.cap = *registers;
  else
    diagnostics.error(cap.mark, cap.path, "cannot be kept on " + arch.name + ": " + why);
  return registers ? std::optional(cap) : std::nullopt;
}

/// Spills go through opcodes that the architecture must have.
void check_opcode(const ArchConfig& arch, const char* name, Access access, const SpillRequest& cap,
                  Diagnostics& diagnostics)
{
  const bool has = std::any_of(arch.opcodes.begin(), arch.opcodes.end(), [&](const OpcodeConfig& opcode) {
    return opcode.name == name && opcode.memory == MemorySpace::local && opcode.access == access;
  });
  if (!has)
    diagnostics.error(cap.mark, cap.path,
                      "values must be spilled, and " + arch.name + " has no opcode for it",
                      std::string("needed: ") + name +
                          ": {memory: local, access: " + (access == Access::load ? "load}" : "store}"));
}

}  // namespace

Workload with_register_cap(const ArchConfig& arch, Workload workload, Diagnostics& diagnostics)
{
  const auto cap = stated_cap(arch, workload.kernel, diagnostics);
  workload.kernel.max_registers.reset();
  workload.kernel.launch_bounds.reset();
  if (!cap || cap->cap >= cap->need) return workload;
  if (workload.traced) {
    // It was compiled already: the launch gets fewer registers, and nothing is spilled.
    workload.kernel.registers_per_thread = cap->cap;
    return workload;
  }
  const std::size_t errors_before = diagnostics.count();
  Program capped = workload.program;
  const Spills spills = spill_registers(capped, *cap, diagnostics);
  if (!spills.values.empty()) {
    check_opcode(arch, spill_load, Access::load, *cap, diagnostics);
    check_opcode(arch, spill_store, Access::store, *cap, diagnostics);
  }
  if (diagnostics.count() != errors_before) return workload;
  workload.kernel.registers_per_thread = cap->cap;
  workload.program = std::move(capped);
  workload.spills = spills;
  return workload;
}

}  // namespace smsim

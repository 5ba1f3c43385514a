// A program bound to an architecture: every mnemonic looked up, registers numbered densely, numbers ready for
// the issue stage. Made once a run, shared by all SMs, never changed.
#pragma once

#include "base/ids.h"
#include "config/arch_config.h"
#include "config/kernel_config.h"
#include "workload/program.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace smsim {

enum class OpKind : std::uint8_t {
  math,
  shared_access,
  global_access,
  nop,
  barrier,
  arrive,
  branch,
  fence,
  sleep,
  exit
};

/// A dense register number, or none.
using RegisterIndex = std::uint16_t;
inline constexpr RegisterIndex no_register = 0xFFFF;

/// One general-register operand that is read through a bank's port.
struct BankRead {
  RegisterId reg;
  std::uint8_t bank;
  std::uint8_t slot;
  bool reuse;
};

/// Cycles of one bank that an instruction needs, if no operand is kept from the instruction before.
struct BankNeed {
  std::uint8_t bank;
  std::uint8_t cycles;
  std::uint8_t slack;  ///< cycles that the bank may still be busy at allocation
};

struct BoundOp {
  OpKind kind = OpKind::nop;
  std::uint8_t group = 0;          ///< the issue group that it waits in (issue_group.h)
  std::uint8_t operand_count = 0;  ///< of `operands`
  bool region_edge = false;        ///< a region begins or ends right behind it
  bool loops = false;           ///< a loop ends there, and nothing else begins or ends at either of its edges
  bool pipe_is_shared = false;  ///< math: the pipe is the SM's
  bool draws_level = false;     ///< global access: the level is drawn
  WarpState result_state = WarpState::wait;
  WarpState stall_state = WarpState::wait;
  std::uint8_t barrier = 0;
  RegisterIndex destination = no_register;
  std::uint32_t loop_begin = 0;              ///< where that loop begins
  std::array<RegisterIndex, 10> operands{};  ///< that must be readable: sources and destination
  std::uint32_t bank_reads_begin = 0;        ///< range of BoundProgram::bank_reads
  std::uint32_t bank_reads_end = 0;
  std::uint32_t bank_needs_begin = 0;  ///< range of BoundProgram::bank_needs
  std::uint32_t bank_needs_end = 0;
  bool reuses = false;  ///< some operand is marked .reuse
  bool is_plain =
      true;  ///< nothing but results and its unit can hold back the instruction behind it, or itself
  std::uint32_t place = 0;      ///< in the code, in instructions: what the instruction cache goes by
  std::uint32_t draw_site = 0;  ///< numbers the instructions that draw a level
  std::uint32_t latency = 0;
  std::uint32_t interval = 1;
  std::uint32_t stall = 1;
  std::uint32_t bytes = 0;          ///< global access
  std::uint32_t passes = 1;         ///< shared access
  std::uint32_t barrier_warps = 0;  ///< warps that open the barrier; 0: all of the block that have not exited
  LevelMix levels;
  AddressPattern address;           ///< global access through the cache
  std::uint64_t constant_miss = 0;  ///< draws of 2^32 in which its immediate constant misses
  std::uint32_t constant_site = 0;  ///< draw site of that
  Access access = Access::load;
  std::uint8_t wait_mask = 0;  ///< dependence counters that must be 0
  std::int8_t write_counter = -1;
  std::int8_t read_counter = -1;
};

struct BoundProgram {
  std::vector<BoundOp> ops;
  std::vector<BankRead> bank_reads;
  std::vector<BankNeed> bank_needs;
  std::vector<Region> regions;
  std::vector<std::uint32_t> first_region_from;  ///< for each position, the first that begins there or later
  std::vector<Mark> marks;                       ///< of each op, for reports
  std::vector<std::string> mnemonics;            ///< of each op, for reports
  std::uint32_t register_count = 0;              ///< dense
  std::uint32_t draw_sites = 0;
  std::shared_ptr<const KernelTrace> trace;  ///< what each warp executes, where that was traced
  bool reads_ports = false;                  ///< some op can meet a register-port conflict
  bool shares_pipes = false;                 ///< some op goes to a pipe of the SM
  bool uses_cache = false;                   ///< some op has an address
  bool uses_counters = false;                ///< dependence counters instead of register checks
  bool independent = false;                  ///< divergence: a warp may have several paths at a time
  std::uint32_t shared_banks = 32;
};

inline std::span<const BankRead> reads_of(const BoundProgram& program, const BoundOp& op)
{
  return {program.bank_reads.data() + op.bank_reads_begin, program.bank_reads.data() + op.bank_reads_end};
}
inline std::span<const BankNeed> needs_of(const BoundProgram& program, const BoundOp& op)
{
  return {program.bank_needs.data() + op.bank_needs_begin, program.bank_needs.data() + op.bank_needs_end};
}

/// What the access touches that a warp of a traced program executes next; nothing for others.
inline std::span<const AccessRun> runs_of(const BoundProgram& program, const TraceCursor& cursor)
{
  return program.trace ? cursor.runs() : std::span<const AccessRun>();
}
/// Passes of an access through the shared stage.
inline std::uint32_t passes_of(const BoundProgram& program, const BoundOp& op, const TraceCursor& cursor)
{
  return program.trace && op.kind == OpKind::shared_access ? bank_passes(cursor.runs(), program.shared_banks)
                                                           : op.passes;
}

/// Instructions from `pc` on, which is the warp's next, as policies are told.
inline std::uint32_t remaining_of(const BoundProgram& program, std::uint32_t pc, const TraceCursor& cursor)
{
  return static_cast<std::uint32_t>(program.trace ? cursor.remaining() : program.ops.size() - pc);
}

/// Numbers of the issue groups: one for each math pipe, in the order of the architecture file, then these.
struct IssueGroups {
  std::uint8_t shared_memory = 0;
  std::uint8_t global_memory = 0;
  std::uint8_t free = 0;  ///< needs no unit: nop and control
  std::uint8_t count = 0;
};
IssueGroups issue_groups(const ArchConfig& arch);

/// Binds; an unknown opcode, an attribute that its opcode has no use for and a bad barrier are errors.
/// Numbers of regions that are drawn come from `seed`.
BoundProgram bind_program(const Program& program, const ArchConfig& arch, const KernelConfig& kernel,
                          std::uint64_t seed, Diagnostics& diagnostics);

}  // namespace smsim

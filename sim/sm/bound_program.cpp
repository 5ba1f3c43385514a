#include "sm/bound_program.h"

#include "base/spelling.h"
#include "sm/program_checks.h"
#include "sm/register_ports.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace smsim {
namespace {

WarpState state_of(ResultClass result, WarpState by_kind)
{
  switch (result) {
  case ResultClass::by_kind:
    return by_kind;
  case ResultClass::wait:
    return WarpState::wait;
  case ResultClass::short_scoreboard:
    return WarpState::short_scoreboard;
  case ResultClass::long_scoreboard:
    return WarpState::long_scoreboard;
  }
  return by_kind;
}

class Binder {
 public:
  Binder(const ArchConfig& arch, const KernelConfig& kernel, Diagnostics& diagnostics)
      : arch_(arch), kernel_(kernel), diagnostics_(diagnostics), groups_(issue_groups(arch))
  {
    for (std::size_t i = 0; i < arch.opcodes.size(); ++i)
      opcode_index_.emplace(arch.opcodes[i].name, i);
    for (std::size_t i = 0; i < arch.pipes.size(); ++i)
      pipe_index_.emplace(arch.pipes[i].name, i);
  }

  BoundProgram bind(const Program& program)
  {
    bound_.regions = program.regions;
    bound_.independent = arch_.divergence == Divergence::independent;
    bound_.shared_banks = arch_.shared_memory.banks;
    bound_.trace = program.trace;
    // A trace has no control bits: its registers say what waits for what.
    bound_.uses_counters = arch_.dependencies == Dependencies::control_bits && !program.trace;
    if (program.trace) bind_trace(program);
    for (const Instruction& instruction : program.code)
      bind_instruction(instruction);
    check_counters(program, diagnostics_);
    for (std::uint32_t position = 0, region = 0; position <= bound_.ops.size(); ++position) {
      while (region < program.regions.size() && program.regions[region].begin < position)
        ++region;
      bound_.first_region_from.push_back(region);
    }
    bind_regions(program);
    bound_.register_count = static_cast<std::uint32_t>(dense_.size());
    return std::move(bound_);
  }

 private:
  void bind_regions(const Program& program)
  {
    std::vector<std::uint32_t> edges(bound_.ops.size() + 1, 0);
    bool splits = false;
    for (const Region& region : program.regions) {
      ++edges[region.begin];
      ++edges[region.end];
      if (region.kind == Region::Kind::split) {
        ++edges[region.middle];
        splits = true;
        bind_split(region, program);
      }
    }
    for (std::size_t i = 0; i < bound_.ops.size(); ++i) {
      bound_.ops[i].region_edge = edges[i + 1] > 0;
      // Behind each instruction of a trace the walk asks it for the next.
      if (program.trace) bound_.ops[i].region_edge = true;
      // Any edge may lead into a split: a loop goes back to it.
      if (splits && edges[i + 1] > 0) bound_.ops[i].is_plain = false;
    }
    for (const Region& region : program.regions) {
      if (region.kind != Region::Kind::loop || edges[region.begin] > 1 || edges[region.end] > 1) continue;
      bound_.ops[region.end - 1].loops = true;
      bound_.ops[region.end - 1].loop_begin = region.begin;
    }
  }

  /// What a warp does at the edges and on the sides of a split is more than the short way can do.
  void bind_split(const Region& split, const Program& program)
  {
    const Varying& share = split.lanes.value;
    const std::uint64_t all = split.lanes.is_fraction ? LaneShare::whole : arch_.sm.warp_size;
    const bool divides = share.may_be(1, all - 1);
    for (std::uint32_t i = split.begin; i < split.end; ++i) {
      BoundOp& op = bound_.ops[i];
      op.is_plain = false;
      if (divides && (op.kind == OpKind::barrier || op.kind == OpKind::arrive))
        error(program.code[i], "a barrier on one side of an if that divides warps never lets them reconverge",
              "put it behind the if, or let each warp take one side as a whole (fraction 0 or 1)");
    }
    const std::uint64_t most = split.lanes.is_fraction ? 0 : share.largest();
    if (most > arch_.sm.warp_size && split.begin < program.code.size())
      diagnostics_.error(split.mark, "lanes",
                         (share.drawn ? "draws up to " : "") + std::to_string(most) + " lanes of a warp",
                         "allowed: 0 to " + std::to_string(arch_.sm.warp_size) +
                             (share.drawn ? "; least and most clip a draw" : ""));
  }

  void bind_trace(const Program& program)
  {
    constexpr std::uint32_t traced_warp = 32;
    if (arch_.sm.warp_size != traced_warp && !program.code.empty())
      error(program.code.front(),
            "a trace has warps of 32 threads, " + arch_.name + " of " + std::to_string(arch_.sm.warp_size));
    bound_.draw_sites = 2;  // of all its accesses: each warp counts them in one row
  }

  void error(const Instruction& instruction, const std::string& what, const std::string& allowed = {})
  {
    diagnostics_.error(instruction.mark, instruction.mnemonic, what, allowed);
  }

  RegisterIndex dense(RegisterId reg)
  {
    return dense_.emplace(reg, static_cast<RegisterIndex>(dense_.size())).first->second;
  }

  void bind_instruction(const Instruction& instruction)
  {
    BoundOp op;
    const auto found = opcode_index_.find(instruction.mnemonic);
    if (found == opcode_index_.end()) {
      std::vector<std::string> names;
      for (const OpcodeConfig& known : arch_.opcodes)
        names.push_back(known.name);
      const bool is_operand = instruction.mnemonic.size() > 1 &&
                              (instruction.mnemonic[0] == 'r' || instruction.mnemonic[0] == 'p') &&
                              std::isdigit(static_cast<unsigned char>(instruction.mnemonic[1]));
      diagnostics_.error(instruction.mark, "",
                         "no opcode of " + arch_.name + " is named '" + instruction.mnemonic + "'",
                         is_operand ? "a comma ends an item of a [list]: put the whole instruction in quotes"
                                    : allowed_words(instruction.mnemonic, names));
    } else {
      const OpcodeConfig& opcode = arch_.opcodes[found->second];
      if (!opcode.pipe.empty()) bind_math(op, opcode);
      if (opcode.memory != MemorySpace::none) bind_memory(op, opcode, instruction);
      if (opcode.control != Control::none) bind_control(op, opcode, instruction);
      reject_useless_attributes(instruction, op, diagnostics_);
    }
    // A warp that yields may not issue in the next cycle: the same as a stall of 2.
    op.stall = std::max(instruction.stall, instruction.yield ? 2U : 1U);
    op.stall_state = instruction.stall_state;
    bind_registers(op, instruction);
    bind_control_bits(op, instruction);
    if (instruction.constant_miss > 0) {
      op.constant_miss = instruction.constant_miss;
      op.constant_site = bound_.draw_sites++;
    }
    constexpr OpKind plain_kinds[] = {OpKind::math, OpKind::shared_access, OpKind::global_access,
                                      OpKind::nop};
    op.is_plain =
        std::find(std::begin(plain_kinds), std::end(plain_kinds), op.kind) != std::end(plain_kinds) &&
        op.stall == 1 && op.wait_mask == 0 && op.write_counter < 0 && op.read_counter < 0 &&
        op.constant_miss == 0 && !arch_.instruction_supply.lines;
    op.place = bound_.trace ? instruction.place : static_cast<std::uint32_t>(bound_.ops.size());
    bound_.ops.push_back(op);
    bound_.marks.push_back(instruction.mark);
    bound_.mnemonics.push_back(instruction.mnemonic);
  }

  void bind_math(BoundOp& op, const OpcodeConfig& opcode)
  {
    const std::size_t index = pipe_index_.at(opcode.pipe);
    const PipeConfig& pipe = arch_.pipes[index];
    op.kind = OpKind::math;
    op.group = static_cast<std::uint8_t>(index);
    op.pipe_is_shared = pipe.scope == Scope::sm;
    bound_.shares_pipes |= op.pipe_is_shared;
    op.interval = opcode.interval ? opcode.interval : arch_.sm.warp_size / pipe.lanes;
    op.latency = opcode.latency;
    op.result_state = state_of(opcode.result, WarpState::wait);
  }

  void bind_memory(BoundOp& op, const OpcodeConfig& opcode, const Instruction& instruction)
  {
    if (opcode.memory == MemorySpace::shared) {
      op.kind = OpKind::shared_access;
      op.group = groups_.shared_memory;
      op.latency = opcode.latency;
      op.passes = instruction.lane_stride ? conflict_degree(*instruction.lane_stride)
                                          : std::max(instruction.bank_conflicts, 1U);
      op.result_state = state_of(opcode.result, WarpState::short_scoreboard);
      return;
    }
    constexpr std::uint32_t sector = 32;
    op.kind = OpKind::global_access;
    op.group = groups_.global_memory;
    op.bytes = instruction.sectors ? instruction.sectors * sector : arch_.sm.warp_size * 4;
    op.levels = instruction.levels;
    op.access = opcode.access;
    op.address = instruction.address;
    op.draws_level = instruction.levels.needs_draw();
    const bool has_address = instruction.address.kind != AddressPattern::Kind::none;
    if (has_address) {
      bound_.uses_cache = true;
      check_address(instruction, op.bytes);
    }
    if (bound_.trace) {
      op.bytes = 0;  // each execution touches sectors of its own
      return bind_result(op, opcode);
    }
    // Two sites: one to draw the level, the next to draw an address; both count the same repetitions.
    if (op.draws_level || has_address) {
      op.draw_site = bound_.draw_sites;
      bound_.draw_sites += 2;
    }
    bind_result(op, opcode);
  }

  static void bind_result(BoundOp& op, const OpcodeConfig& opcode)
  {
    op.result_state = state_of(opcode.result, WarpState::long_scoreboard);
  }

  void bind_control(BoundOp& op, const OpcodeConfig& opcode, const Instruction& instruction)
  {
    op.group = groups_.free;
    op.latency = opcode.latency;
    if (opcode.control == Control::exit) op.kind = OpKind::exit;
    if (opcode.control == Control::branch) op.kind = OpKind::branch;
    if (opcode.control == Control::fence) op.kind = OpKind::fence;
    if (opcode.control == Control::sleep) bind_sleep(op, instruction);
    if (opcode.control == Control::barrier || opcode.control == Control::arrive) {
      bind_barrier(op, instruction);
      if (opcode.control == Control::arrive) bind_arrive(op, instruction);
    }
  }

  void bind_sleep(BoundOp& op, const Instruction& instruction)
  {
    constexpr std::uint64_t most = 1'000'000'000;
    op.kind = OpKind::sleep;
    if (instruction.immediates.size() != 1 || instruction.immediates[0] == 0 ||
        instruction.immediates[0] > most)
      error(instruction, "needs a number of cycles", "allowed: 1 to 1000000000");
    else
      op.latency = static_cast<std::uint32_t>(instruction.immediates[0]);
  }

  void bind_arrive(BoundOp& op, const Instruction& instruction)
  {
    op.kind = OpKind::arrive;
    if (instruction.immediates.size() == 1)
      error(instruction, "needs the number of threads that the barrier waits for",
            "expected: such as bar.arrive 0, 64");
  }

  /// The most lanes that want different words of one bank at a time: passes of a shared access.
  [[nodiscard]] std::uint32_t conflict_degree(std::uint64_t stride) const
  {
    if (stride == 0) return 1;
    std::vector<std::uint32_t> words(arch_.shared_memory.banks, 0);
    for (std::uint64_t lane = 0; lane < arch_.sm.warp_size; ++lane)
      ++words[lane * stride % words.size()];
    return *std::max_element(words.begin(), words.end());
  }

  void check_address(const Instruction& instruction, std::uint32_t bytes)
  {
    // One instruction's addresses have 2^44 bytes of room (address_pattern.h).
    constexpr std::uint64_t room = std::uint64_t{1} << 44U;
    const std::uint64_t warps =
        kernel_.blocks() * ((kernel_.threads_per_block() + arch_.sm.warp_size - 1) / arch_.sm.warp_size);
    const AddressPattern& pattern = instruction.address;
    if (pattern.kind == AddressPattern::Kind::traced) return;
    const bool is_local = pattern.kind == AddressPattern::Kind::local;
    const bool per_warp = pattern.kind == AddressPattern::Kind::strided || is_local;
    const bool per_block = pattern.kind == AddressPattern::Kind::block_shared;
    const std::uint64_t owners = per_warp ? warps : per_block ? kernel_.blocks() : 1;
    const bool too_many_warps = pattern.kind == AddressPattern::Kind::streaming && warps > room / bytes;
    const std::uint64_t footprint = is_local ? std::uint64_t{pattern.slots} * bytes : pattern.footprint;
    if (too_many_warps || footprint > room / owners)
      error(instruction, "its addresses overflow",
            "allowed: 16 TiB in all, over the warps or blocks that have their own footprint");
  }

  void bind_control_bits(BoundOp& op, const Instruction& instruction)
  {
    op.wait_mask = instruction.wait_mask;
    op.write_counter = instruction.write_counter;
    op.read_counter = instruction.read_counter;
    const bool given = op.wait_mask != 0 || op.write_counter >= 0 || op.read_counter >= 0;
    if (bound_.uses_counters)
      op.operand_count = 0;
    else if (given)
      error(instruction, "dependence counters have no effect",
            "set dependencies: control_bits in the architecture, or leave them out");
  }

  void bind_barrier(BoundOp& op, const Instruction& instruction)
  {
    op.kind = OpKind::barrier;
    const auto& numbers = instruction.immediates;
    if (numbers.empty() || numbers.size() > 2) {
      error(instruction, "needs a barrier number",
            "expected: such as bar.sync 0, or bar.sync 0, 64 for 64 threads");
      return;
    }
    const std::uint32_t most = std::min(arch_.sm.barriers_per_block_limit, kernel_.barriers);
    if (numbers[0] >= most) {
      error(instruction, "barrier " + std::to_string(numbers[0]) + " does not exist",
            most == 0 ? "the launch has barriers: 0"
                      : "allowed: 0 to " + std::to_string(most - 1) + " (launch.barriers: " +
                            std::to_string(kernel_.barriers) + ", sm.barriers_per_block_limit: " +
                            std::to_string(arch_.sm.barriers_per_block_limit) + ")");
      return;
    }
    op.barrier = static_cast<std::uint8_t>(numbers[0]);
    if (numbers.size() < 2) return;
    if (numbers[1] == 0 || numbers[1] % arch_.sm.warp_size != 0 || numbers[1] > 65536) {
      error(instruction, std::to_string(numbers[1]) + " threads at a barrier",
            "allowed: a multiple of the warp size, " + std::to_string(arch_.sm.warp_size));
      return;
    }
    op.barrier_warps = static_cast<std::uint32_t>(numbers[1]) / arch_.sm.warp_size;
  }

  void bind_registers(BoundOp& op, const Instruction& instruction)
  {
    if (op.kind == OpKind::exit && instruction.destination)
      error(instruction, "writes nothing; it takes no operand");
    const auto must_be_ready = [&](RegisterId reg) {
      const RegisterIndex index = dense(reg);
      const auto end = op.operands.begin() + op.operand_count;
      if (std::find(op.operands.begin(), end, index) == end) op.operands[op.operand_count++] = index;
    };
    for (const SourceOperand& source : instruction.sources)
      must_be_ready(source.reg);
    if (instruction.destination) {
      must_be_ready(*instruction.destination);
      op.destination = dense(*instruction.destination);
    }
    op.bank_reads_begin = static_cast<std::uint32_t>(bound_.bank_reads.size());
    if (arch_.register_file.read_window > 0) {
      for (const SourceOperand& source : instruction.sources) {
        if (source.reg >= first_predicate) continue;
        const auto bank = static_cast<std::uint8_t>(source.reg % arch_.register_file.banks);
        bound_.bank_reads.push_back({source.reg, bank, source.slot, source.reuse});
        bound_.reads_ports = true;
      }
    }
    op.bank_reads_end = static_cast<std::uint32_t>(bound_.bank_reads.size());
    bind_bank_needs(op);
  }

  void bind_bank_needs(BoundOp& op)
  {
    op.bank_needs_begin = static_cast<std::uint32_t>(bound_.bank_needs.size());
    std::vector<std::uint32_t> reads(arch_.register_file.banks, 0);
    for (std::uint32_t i = op.bank_reads_begin; i < op.bank_reads_end; ++i) {
      ++reads[bound_.bank_reads[i].bank];
      op.reuses = op.reuses || bound_.bank_reads[i].reuse;
    }
    for (std::size_t bank = 0; bank < reads.size(); ++bank)
      if (reads[bank] > 0) bound_.bank_needs.push_back(bank_need(arch_.register_file, bank, reads[bank]));
    op.bank_needs_end = static_cast<std::uint32_t>(bound_.bank_needs.size());
  }

  const ArchConfig& arch_;
  const KernelConfig& kernel_;
  Diagnostics& diagnostics_;
  IssueGroups groups_;
  std::unordered_map<std::string, std::size_t> opcode_index_;
  std::unordered_map<std::string, std::size_t> pipe_index_;
  std::unordered_map<RegisterId, RegisterIndex> dense_;
  BoundProgram bound_;
};

}  // namespace

IssueGroups issue_groups(const ArchConfig& arch)
{
  const auto pipes = static_cast<std::uint8_t>(arch.pipes.size());
  return {pipes, static_cast<std::uint8_t>(pipes + 1), static_cast<std::uint8_t>(pipes + 2),
          static_cast<std::uint8_t>(pipes + 3)};
}

BoundProgram bind_program(const Program& program, const ArchConfig& arch, const KernelConfig& kernel,
                          std::uint64_t seed, Diagnostics& diagnostics)
{
  BoundProgram bound = Binder(arch, kernel, diagnostics).bind(program);
  seed_draws(bound.regions, seed);
  return bound;
}

}  // namespace smsim

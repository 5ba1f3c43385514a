#include "engine/trace_recorder.h"

#include "sm/program_walk.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

namespace smsim {
namespace {

struct SassName {
  std::string_view opcode;
  std::string_view sass;
};
/// The mnemonic that arch_configs/sass/sass.yaml takes for the opcode again.
constexpr SassName sass_names[] = {{"fadd", "FADD"},
                                   {"fmul", "FMUL"},
                                   {"ffma", "FFMA"},
                                   {"imad", "IMAD"},
                                   {"iadd3", "IADD3"},
                                   {"lop3", "LOP3.LUT"},
                                   {"shf", "SHF.L.U32"},
                                   {"mov", "MOV"},
                                   {"sel", "SEL"},
                                   {"isetp", "ISETP.NE.AND"},
                                   {"hadd2", "HADD2"},
                                   {"hfma2", "HFMA2"},
                                   {"dadd", "DADD"},
                                   {"dmul", "DMUL"},
                                   {"dfma", "DFMA"},
                                   {"mufu", "MUFU.RCP"},
                                   {"i2f", "I2F"},
                                   {"f2i", "F2I"},
                                   {"popc", "POPC"},
                                   {"hmma", "HMMA.16816.F32"},
                                   {"shfl", "SHFL.IDX"},
                                   {"ldc", "LDC"},
                                   {"nop", "NOP"},
                                   {"exit", "EXIT"},
                                   {"membar", "MEMBAR.SC.GPU"},
                                   {"bra", "BRA"},
                                   {"bar.sync", "BAR.SYNC.DEFER_BLOCKING"},
                                   {"ld.global", "LDG.E"},
                                   {"st.global", "STG.E"},
                                   {"atom.global", "ATOMG.E.ADD"},
                                   {"ld.local", "LDL"},
                                   {"st.local", "STL"},
                                   {"ld.shared", "LDS"},
                                   {"st.shared", "STS"},
                                   {"atom.shared", "ATOMS.ADD"}};

std::string_view sass_of(std::string_view opcode)
{
  const auto found = std::find_if(std::begin(sass_names), std::end(sass_names),
                                  [&](const SassName& name) { return name.opcode == opcode; });
  return found == std::end(sass_names) ? std::string_view() : found->sass;
}

std::string hex(std::uint64_t value, int digits)
{
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "%0*llx", digits, static_cast<unsigned long long>(value));
  return text.data();
}

class Recorder {
 public:
  Recorder(const ArchConfig& arch, const Workload& workload, std::uint64_t seed, OutputFile& out,
           std::vector<std::string>& notes, Diagnostics& diagnostics)
      : arch_(arch), workload_(workload), seed_(seed), out_(out), notes_(notes), diagnostics_(diagnostics)
  {
  }

  void record()
  {
    check();
    if (!diagnostics_.ok()) return;
    // A warp's threads go one side after the other, as a trace says it.
    ArchConfig serial = arch_;
    serial.divergence = Divergence::stack;
    program_ = bind_program(workload_.program, serial, workload_.kernel, seed_, diagnostics_);
    if (!diagnostics_.ok()) return;
    if (workload_.program.code.empty() || workload_.program.code.back().mnemonic != "exit")
      notes_.emplace_back("the program does not end in exit: each warp got one more instruction");
    write_header();
    const std::uint64_t blocks = workload_.kernel.blocks();
    for (std::uint64_t block = 0; block < blocks; ++block)
      write_block(block);
  }

 private:
  void error(const Instruction& instruction, const std::string& what)
  {
    diagnostics_.error(instruction.mark, instruction.mnemonic, "a trace cannot say " + what);
  }

  void check()
  {
    if (workload_.traced)
      diagnostics_.error(workload_.document.mark, "", "is a trace already");
    else if (workload_.kernel.max_registers || workload_.kernel.launch_bounds)
      diagnostics_.error(workload_.document.mark, "", "a trace cannot say which registers are spilled",
                         "leave out launch.max_registers and launch.launch_bounds");
    bool places = false;
    bool predicates = false;
    RegisterId highest = highest_register(workload_.program).value_or(0);
    for (const Instruction& instruction : workload_.program.code) {
      check_instruction(instruction);
      const auto is_predicate = [](RegisterId reg) { return reg >= first_predicate; };
      predicates |= instruction.destination && is_predicate(*instruction.destination);
      for (const SourceOperand& source : instruction.sources)
        predicates |= is_predicate(source.reg);
      places |= is_global(instruction) && instruction.address.kind == AddressPattern::Kind::none;
    }
    constexpr RegisterId room = 254 - 7;
    predicate_base_ = static_cast<RegisterId>(highest + 1);
    if (predicates && highest > room && !workload_.program.code.empty())
      error(workload_.program.code.front(), "predicates of a program that uses register " +
                                                std::to_string(highest) + ": they become registers above it");
    if (predicates)
      notes_.emplace_back("predicates became registers: they are read through register ports now");
    if (places)
      notes_.emplace_back("accesses without address: got streaming ones; a run of the trace asks L1 for "
                          "them, and what it misses "
                          "comes from the level that --set level=... says");
  }

  void check_instruction(const Instruction& instruction)
  {
    if (sass_of(instruction.mnemonic).empty()) error(instruction, "what it does");
    if (instruction.stall > 1 || instruction.yield) error(instruction, "stall counts");
    if (instruction.constant_miss > 0) error(instruction, "constant_miss");
    if (instruction.wait_mask != 0 || instruction.write_counter >= 0 || instruction.read_counter >= 0)
      error(instruction, "dependence counters");
    if (instruction.mnemonic == "bar.sync" && instruction.immediates.size() > 1)
      error(instruction, "for how many threads a barrier waits");
    for (const SourceOperand& source : instruction.sources)
      if (source.reuse) error(instruction, "reuse of operands");
  }

  static bool is_global(const Instruction& instruction)
  {
    const std::string& name = instruction.mnemonic;
    return name.ends_with(".global") || name.ends_with(".local");
  }

  void write_header()
  {
    const KernelConfig& kernel = workload_.kernel;
    const auto extents = [](const std::array<std::uint32_t, 3>& of) {
      return "(" + std::to_string(of[0]) + "," + std::to_string(of[1]) + "," + std::to_string(of[2]) + ")";
    };
    std::string version = arch_.compute_capability;
    version.erase(std::remove(version.begin(), version.end(), '.'), version.end());
    std::ostringstream text;
    text << "-kernel name = " << workload_.name << "\n-kernel id = 1\n-grid dim = " << extents(kernel.grid)
         << "\n-block dim = " << extents(kernel.block)
         << "\n-shmem = " << kernel.static_shared_bytes + kernel.dynamic_shared_bytes
         << "\n-nregs = " << kernel.registers_per_thread << "\n-binary version = " << version
         << "\n-cuda stream id = 0\n-shmem base_addr = 0x" << hex(shared_base, 16)
         << "\n-local mem base_addr = 0x" << hex(local_base, 16)
         << "\n-nvbit version = none\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
            "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
            "[adrrescompress?] [mem_addresses] immediate\n\n";
    out_.write(text.str());
  }

  void write_block(std::uint64_t block)
  {
    const auto& grid = workload_.kernel.grid;
    out_.write("\n#BEGIN_TB\n\nthread block = " + std::to_string(block % grid[0]) + ',' +
               std::to_string(block / grid[0] % grid[1]) + ',' + std::to_string(block / grid[0] / grid[1]) +
               "\n");
    const std::uint64_t threads = workload_.kernel.threads_per_block();
    for (std::uint32_t warp = 0; warp * std::uint64_t{arch_.sm.warp_size} < threads; ++warp) {
      lines_.clear();
      const std::uint64_t count = walk_warp(block, warp);
      out_.write("\nwarp = " + std::to_string(warp) + "\ninsts = " + std::to_string(count) + "\n" + lines_);
    }
    out_.write("\n#END_TB\n");
  }

  std::uint64_t walk_warp(std::uint64_t block, std::uint32_t number)
  {
    ProgramWalk walk(program_);
    std::vector<std::uint64_t> ready(program_.register_count);
    std::vector<std::uint64_t> repetitions(program_.draw_sites);
    Warp warp;
    warp.ready = ready.data();
    warp.repetitions = repetitions.data();
    warp.block = BlockId{block};
    warp.warp_in_block = number;
    const std::uint32_t all = workload_.kernel.lanes_of_warp(number, arch_.sm.warp_size);
    warp.lanes = all;
    std::uint64_t count = 0;
    bool has_exited = false;
    walk.start(warp);
    while (!has_exited && warp.pc < program_.ops.size()) {
      if (++written_ > most_recorded)
        throw RunError(workload_.name + ": more than " + std::to_string(most_recorded) +
                       " instructions; a smaller grid (--set launch.grid=N) makes a smaller trace\n");
      ++count;
      const BoundOp& op = program_.ops[warp.pc];
      write_line(warp, op);
      if (op.kind == OpKind::exit)
        has_exited = !walk.exit_lanes(warp);
      else
        walk.advance(warp);
    }
    if (has_exited) return count;
    write_words(program_.ops.size(), all, "EXIT", nullptr);
    lines_ += " 0 0 \n";
    return count + 1;
  }

  /// PC, mask, registers and mnemonic.
  void write_words(std::uint64_t place, std::uint32_t lanes, std::string_view sass,
                   const Instruction* instruction)
  {
    const auto name = [&](RegisterId reg) {
      return " R" + std::to_string(reg < first_predicate ? reg : predicate_base_ + reg - first_predicate);
    };
    const std::uint64_t mask = (std::uint64_t{1} << lanes) - 1;
    lines_ += hex(place * 16, 4) + ' ' + hex(mask, 8);
    lines_ += instruction && instruction->destination ? " 1" + name(*instruction->destination) : " 0";
    lines_ += ' ';
    lines_ += sass;
    lines_ += ' ' + std::to_string(instruction ? instruction->sources.size() : 0);
    if (instruction)
      for (const SourceOperand& source : instruction->sources)
        lines_ += name(source.reg);
  }

  void write_line(Warp& warp, const BoundOp& op)
  {
    const Instruction& instruction = workload_.program.code[warp.pc];
    write_words(warp.pc, warp.lanes, sass_of(instruction.mnemonic), &instruction);
    if (op.kind == OpKind::global_access)
      write_sectors(warp, op, instruction);
    else if (op.kind == OpKind::shared_access)
      write_shared(warp, op, instruction);
    else
      lines_ += " 0";
    lines_ += ' ' + std::to_string(op.kind == OpKind::barrier ? op.barrier : 0U) + " \n";
  }

  /// Each active thread touches one of the access's sectors, or several where there are fewer threads.
  void write_sectors(Warp& warp, const BoundOp& op, const Instruction& instruction)
  {
    AddressPattern pattern = op.address;
    const bool has_place = pattern.kind != AddressPattern::Kind::none;
    if (!has_place) pattern.kind = AddressPattern::Kind::streaming;
    std::uint64_t repetition = 0;
    if (has_place || op.draws_level)
      repetition = warp.repetitions[op.draw_site]++;
    else
      repetition = own_repetitions_++;
    const std::uint64_t threads = workload_.kernel.threads_per_block();
    const AccessIdentity access{
        seed_,
        warp.block.value(),
        warp.warp_in_block,
        static_cast<std::uint32_t>((threads + arch_.sm.warp_size - 1) / arch_.sm.warp_size),
        workload_.kernel.blocks(),
        (has_place || op.draws_level ? op.draw_site : own_site) + 1U,
        repetition};
    const std::uint64_t begin = address_of(pattern, access, op.bytes);
    if (begin >= std::uint64_t{1} << 55U)
      throw RunError(workload_.name + ": " + instruction.mnemonic +
                     " of too many with an address; a trace has room for those of 2000 instructions\n");
    const std::uint64_t sectors = (op.bytes + 31) / 32;
    const std::uint64_t of_a_thread = (sectors + warp.lanes - 1) / warp.lanes;
    const std::uint64_t width = of_a_thread == 1 ? 4 : of_a_thread * 32;
    addresses_.clear();
    for (std::uint64_t lane = 0; lane < warp.lanes; ++lane) {
      const std::uint64_t sector = of_a_thread == 1 ? lane * sectors / warp.lanes
                                                    : std::min(lane * of_a_thread, sectors - of_a_thread);
      // Neighbouring threads of a sector take neighbouring words of it, where all fit.
      const bool coalesced = of_a_thread == 1 && std::uint64_t{warp.lanes} * 4 == sectors * 32;
      addresses_.push_back(begin + (coalesced ? lane * 4 : sector * 32));
    }
    write_addresses(width);
  }

  /// As a base and a stride where that says it, else each.
  void write_addresses(std::uint64_t width)
  {
    lines_ += ' ' + std::to_string(width);
    const std::uint64_t stride = addresses_.size() > 1 ? addresses_[1] - addresses_[0] : 0;
    bool is_even = true;
    for (std::size_t i = 1; i < addresses_.size(); ++i)
      is_even = is_even && addresses_[i] - addresses_[i - 1] == stride;
    lines_ += is_even ? " 1" : " 0";
    for (std::size_t i = 0; i < (is_even ? 1 : addresses_.size()); ++i)
      lines_ += " 0x" + hex(addresses_[i], 16);
    if (is_even) lines_ += ' ' + std::to_string(static_cast<std::int64_t>(stride));
  }

  /// Addresses with as many words of one bank as the access takes passes.
  void write_shared(const Warp& warp, const BoundOp& op, const Instruction& instruction)
  {
    if (op.passes > warp.lanes)
      throw RunError(workload_.name + ": " + instruction.mnemonic + " takes " + std::to_string(op.passes) +
                     " passes, which " + std::to_string(warp.lanes) + " active threads cannot cause\n");
    addresses_.clear();
    const std::uint64_t banks = arch_.shared_memory.banks;
    for (std::uint64_t lane = 0; lane < warp.lanes; ++lane)
      addresses_.push_back(4 * (op.passes > 1 && lane < op.passes ? lane * banks : lane % banks));
    write_addresses(4);
  }

  static constexpr std::uint64_t shared_base = 0x00FF'0000'0000'0000;  // where no address of a pattern is
  static constexpr std::uint64_t local_base = 0x00FE'0000'0000'0000;
  static constexpr std::uint32_t own_site = 2040;

  const ArchConfig& arch_;
  const Workload& workload_;
  std::uint64_t seed_;
  OutputFile& out_;
  std::vector<std::string>& notes_;
  Diagnostics& diagnostics_;
  BoundProgram program_;
  RegisterId predicate_base_ = 0;
  std::uint64_t own_repetitions_ = 0;
  std::uint64_t written_ = 0;
  std::vector<std::uint64_t> addresses_;  ///< scratch
  std::string lines_;
};

}  // namespace

void record_trace(const ArchConfig& arch, const Workload& workload, std::uint64_t seed, OutputFile& out,
                  std::vector<std::string>& notes, Diagnostics& diagnostics)
{
  Recorder(arch, workload, seed, out, notes, diagnostics).record();
}

}  // namespace smsim

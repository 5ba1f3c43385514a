#include "workload/spill_pass.h"

#include <algorithm>
#include <array>
#include <optional>

namespace smsim {
namespace {

/// Executions of an instruction by a warp, in 1/1024 for averages that are no whole number; those beyond 2^52
/// count as 2^52, more than any run has cycles.
constexpr std::uint64_t once = 1024;
constexpr std::uint64_t most = std::uint64_t{1} << 62U;

std::uint64_t times(std::uint64_t executions, std::uint64_t count)
{
  if (count != 0 && executions > most / count) return most;
  return executions * count / once;
}

class SpillPass {
 public:
  SpillPass(const Program& program, const SpillRequest& request, Diagnostics& diagnostics)
      : program_(program), request_(request), diagnostics_(diagnostics), loads_(program.code.size(), 0)
  {
  }

  /// Nothing where there is an error.
  std::optional<Program> run(Spills& spills)
  {
    count_uses();
    if (!choose()) return std::nullopt;
    if (spilled_count_ > 0 && request_.uses_counters && !find_counter()) return std::nullopt;
    number_registers();
    Program out = rewrite();
    if (out.code.size() > max_instructions) {
      error(request_.mark, request_.path,
            "with its spills the program is longer than " + std::to_string(max_instructions) +
                " instructions",
            "allow more registers");
      return std::nullopt;
    }
    spills.values = slots_;
    spills.scratch = static_cast<std::uint32_t>(scratch_.size());
    return out;
  }

 private:
  struct Value {
    bool named = false;
    bool is_written = false;
    std::vector<std::uint32_t> readers;  ///< instructions
    std::uint64_t uses = 0;              ///< loads and stores that it would cost
    bool spilled = false;
    std::uint32_t slot = 0;
    RegisterId number = 0;  ///< what it becomes where it is not spilled
  };

  void error(const Mark& mark, std::string_view path, const std::string& what, const std::string& allowed)
  {
    diagnostics_.error(mark, path, what, allowed);
  }

  /// The general registers that an instruction reads, each once, in the order of its operands.
  static std::vector<RegisterId> reads(const Instruction& instruction)
  {
    std::vector<RegisterId> found;
    for (const SourceOperand& source : instruction.sources)
      if (source.reg < first_predicate && std::find(found.begin(), found.end(), source.reg) == found.end())
        found.push_back(source.reg);
    return found;
  }
  static bool writes(const Instruction& instruction)
  {
    return instruction.destination && *instruction.destination < first_predicate;
  }

  void count_uses()
  {
    std::vector<std::uint64_t> executions(program_.code.size(), once);
    for (const Region& region : program_.regions) {
      if (region.kind != Region::Kind::loop) continue;
      const auto count = static_cast<std::uint64_t>(region.count.average() * once);
      for (std::uint32_t i = region.begin; i < region.end; ++i)
        executions[i] = times(executions[i], count);
    }
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      const auto use = [&](RegisterId reg) {
        values_[reg].named = true;
        values_[reg].uses = std::min(most, values_[reg].uses + executions[i]);
      };
      for (const RegisterId reg : reads(program_.code[i])) {
        use(reg);
        values_[reg].readers.push_back(static_cast<std::uint32_t>(i));
      }
      if (!writes(program_.code[i])) continue;
      use(*program_.code[i].destination);
      values_[*program_.code[i].destination].is_written = true;
    }
  }

  /// Spills as few values as can be, the least used first, of equals the higher register.
  bool choose()
  {
    std::vector<RegisterId> order;
    for (RegisterId reg = 0; reg < first_predicate; ++reg)
      if (values_[reg].named) order.push_back(reg);
    const auto named = static_cast<std::uint32_t>(order.size());
    std::sort(order.begin(), order.end(), [this](RegisterId a, RegisterId b) {
      return values_[a].uses != values_[b].uses ? values_[a].uses < values_[b].uses : a > b;
    });
    std::uint32_t scratch =
        0;  // one for each value that an instruction loads; its result goes into one of them
    while (named - spilled_count_ + scratch > request_.cap) {
      if (spilled_count_ == named) {
        tell_what_does_not_fit();
        return false;
      }
      Value& value = values_[order[spilled_count_++]];
      value.spilled = true;
      if (value.is_written) scratch = std::max(scratch, 1U);
      for (const std::uint32_t reader : value.readers)
        scratch = std::max(scratch, ++loads_[reader]);
    }
    scratch_.resize(scratch);
    return true;
  }

  /// All is spilled: what an instruction loads is all that it needs.
  void tell_what_does_not_fit()
  {
    for (std::size_t i = 0; i < loads_.size(); ++i)
      if (loads_[i] > request_.cap)
        error(program_.code[i].mark, program_.code[i].mnemonic,
              "needs " + std::to_string(loads_[i]) + " registers at once",
              request_.path + " leaves " + std::to_string(request_.cap));
  }

  bool find_counter()
  {
    unsigned used = 0;
    for (const Instruction& instruction : program_.code) {
      used |= instruction.wait_mask;
      for (const std::int8_t counter : {instruction.write_counter, instruction.read_counter})
        if (counter >= 0) used |= 1U << static_cast<unsigned>(counter);
    }
    for (counter_ = 0; (used & (1U << static_cast<unsigned>(counter_))) != 0; ++counter_)
      ;
    if (static_cast<std::size_t>(counter_) < dependence_counters) return true;
    error(request_.mark, request_.path,
          "spills need a dependence counter, and the program uses all " + std::to_string(dependence_counters),
          "leave one free, or allow more registers");
    return false;
  }

  /// A value keeps its number where the cap allows it; the others, and then the scratch registers, take the
  /// lowest that are free.
  void number_registers()
  {
    std::array<bool, first_predicate> taken{};
    const auto stays = [](const Value& value) { return value.named && !value.spilled; };
    for (RegisterId reg = 0; reg < request_.cap; ++reg)
      taken[reg] = stays(values_[reg]);
    RegisterId next = 0;
    const auto lowest_free = [&] {
      while (taken[next])
        ++next;
      taken[next] = true;
      return next;
    };
    for (RegisterId reg = 0; reg < first_predicate; ++reg) {
      Value& value = values_[reg];
      if (stays(value)) value.number = reg < request_.cap ? reg : lowest_free();
      if (!value.spilled) continue;
      value.slot = static_cast<std::uint32_t>(slots_.size());
      slots_.push_back(reg);
    }
    for (RegisterId& scratch : scratch_)
      scratch = lowest_free();
  }

  Program rewrite()
  {
    Program out;
    std::vector<std::uint32_t> begins;  // of what each instruction has become
    for (const Instruction& instruction : program_.code) {
      begins.push_back(static_cast<std::uint32_t>(out.code.size()));
      append(instruction, out.code);
    }
    begins.push_back(static_cast<std::uint32_t>(out.code.size()));
    out.regions = program_.regions;
    for (Region& region : out.regions) {
      region.begin = begins[region.begin];
      region.middle = begins[region.middle];
      region.end = begins[region.end];
    }
    return out;
  }

  /// Loads of what it reads, the instruction, a store of what it writes.
  void append(const Instruction& original, std::vector<Instruction>& code)
  {
    std::array<RegisterId, first_predicate> here{};  // where a value is in this instruction
    std::uint32_t loads = 0;
    for (const RegisterId reg : reads(original)) {
      here[reg] = values_[reg].spilled ? scratch_[loads] : values_[reg].number;
      if (!values_[reg].spilled) continue;
      code.push_back(access(original, spill_load, reg));
      code.back().destination = scratch_[loads++];
    }
    Instruction instruction = original;
    for (SourceOperand& source : instruction.sources) {
      if (source.reg >= first_predicate) continue;
      if (values_[source.reg].spilled) source.reuse = false;
      source.reg = here[source.reg];
    }
    const bool stores = writes(original) && values_[*original.destination].spilled;
    if (writes(original)) {
      const RegisterId written = *original.destination;
      const std::vector<RegisterId> read = reads(original);
      const bool is_read = std::find(read.begin(), read.end(), written) != read.end();
      instruction.destination = is_read ? here[written] : stores ? scratch_[0] : values_[written].number;
    }
    if (counter_ >= 0) keep_order(code, loads, instruction, stores);
    code.push_back(instruction);
    if (!stores) return;
    code.push_back(access(original, spill_store, *original.destination));
    code.back().sources.push_back({*instruction.destination, 1, false});
    if (counter_ < 0) return;
    // The store waits for what it stores, and who uses the scratch registers next waits for the store.
    code.back().wait_mask = bit(instruction.write_counter);
    code.back().read_counter = counter_;
    code.back().stall = counter_visible;
  }

  /// Control bits: who uses the scratch registers first waits until the store before has read them, the
  /// instruction waits for its loads, and its result has a counter that the store can wait for.
  void keep_order(std::vector<Instruction>& code, std::uint32_t loads, Instruction& instruction, bool stores)
  {
    if (loads == 0 && !stores) return;
    for (std::uint32_t i = 0; i < loads; ++i)
      code[code.size() - 1 - i].write_counter = counter_;
    if (loads > 0) {
      code[code.size() - loads].wait_mask = bit(counter_);
      code.back().stall = counter_visible;
    }
    instruction.wait_mask |= bit(counter_);
    if (!stores) return;
    if (instruction.write_counter < 0) instruction.write_counter = counter_;
    instruction.stall = std::max(instruction.stall, counter_visible);
  }

  static std::uint8_t bit(std::int8_t counter)
  {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(counter));
  }

  /// A load or a store of a value's slot. Misses of L1 are served by L2.
  [[nodiscard]] Instruction access(const Instruction& original, const char* mnemonic, RegisterId value) const
  {
    Instruction made;
    made.mark = original.mark;
    made.mnemonic = mnemonic;
    made.levels = {0, LevelMix::one};
    made.address.kind = AddressPattern::Kind::local;
    made.address.slot = values_[value].slot;
    made.address.slots = spilled_count_;
    return made;
  }

  /// Cycles after which a counter that was raised is seen.
  static constexpr std::uint32_t counter_visible = 2;

  const Program& program_;
  const SpillRequest& request_;
  Diagnostics& diagnostics_;
  std::array<Value, first_predicate> values_{};
  std::vector<std::uint32_t> loads_;  ///< spilled values that each instruction reads
  std::uint32_t spilled_count_ = 0;
  std::vector<RegisterId> slots_;
  std::vector<RegisterId> scratch_;
  std::int8_t counter_ = -1;  ///< the free dependence counter; -1: registers are checked
};

}  // namespace

Spills spill_registers(Program& program, const SpillRequest& request, Diagnostics& diagnostics)
{
  Spills spills{request.need, request.cap, {}, 0};
  if (auto capped = SpillPass(program, request, diagnostics).run(spills)) program = std::move(*capped);
  return spills;
}

}  // namespace smsim

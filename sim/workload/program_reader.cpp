#include "workload/program_reader.h"

#include "base/numbers.h"
#include "config/field_reader.h"
#include "workload/attributes.h"
#include "workload/generators.h"
#include "workload/varying_reader.h"

#include <algorithm>
#include <cctype>

namespace smsim {
namespace {

class ProgramReader {
 public:
  ProgramReader(const KernelConfig* kernel, const ProgramDefaults& defaults, Diagnostics& diagnostics)
      : kernel_(kernel), defaults_(defaults), diagnostics_(diagnostics), scalar_(diagnostics)
  {
  }

  Program program;

  void read_list(const YamlNode& node, const std::string& path, std::size_t depth)
  {
    if (node.kind != YamlNode::Kind::sequence || node.items.empty()) {
      diagnostics_.error(node.mark, path, node.describe() + " is not a list of instructions",
                         "expected: such as - ffma r4, r1, r2, r4");
      return;
    }
    for (std::size_t i = 0; i < node.items.size() && !too_long_; ++i) {
      read_item(node.items[i], path + "[" + std::to_string(i) + "]", depth);
      if (program.code.size() <= max_instructions || too_long_) continue;
      diagnostics_.error(node.items[i].mark, path + "[" + std::to_string(i) + "]",
                         "the program is longer than " + std::to_string(max_instructions) + " instructions",
                         "use a loop");
      too_long_ = true;
    }
  }

 private:
  void read_item(const YamlNode& item, const std::string& path, std::size_t depth)
  {
    if (item.kind == YamlNode::Kind::scalar) {
      Instruction instruction;
      instruction.levels = defaults_.levels;
      if (assemble(item, path, instruction)) program.code.push_back(std::move(instruction));
      return;
    }
    if (item.kind != YamlNode::Kind::map) {
      diagnostics_.error(item.mark, path, item.describe() + " is not an instruction",
                         "expected: an assembly line, or a map with op, loop, if, repeat or mix");
      return;
    }
    if (item.find("op")) return read_instruction(item, path);
    MapReader map(item, path, diagnostics_);
    const YamlNode* loop = map.find("loop");
    const YamlNode* split = map.find("if");
    const YamlNode* repeat = map.find("repeat");
    const YamlNode* mix = map.find("mix");
    map.find("op");
    map.finish();
    if (item.entries.size() != 1)
      diagnostics_.error(item.mark, path, "a list item holds exactly one of op, loop, if, repeat and mix");
    else if (loop)
      read_loop(*loop, join_path(path, "loop"), depth);
    else if (split)
      read_split(*split, join_path(path, "if"), depth);
    else if (repeat)
      read_repeat(*repeat, join_path(path, "repeat"));
    else if (mix)
      read_mix(*mix, join_path(path, "mix"));
  }

  bool assemble(const YamlNode& node, const std::string& path, Instruction& instruction)
  {
    std::string error;
    std::size_t column = 0;
    if (node.kind != YamlNode::Kind::scalar) {
      diagnostics_.error(node.mark, path, node.describe() + " is not an assembly line");
      return false;
    }
    auto line = parse_assembly(node.text, error, column);
    Mark mark = node.mark;
    if (!line) {
      diagnostics_.error(place_in(node, column), path, error);
      return false;
    }
    instruction.mark = mark;
    instruction.mnemonic = std::move(line->mnemonic);
    instruction.destination = line->destination;
    instruction.sources = std::move(line->sources);
    instruction.immediates = std::move(line->immediates);
    check_registers(instruction, node, path);
    return true;
  }

  /// The place of the character at `column` (from 0) of a scalar; its beginning where it is not written as it
  /// reads.
  static Mark place_in(const YamlNode& node, std::size_t column)
  {
    Mark mark = node.mark;
    const std::string& line = mark.source->lines[static_cast<std::size_t>(mark.line - 1)];
    const std::size_t start = static_cast<std::size_t>(mark.column - 1) + (node.quoted ? 1 : 0);
    if (start < line.size() && std::string_view(line).substr(start).starts_with(node.text))
      mark.column = static_cast<int>(start + column) + 1;
    return mark;
  }

  void check_registers(const Instruction& instruction, const YamlNode& node, const std::string& path)
  {
    const auto check = [&](RegisterId reg, const char* verb) {
      if (!kernel_ || reg >= first_predicate || reg < kernel_->registers_per_thread) return;
      const std::string last =
          kernel_->registers_per_thread == 0
              ? "the launch gives a thread no registers"
              : "the launch gives a thread r0 to r" + std::to_string(kernel_->registers_per_thread - 1);
      diagnostics_.error(
          place_in(node, find_register(node.text, register_name(reg))), path,
          std::string(verb) + " register " + register_name(reg),
          last + " (launch.registers_per_thread: " + std::to_string(kernel_->registers_per_thread) + ")");
    };
    if (instruction.destination) check(*instruction.destination, "writes");
    for (const SourceOperand& source : instruction.sources)
      if (source.reg != instruction.destination) check(source.reg, "reads");
  }

  /// Where the register's name stands as a word of its own.
  static std::size_t find_register(std::string_view text, std::string_view name)
  {
    const auto is_part = [&](std::size_t at) {
      return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at]));
    };
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
      if (!is_part(at + name.size()) && (at == 0 || !is_part(at - 1))) return at;
    return 0;
  }

  void read_instruction(const YamlNode& item, const std::string& path)
  {
    MapReader map(item, path, diagnostics_);
    Instruction instruction;
    instruction.levels = defaults_.levels;
    const bool assembled = assemble(*map.find("op"), join_path(path, "op"), instruction);
    read_attributes(map, instruction, diagnostics_);
    map.finish();
    if (assembled) program.code.push_back(std::move(instruction));
  }

  template <class T>
  bool read_integer(MapReader& map, std::string_view key, T& target, std::uint64_t least, std::uint64_t most)
  {
    const YamlNode* node = map.find(key);
    if (!node) return false;
    const auto value = scalar_.integer(*node, map.path_of(key), least, most);
    if (value) target = static_cast<T>(*value);
    return value.has_value();
  }

  void read_loop(const YamlNode& node, const std::string& path, std::size_t depth)
  {
    MapReader map(node, path, diagnostics_);
    const YamlNode* count = map.require("count");
    const YamlNode* body = map.require("body");
    const YamlNode* branch = map.find("branch");
    const bool has_branch =
        branch && scalar_.word(*branch, map.path_of("branch"), {"false", "true"}) == std::size_t{1};
    map.finish();
    if (!count || !body || is_too_deep(node, path, depth)) return;
    const std::size_t index = program.regions.size();
    program.regions.emplace_back();
    program.regions[index].begin = here();
    program.regions[index].count =
        read_varying(*count, map.path_of("count"), Quantity::count, kernel_, diagnostics_);
    read_list(*body, map.path_of("body"), depth + 1);
    if (has_branch) {
      Instruction back;
      back.mark = branch->mark;
      back.mnemonic = "bra";
      program.code.push_back(std::move(back));
    }
    program.regions[index].middle = program.regions[index].end = here();
  }

  void read_split(const YamlNode& node, const std::string& path, std::size_t depth)
  {
    MapReader map(node, path, diagnostics_);
    const YamlNode* lanes = map.find("lanes");
    const YamlNode* fraction = map.find("fraction");
    const YamlNode* then_side = map.require("then");
    const YamlNode* else_side = map.find("else");
    map.finish();
    if (!map.usable()) return;
    if ((lanes == nullptr) == (fraction == nullptr))
      diagnostics_.error(node.mark, path,
                         lanes ? "has both lanes and fraction" : "does not say how many lanes go into then",
                         "expected: one of lanes (a number) and fraction (0 to 1)");
    if (!then_side || is_too_deep(node, path, depth)) return;
    const std::size_t index = program.regions.size();
    program.regions.emplace_back();
    program.regions[index].kind = Region::Kind::split;
    program.regions[index].begin = here();
    LaneShare share;
    share.is_fraction = fraction != nullptr;
    share.value.values = {0};
    if (fraction)
      share.value =
          read_varying(*fraction, map.path_of("fraction"), Quantity::fraction, kernel_, diagnostics_);
    else if (lanes)
      share.value = read_varying(*lanes, map.path_of("lanes"), Quantity::lanes, kernel_, diagnostics_);
    program.regions[index].lanes = std::move(share);
    program.regions[index].mark = fraction ? fraction->mark : lanes ? lanes->mark : node.mark;
    read_list(*then_side, map.path_of("then"), depth + 1);
    program.regions[index].middle = here();
    if (else_side) read_list(*else_side, map.path_of("else"), depth + 1);
    program.regions[index].end = here();
  }

  [[nodiscard]] std::uint32_t here() const { return static_cast<std::uint32_t>(program.code.size()); }

  bool is_too_deep(const YamlNode& node, const std::string& path, std::size_t depth)
  {
    // A generator brings up to two levels of its own.
    if (depth + 3 <= max_region_depth) return false;
    diagnostics_.error(node.mark, path, "loops and ifs are nested too deep",
                       "allowed: " + std::to_string(max_region_depth - 2) + " levels");
    return true;
  }

  void read_repeat(const YamlNode& node, const std::string& path)
  {
    MapReader map(node, path, diagnostics_);
    RepeatGenerator generator;
    generator.instruction.mark = node.mark;
    generator.instruction.mnemonic = "nop";
    generator.instruction.levels = defaults_.levels;
    generator.state = WarpState::long_scoreboard;
    map.require("compute");
    map.require("stall");
    map.require("rounds");
    read_integer(map, "compute", generator.compute, 1, 1'000'000'000);
    read_integer(map, "stall", generator.stall, 0, 1'000'000'000);
    read_integer(map, "rounds", generator.rounds, 1, 1'000'000'000'000);
    if (const YamlNode* op = map.find("op")) assemble(*op, map.path_of("op"), generator.instruction);
    if (const YamlNode* state = map.find("state"))
      generator.state = read_stall_state(*state, map.path_of("state"), diagnostics_);
    map.finish();
    generator.append_to(program);
  }

  void read_mix(const YamlNode& node, const std::string& path)
  {
    MapReader map(node, path, diagnostics_);
    MixGenerator generator;
    const YamlNode* weights = map.require("weights");
    map.require("instructions");
    map.require("distance");
    std::uint64_t rounds = 1;
    read_integer(map, "instructions", generator.instructions, 1, max_instructions);
    read_integer(map, "distance", generator.distance, 1, 250);
    read_integer(map, "rounds", rounds, 1, 1'000'000'000'000);
    map.finish();
    if (!weights) return;
    MapReader entries(*weights, map.path_of("weights"), diagnostics_);
    if (weights->entries.size() > 256) {
      diagnostics_.error(weights->mark, entries.path(),
                         "has " + std::to_string(weights->entries.size()) + " opcodes",
                         "allowed: at most 256");
      return;
    }
    for (const YamlEntry& entry : weights->entries)
      if (const auto weight = scalar_.integer(entry.value, entries.path_of(entry.key), 1, 1'000'000))
        generator.weights.push_back({entry.key, *weight, entry.mark});
    if (weights->entries.empty() && entries.usable())
      diagnostics_.error(weights->mark, entries.path(), "needs at least one opcode and its weight");
    if (generator.weights.empty()) return;
    if (kernel_ && generator.registers_needed() > kernel_->registers_per_thread) {
      diagnostics_.error(node.mark, path,
                         "a dependency distance of " + std::to_string(generator.distance) + " needs " +
                             std::to_string(generator.registers_needed()) + " registers",
                         "launch.registers_per_thread is " + std::to_string(kernel_->registers_per_thread));
      return;
    }
    const auto begin = static_cast<std::uint32_t>(program.code.size());
    generator.append_to(program, defaults_.levels);
    if (rounds > 1) program.regions.push_back(Region::loop(begin, here(), rounds));
  }

  const KernelConfig* kernel_;
  const ProgramDefaults& defaults_;
  Diagnostics& diagnostics_;
  ScalarReader scalar_;
  bool too_long_ = false;
};

}  // namespace

Program read_program(const YamlNode& node, const std::string& path, const KernelConfig* kernel,
                     const ProgramDefaults& defaults, Diagnostics& diagnostics)
{
  ProgramReader reader(kernel, defaults, diagnostics);
  reader.read_list(node, path, 0);
  return std::move(reader.program);
}

}  // namespace smsim

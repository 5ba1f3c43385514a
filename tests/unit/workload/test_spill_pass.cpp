#include "base/random.h"
#include "sm/register_cap.h"
#include "support/kernels.h"

#include <doctest/doctest.h>

#include <map>

using namespace smsim;
using test::workload;

namespace {

/// "ffma r4 r1 r2 r4", "ld.local r3 [0]": operands in order, a slot in brackets.
std::string text_of(const Instruction& instruction)
{
  std::string text = instruction.mnemonic;
  if (instruction.destination) text += " " + register_name(*instruction.destination);
  for (const SourceOperand& source : instruction.sources)
    text += " " + register_name(source.reg) + (source.reuse ? ".reuse" : "");
  if (instruction.address.kind == AddressPattern::Kind::local)
    text += " [" + std::to_string(instruction.address.slot) + "]";
  return text;
}

/// All instructions of a program, one a line.
std::string listing(const Program& program)
{
  std::string lines;
  for (const Instruction& instruction : program.code)
    lines += text_of(instruction) + "\n";
  return lines;
}

std::string lines(std::initializer_list<const char*> each)
{
  std::string all;
  for (const char* line : each)
    all += std::string(line) + "\n";
  return all;
}

Workload capped(const std::string& launch, const std::string& program,
                const std::vector<std::string>& overrides = {})
{
  Diagnostics diagnostics;
  Workload result = with_register_cap(
      test::arch("a100", overrides),
      workload("name: k\nlaunch: {grid: 2, block: 64, " + launch + "}\nprogram:\n" + program), diagnostics);
  throw_if_errors(diagnostics);
  return result;
}

std::string refused(const std::string& launch, const std::string& program,
                    const std::vector<std::string>& overrides = {})
{
  try {
    capped(launch, program, overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

using Registers = std::vector<RegisterId>;

const char* const accumulate = R"(
  - ld.global r4, [r2]
  - loop: {count: 10, body: ["ffma r5, r4, r6, r5"]}
  - st.global [r3], r5
)";

}  // namespace

TEST_CASE("the values that the fewest executed instructions use are spilled: loaded before each that reads "
          "one, stored behind each that writes one")
{
  // r2 and r3 are used once, r6 10 times, r4 11, r5 21. With one scratch register two must go.
  const Workload w = capped("registers_per_thread: 8, max_registers: 4", accumulate);
  CHECK(listing(w.program) == lines({"ld.local r3 [0]", "ld.global r0 r3", "ffma r1 r0 r2 r1",
                                     "ld.local r3 [1]", "st.global r3 r1"}));
  REQUIRE(w.spills);
  CHECK(w.spills->values == Registers{2, 3});
  CHECK(w.spills->scratch == 1);
  CHECK(w.spills->need == 8);
  CHECK(w.spills->cap == 4);
  CHECK(w.spills->local_bytes_per_thread() == 8);
  CHECK(w.kernel.registers_per_thread == 4);
  CHECK(w.program.regions.at(0).begin == 2);
  CHECK(w.program.regions.at(0).end == 3);
}

TEST_CASE("a value that is written has a store behind it, an instruction that reads two has two scratch "
          "registers")
{
  // r2 is used 20 times, r3 10 times, r1 twice, r4 once.
  const Workload w = capped("registers_per_thread: 8, max_registers: 3", R"(
  - mov r1, 1
  - loop: {count: 10, body: ["fadd r2, r2, r3"]}
  - st.global [r4], r1
)");
  CHECK(w.spills->values == Registers{1, 3, 4});
  CHECK(w.spills->scratch == 2);
  CHECK(listing(w.program) == lines({"mov r0", "st.local r0 [0]", "ld.local r0 [1]", "fadd r2 r2 r0",
                                     "ld.local r0 [2]", "ld.local r1 [0]", "st.global r0 r1"}));
  CHECK(w.program.regions.at(0).begin == 2);
  CHECK(w.program.regions.at(0).end == 4);
}

TEST_CASE("a cap that is not below the need changes nothing")
{
  for (const char* launch : {"registers_per_thread: 8, max_registers: 8", "registers_per_thread: 8",
                             "registers_per_thread: 8, max_registers: 200",
                             "registers_per_thread: 8, launch_bounds: {threads: 64, min_blocks: 32}"}) {
    const Workload w = capped(launch, accumulate);
    CHECK(listing(w.program) == lines({"ld.global r4 r2", "ffma r5 r4 r6 r5", "st.global r3 r5"}));
    CHECK(w.kernel.registers_per_thread == 8);
    CHECK_FALSE(w.spills);
  }
}

TEST_CASE(
    "registers that no instruction names go first and cost nothing, those that remain keep their number "
    "or take the lowest that is free")
{
  const Workload w = capped("registers_per_thread: 32, max_registers: 4", R"(
  - fadd r20, r1, r3
  - fmul r30, r20.reuse, r1
)");
  CHECK(listing(w.program) == lines({"fadd r0 r1 r3", "fmul r2 r0.reuse r1"}));
  CHECK(w.spills->values.empty());
  CHECK(w.spills->scratch == 0);
  CHECK(w.kernel.registers_per_thread == 4);
}

TEST_CASE("of equal values the higher register is spilled")
{
  CHECK(capped("registers_per_thread: 9, max_registers: 3", "  - fadd r0, r8, r7\n  - fadd r1, r8, r7\n")
            .spills->values == Registers{0, 1});
  CHECK(capped("registers_per_thread: 9, max_registers: 2", "  - mov r3, 1\n  - mov r5, 1\n  - mov r4, 1\n")
            .spills->values == Registers{4, 5});
}

TEST_CASE("a count that varies weighs as the average of its values")
{
  // r1 is used 2.5 times on average, r2 twice, r3 three times.
  const auto spilled = [](const std::string& counts) {
    return capped("registers_per_thread: 9, max_registers: 3",
                  "  - loop: {count: {per: warp, values: " + counts +
                      "}, body: [\"mov r1, 1\"]}\n  - loop: {count: 2, body: [\"mov r2, 1\"]}\n"
                      "  - loop: {count: 3, body: [\"mov r3, 1\"]}\n"
                      "  - loop: {count: 9, body: [\"mov r4, 1\"]}\n")
        .spills->values;
  };
  CHECK(spilled("[1, 4]") == Registers{1, 2});
  CHECK(spilled("[3, 4]") == Registers{2, 3});
  CHECK(spilled("[0, 3]") == Registers{1, 2});
}

TEST_CASE("counts of nested loops multiply, and those beyond any run are equal")
{
  const std::string body = "loop: {count: 1000000000000, body: [{loop: {count: 1000000000000, body: [";
  const Workload w = capped("registers_per_thread: 9, max_registers: 2",
                            "  - " + body + "\"mov r1, 1\"]}}]}\n  - " + body +
                                "{loop: {count: 5, body: [\"mov r2, 1\"]}}]}}]}\n"
                                "  - loop: {count: 1000, body: [\"mov r3, 1\"]}\n");
  CHECK(w.spills->values == Registers{2, 3});
}

TEST_CASE("what is put in belongs to the region of its instruction: the body of a loop, the side of an if")
{
  const Workload w = capped("registers_per_thread: 9, max_registers: 2", R"(
  - if:
      lanes: 8
      then: ["mov r1, r2", "mov r2, r1"]
      else: ["mov r1, r5"]
  - loop: {count: 100, body: ["fadd r3, r3, r3"]}
)");
  CHECK(w.spills->values == Registers{1, 2, 5});
  CHECK(listing(w.program) ==
        lines({"ld.local r1 [1]", "mov r1 r1", "st.local r1 [0]", "ld.local r1 [0]", "mov r1 r1",
               "st.local r1 [1]", "ld.local r1 [2]", "mov r1 r1", "st.local r1 [0]", "fadd r0 r0 r0"}));
  const Region& split = w.program.regions.at(0);
  CHECK(split.begin == 0);
  CHECK(split.middle == 6);
  CHECK(split.end == 9);
  const Region& loop = w.program.regions.at(1);
  CHECK(loop.begin == 9);
  CHECK(loop.end == 10);
}

TEST_CASE("one load serves an instruction that reads a value twice, a kept operand is not kept, predicates "
          "stay")
{
  const Workload w = capped("registers_per_thread: 9, max_registers: 1",
                            "  - \"@p0 ffma r1, r1.reuse, r1, r1\"\n  - mov r2, 1\n");
  CHECK(listing(w.program) ==
        lines({"ld.local r0 [0]", "ffma r0 p0 r0 r0 r0", "st.local r0 [0]", "mov r0", "st.local r0 [1]"}));
  CHECK(listing(capped("registers_per_thread: 9, max_registers: 1", "  - isetp p3, r7, r7\n").program) ==
        lines({"isetp p3 r0 r0"}));
}

TEST_CASE("what is put in is a full warp's access, L2 serves what L1 misses, and reports name its "
          "instruction's line")
{
  const Workload w = capped("registers_per_thread: 8, max_registers: 4", accumulate);
  const Instruction& load = w.program.code.at(0);
  CHECK(load.levels == LevelMix{0, LevelMix::one});
  CHECK(load.sectors == 0);
  CHECK(load.address.slots == 2);
  CHECK(load.mark.line == w.program.code.at(1).mark.line);
  CHECK(load.write_counter == -1);
  CHECK(load.stall == 1);
}

TEST_CASE("with control bits a free counter holds instructions to their loads and stores to their results")
{
  const Workload w = capped("registers_per_thread: 8, max_registers: 1", R"(
  - {op: "fadd r1, r2, 1", write_counter: 0}
  - {op: "fadd r1, r1, 1", wait: [0], stall: 4}
  - mov r4, 1
)",
                            {"dependencies=control_bits"});
  struct Bits {
    int write;
    int read;
    unsigned wait;
    unsigned stall;
    bool operator==(const Bits&) const = default;
  };
  std::vector<Bits> bits;
  for (const Instruction& i : w.program.code)
    bits.push_back({i.write_counter, i.read_counter, i.wait_mask, i.stall});
  REQUIRE(listing(w.program) == lines({"ld.local r0 [1]", "fadd r0 r0", "st.local r0 [0]", "ld.local r0 [0]",
                                       "fadd r0 r0", "st.local r0 [0]", "mov r0", "st.local r0 [2]"}));
  // Counter 1 is free.
  CHECK(bits == std::vector<Bits>{{1, -1, 2, 2},
                                  {0, -1, 2, 2},
                                  {-1, 1, 1, 2},
                                  {1, -1, 2, 2},
                                  {1, -1, 3, 4},
                                  {-1, 1, 2, 2},
                                  {1, -1, 2, 2},
                                  {-1, 1, 2, 2}});
}

TEST_CASE("with control bits a run with spills takes as long as its loads, not less")
{
  const auto cycles = [](const std::string& dependencies) {
    const ArchConfig sm = test::arch("a100", {"dependencies=" + dependencies});
    return test::run(sm, workload("name: k\nlaunch: {grid: 1, block: 32, registers_per_thread: 8, "
                                  "max_registers: 2}\nprogram:\n  - loop: {count: 100, body: "
                                  "[\"fadd r1, r1, r2\", \"fadd r3, r3, r4\"]}\n"))
        .cycles;
  };
  const ArchConfig sm = test::arch("a100");
  // In each round two instructions wait for what L1 has.
  CHECK(cycles("scoreboard") > 200 * sm.memory.l1.latency);
  CHECK(cycles("control_bits") > 200 * sm.memory.l1.latency);
}

TEST_CASE("what cannot be capped is told where it stands")
{
  CHECK(refused("registers_per_thread: 8, max_registers: 2",
                "  - ffma r1, r2, r3, r4\n  - mov r1, r2\n  - st.global [r5], r6\n  - iadd3 r1, r2, r3, r4\n")
            .find(":4:5: ffma: needs 3 registers at once; launch.max_registers leaves 2\n") !=
        std::string::npos);
  CHECK(refused("registers_per_thread: 8, max_registers: 2", "  - iadd3 r1, r2, r3, 4\n").empty());
  const std::string full = refused("registers_per_thread: 8, max_registers: 1", R"(
  - {op: "mov r1, 1", write_counter: 0, read_counter: 1}
  - {op: "mov r2, 1", write_counter: 2, read_counter: 3}
  - {op: "mov r3, 1", write_counter: 4, read_counter: 5}
)",
                                   {"dependencies=control_bits"});
  CHECK(
      full.find(":2:70: launch.max_registers: spills need a dependence counter, and the program uses all 6; "
                "leave one free, or allow more registers\n") != std::string::npos);
}

namespace {

/// What a program computes: the values that each instruction of the original reads and writes, in order of
/// execution. A value is a number made from the instruction and what it read.
class Meaning {
 public:
  explicit Meaning(const Program& program) : program_(program)
  {
    go(0, static_cast<std::uint32_t>(program.code.size()), 0);
  }
  std::vector<std::uint64_t> values;

 private:
  static std::uint64_t mix(std::uint64_t a, std::uint64_t b)
  {
    return draw_u32({a, b, 0, 0, 0}) + (std::uint64_t{draw_u32({a, b, 0, 0, 1})} << 32U);
  }

  /// Loops run twice, both sides of an if run one after the other.
  void go(std::uint32_t begin, std::uint32_t end, std::size_t region)
  {
    for (std::uint32_t at = begin; at < end;) {
      while (region < program_.regions.size() && program_.regions[region].begin < at)
        ++region;
      if (region < program_.regions.size() && program_.regions[region].begin == at &&
          program_.regions[region].end <= end) {
        const Region& inner = program_.regions[region];
        for (int round = 0; round < (inner.kind == Region::Kind::loop ? 2 : 1); ++round)
          go(at, inner.end, region + 1);
        at = inner.end;
      } else {
        execute(program_.code[at++]);
      }
    }
  }

  void execute(const Instruction& instruction)
  {
    if (instruction.address.kind == AddressPattern::Kind::local) {
      if (instruction.destination)
        registers_[*instruction.destination] = slots_[instruction.address.slot];
      else
        slots_[instruction.address.slot] = registers_[instruction.sources.at(0).reg];
      return;
    }
    // The place in the file tells instructions of the original apart.
    std::uint64_t value = mix(static_cast<std::uint64_t>(instruction.mark.line), 1);
    for (const SourceOperand& source : instruction.sources)
      value = mix(value, registers_[source.reg]);
    values.push_back(value);
    if (instruction.destination) registers_[*instruction.destination] = value;
  }

  const Program& program_;
  std::map<RegisterId, std::uint64_t> registers_;
  std::map<std::uint32_t, std::uint64_t> slots_;
};

std::string random_program(std::uint64_t number)
{
  std::uint64_t draws = 0;
  const auto below = [&](std::uint64_t n) { return draw_u32({number, 1, 0, 0, draws++}) % n; };
  const auto reg = [&] { return "r" + std::to_string(below(10) * 3); };
  std::string text;
  for (int i = 0; i < 10; ++i)
    text += "  - mov r" + std::to_string(3 * i) + ", 1\n";
  std::string margin = "  ";
  for (std::uint64_t i = 0; i < 20; ++i) {
    const std::uint64_t what = below(12);
    if (what == 0 && margin.size() < 14) {
      text += margin + "- loop:\n" + margin + "    count: " + std::to_string(below(9)) + "\n" + margin +
              "    body:\n";
      margin += "      ";
      text += margin + "- nop\n";
    } else if (what == 1 && margin.size() < 14) {
      text += margin + "- if:\n" + margin + "    lanes: 8\n" + margin + "    then:\n" + margin +
              "      - mov " + reg() + ", " + reg() + "\n" + margin + "    else:\n";
      margin += "      ";
      text += margin + "- fadd " + reg() + ", " + reg() + ", " + reg() + "\n";
    } else if (what == 2 && margin.size() > 2) {
      margin.resize(margin.size() - 6);
    } else if (what == 3) {
      text += margin + "- st.shared [" + reg() + "], " + reg() + "\n";
    } else {
      text += margin + "- ffma " + reg() + ", " + reg() + ", " + reg() + ", " + reg() + "\n";
    }
  }
  return text;
}

}  // namespace

TEST_CASE("a capped program computes what the program computes, within its registers: 50 random programs, "
          "every cap")
{
  std::size_t spilled = 0;
  for (std::uint64_t number = 0; number < 50; ++number) {
    const std::string program = random_program(number);
    const std::vector<std::uint64_t> meaning =
        Meaning(capped("registers_per_thread: 28", program).program).values;
    REQUIRE(meaning.size() > 10);
    std::size_t before = 0;
    for (std::uint32_t cap = 27; cap >= 3; --cap) {
      const Workload w = capped("registers_per_thread: 28, max_registers: " + std::to_string(cap), program);
      CAPTURE(number);
      CAPTURE(cap);
      REQUIRE(Meaning(w.program).values == meaning);
      REQUIRE(highest_register(w.program).value_or(0) < cap);
      REQUIRE(w.spills->values.size() >= before);
      before = w.spills->values.size();
      spilled += before;
    }
  }
  CHECK(spilled > 1'500);
}

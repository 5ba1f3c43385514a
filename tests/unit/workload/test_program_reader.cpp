#include "support/kernels.h"

#include <doctest/doctest.h>

using namespace smsim;
using test::kernel;

namespace {

Instruction only(const std::string& item) { return kernel(4, 64, "  - " + item + "\n").program.code.at(0); }

constexpr std::uint64_t half = LevelMix::one / 2;

}  // namespace

TEST_CASE("an instruction is one line, or a map with attributes")
{
  const Instruction plain = only("ffma r4, r1, r2, r4");
  CHECK(plain.mnemonic == "ffma");
  CHECK(plain.destination == RegisterId{4});
  CHECK(plain.sources.size() == 3);
  CHECK(plain.stall == 1);
  const Instruction rich = only("{op: 'ld.global r1, [r2]', stall: 5, state: short_scoreboard, sectors: 8, "
                                "level: {l1: 0.25, l2: 0.5, dram: 0.25}}");
  CHECK(rich.stall == 5);
  CHECK(rich.stall_state == WarpState::short_scoreboard);
  CHECK(rich.sectors == 8);
  CHECK(rich.levels == LevelMix{half / 2, half / 2 * 3});
  CHECK(only("{op: 'ld.shared r1, [r2]', bank_conflicts: 32}").bank_conflicts == 32);
}

TEST_CASE(
    "the level that serves an access is a word or probabilities, of the instruction or of the whole file")
{
  CHECK(only("{op: 'ld.global r1, [r2]', level: l1}").levels == LevelMix{LevelMix::one, LevelMix::one});
  CHECK(only("{op: 'ld.global r1, [r2]', level: l2}").levels == LevelMix{0, LevelMix::one});
  CHECK(only("{op: 'ld.global r1, [r2]', level: dram}").levels == LevelMix{0, 0});
  CHECK(only("{op: 'ld.global r1, [r2]', level: {l1: 0.000001, dram: 0.999999}}").levels ==
        LevelMix{4295, 4295});
  CHECK(only("ld.global r1, [r2]").levels == LevelMix{0, 0});
  const auto all = test::workload(
      "name: k\nlevel: {l1: 0.5, l2: 0.5}\nlaunch: {grid: 1, block: 32, registers_per_thread: 8}\n"
      "program:\n  - ld.global r1, [r2]\n  - {op: 'ld.global r1, [r2]', level: dram}\n");
  CHECK(all.program.code[0].levels == LevelMix{half, LevelMix::one});
  CHECK(all.program.code[1].levels == LevelMix{0, 0});
  CHECK(all.program.code[0].levels.needs_draw());
  CHECK_FALSE(all.program.code[1].levels.needs_draw());
}

TEST_CASE("loops nest, outermost first, with a count for all, for each block or for each warp")
{
  const Program program = kernel(2, 64, R"(
  - nop
  - loop:
      count: 3
      body:
        - nop
        - loop: {count: {per: warp, values: [5, 6]}, body: [nop, nop]}
        - nop
  - loop: {count: {per: block, values: [7, 8]}, body: [nop]}
)")
                              .program;
  REQUIRE(program.regions.size() == 3);
  CHECK(program.code.size() == 6);
  const auto range = [&](std::size_t i) {
    return std::pair(program.regions[i].begin, program.regions[i].end);
  };
  CHECK(range(0) == std::pair(1U, 5U));
  CHECK(range(1) == std::pair(2U, 4U));
  CHECK(range(2) == std::pair(5U, 6U));
  CHECK(program.regions[0].count.of(1, 1) == 3);
  CHECK(program.regions[1].count.of(1, 0) == 5);
  CHECK(program.regions[1].count.of(0, 1) == 6);
  CHECK(program.regions[2].count.of(0, 1) == 7);
  CHECK(program.regions[2].count.of(1, 0) == 8);
}

TEST_CASE("ten levels of loops are allowed, and as many instructions as the limit says")
{
  std::string nested = "nop";
  for (int level = 0; level < 10; ++level)
    nested = "{loop: {count: 1, body: [" + nested + "]}}";
  CHECK(kernel(1, 32, "  - " + nested + "\n").program.regions.size() == 10);
  CHECK_THROWS_AS(kernel(1, 32, "  - {loop: {count: 1, body: [" + nested + "]}}\n"), InputError);
  CHECK(
      kernel(1, 32, "  - mix: {weights: {nop: 1}, instructions: 65536, distance: 1}\n").program.code.size() ==
      max_instructions);
  CHECK_THROWS_AS(kernel(1, 32, "  - mix: {weights: {nop: 1}, instructions: 65536, distance: 1}\n  - nop\n"),
                  InputError);
}

TEST_CASE("the highest register of a program counts general registers only")
{
  CHECK(highest_register(kernel(1, 32, "  - isetp p6, r3, r5\n  - st.global [r7], r2\n").program) ==
        RegisterId{7});
  CHECK_FALSE(highest_register(kernel(1, 32, "  - nop\n").program));
}

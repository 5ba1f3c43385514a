#include "support/kernels.h"
#include "workload/generators.h"

#include <doctest/doctest.h>

#include <map>

using namespace smsim;

namespace {

/// How many instructions a warp issues, and the cycles that it stalls, loops run out.
struct Expanded {
  std::vector<std::uint32_t> stalls;  ///< of each instruction issued, in order
};

Expanded expand(const Program& program)
{
  Expanded out;
  const auto walk = [&](auto&& self, std::uint32_t begin, std::uint32_t end, std::size_t loop) -> void {
    for (std::uint32_t at = begin; at < end;) {
      while (loop < program.regions.size() && program.regions[loop].begin < at)
        ++loop;
      if (loop < program.regions.size() && program.regions[loop].begin == at &&
          program.regions[loop].end <= end) {
        for (std::uint64_t n = program.regions[loop].count.values[0]; n > 0; --n)
          self(self, at, program.regions[loop].end, loop + 1);
        at = program.regions[loop].end;
        while (loop < program.regions.size() && program.regions[loop].begin < at)
          ++loop;
      } else {
        out.stalls.push_back(program.code[at].stall);
        ++at;
      }
    }
  };
  walk(walk, 0, static_cast<std::uint32_t>(program.code.size()), 0);
  return out;
}

}  // namespace

TEST_CASE("repeat is rounds times compute instructions, with the stall after each round but the last")
{
  for (const auto& shape : std::vector<std::array<std::uint32_t, 3>>{
           {1, 0, 1}, {1, 7, 1}, {1, 7, 2}, {1, 7, 5}, {10, 100, 1}, {10, 100, 2}, {3, 15, 4}, {2, 0, 3}}) {
    const std::uint32_t compute = shape[0];
    const std::uint32_t stall = shape[1];
    const std::uint32_t rounds = shape[2];
    RepeatGenerator generator;
    generator.compute = compute;
    generator.stall = stall;
    generator.rounds = rounds;
    Program program;
    generator.append_to(program);
    const Expanded issued = expand(program);
    CAPTURE(compute);
    CAPTURE(stall);
    CAPTURE(rounds);
    REQUIRE(issued.stalls.size() == std::size_t{compute} * rounds);
    for (std::size_t i = 0; i < issued.stalls.size(); ++i) {
      const bool ends_round = (i + 1) % compute == 0 && i + 1 != issued.stalls.size();
      CHECK(issued.stalls[i] == (ends_round ? stall + 1 : 1));
    }
    CHECK(program.code.size() <= 3);  // however long it runs
  }
}

TEST_CASE("a mix has opcodes in proportion to their weights, spread evenly, each reading what stands its "
          "distance before")
{
  MixGenerator generator;
  generator.weights = {{"ffma", 5, {}}, {"iadd3", 3, {}}, {"mufu", 1, {}}};
  generator.instructions = 90;
  generator.distance = 4;
  Program program;
  generator.append_to(program, LevelMix{});
  REQUIRE(program.code.size() == 90);
  std::map<std::string, int> counts;
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const Instruction& instruction = program.code[i];
    ++counts[instruction.mnemonic];
    // At every point each opcode is within one of its share.
    CHECK(std::abs(9 * counts["ffma"] - 5 * static_cast<int>(i + 1)) <= 9);
    CHECK(std::abs(9 * counts["iadd3"] - 3 * static_cast<int>(i + 1)) <= 9);
    CHECK(std::abs(9 * counts["mufu"] - static_cast<int>(i + 1)) <= 9);
    REQUIRE(instruction.sources.size() == 1);
    if (i >= 4) CHECK(instruction.sources[0].reg == *program.code[i - 4].destination);
    for (std::size_t nearer = 1; nearer < 4 && nearer <= i; ++nearer)
      CHECK(instruction.sources[0].reg != *program.code[i - nearer].destination);
  }
  CHECK(counts == std::map<std::string, int>{{"ffma", 50}, {"iadd3", 30}, {"mufu", 10}});
  CHECK(highest_register(program) == generator.registers_needed() - 1);
}

#include "workload/generators.h"

namespace smsim {
namespace {

void append_copies(Program& program, const Instruction& instruction, std::uint64_t copies)
{
  if (copies == 0) return;
  const auto begin = static_cast<std::uint32_t>(program.code.size());
  if (copies > 1) program.regions.push_back(Region::loop(begin, begin + 1, copies));
  program.code.push_back(instruction);
}

}  // namespace

void RepeatGenerator::append_to(Program& program) const
{
  if (rounds > 1) {
    const auto begin = static_cast<std::uint32_t>(program.code.size());
    const std::size_t outer = program.regions.size();
    program.regions.push_back(Region::loop(begin, begin, rounds - 1));
    append_copies(program, instruction, compute - 1);
    Instruction last = instruction;
    last.stall = stall + 1;
    last.stall_state = state;
    program.code.push_back(std::move(last));
    program.regions[outer].middle = program.regions[outer].end =
        static_cast<std::uint32_t>(program.code.size());
  }
  append_copies(program, instruction, compute);
}

void MixGenerator::append_to(Program& program, const LevelMix& levels) const
{
  std::uint64_t total = 0;
  for (const Weight& each : weights)
    total += each.weight;
  std::vector<std::uint64_t> placed(weights.size(), 0);
  for (std::uint32_t i = 0; i < instructions; ++i) {
    // The opcode that is furthest behind its share goes next; ties go to the one written first.
    std::size_t next = 0;
    std::int64_t largest_debt = -1;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const auto due = static_cast<std::int64_t>(weights[k].weight * (i + 1));
      const std::int64_t debt = due - static_cast<std::int64_t>(placed[k] * total);
      if (debt > largest_debt) {
        largest_debt = debt;
        next = k;
      }
    }
    ++placed[next];
    Instruction instruction;
    instruction.mark = weights[next].mark;
    instruction.mnemonic = weights[next].mnemonic;
    instruction.levels = levels;
    const auto written = static_cast<RegisterId>(i % registers_needed());
    const auto read = static_cast<RegisterId>((i + registers_needed() - distance) % registers_needed());
    instruction.destination = written;
    instruction.sources.push_back({read, 1, false});
    program.code.push_back(std::move(instruction));
  }
}

}  // namespace smsim

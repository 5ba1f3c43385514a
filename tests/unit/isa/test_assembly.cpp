#include "isa/assembly.h"

#include <doctest/doctest.h>

using namespace smsim;

namespace {

/// "mnemonic | destination | sources with slots | immediates", or "column: error".
std::string read(std::string_view text)
{
  std::string error;
  std::size_t column = 0;
  const auto line = parse_assembly(text, error, column);
  if (!line) return std::to_string(column) + ": " + error;
  std::string out =
      line->mnemonic + " | " + (line->destination ? register_name(*line->destination) : "-") + " |";
  for (const SourceOperand& source : line->sources)
    out += " " + register_name(source.reg) + "@" + std::to_string(source.slot) + (source.reuse ? "!" : "");
  out += " |";
  for (const std::uint64_t number : line->immediates)
    out += " " + std::to_string(number);
  return out;
}

}  // namespace

TEST_CASE("assembly lines are read into what they write, read and name")
{
  CHECK(read("ffma r4, r1, r2, r4") == "ffma | r4 | r1@1 r2@2 r4@3 |");
  CHECK(read("ffma r4, r1.reuse, r2, r4.reuse") == "ffma | r4 | r1@1! r2@2 r4@3! |");
  CHECK(read("  ffma\tr4 ,r1,  r2 ") == "ffma | r4 | r1@1 r2@2 |");
  CHECK(read("exit") == "exit | - | |");
  CHECK(read("bar.sync 0, 128") == "bar.sync | - | | 0 128");
  CHECK(read("ld.global r5, [r2]") == "ld.global | r5 | r2@1 |");
  CHECK(read("ld.global r5, [r2+16]") == "ld.global | r5 | r2@1 |");
  CHECK(read("ld.global r5, [ r2 - 0x10 ]") == "ld.global | r5 | r2@1 |");
  CHECK(read("ld.shared r5, [0x40]") == "ld.shared | r5 | |");
  CHECK(read("st.global [r3+4], r5") == "st.global | - | r3@0 r5@1 |");
  CHECK(read("@p0 st.shared [r3], r5") == "st.shared | - | p0@7 r3@0 r5@1 |");
  CHECK(read("@!p6 bra") == "bra | - | p6@7 |");
  CHECK(read("@pt bra") == "bra | - | |");
  CHECK(read("isetp p0, r1, r2") == "isetp | p0 | r1@1 r2@2 |");
  CHECK(read("mov r254, rz") == "mov | r254 | |");
  CHECK(read("mov rz, r1") == "mov | - | r1@1 |");
  CHECK(read("fadd r1, r2, 1.5") == "fadd | r1 | r2@1 |");
  CHECK(read("fadd r1, r2, -1e-3") == "fadd | r1 | r2@1 |");
  CHECK(read("imad r1, r2, 0xff, -1") == "imad | r1 | r2@1 | 255 18446744073709551615");
  CHECK(read("ffma r1, c[0][0x160], r2") == "ffma | r1 | r2@2 |");
}

TEST_CASE("what is no assembly is told at its column, with what is allowed")
{
  const std::string allowed = " is no register; allowed: r0 to r254, rz, p0 to p6, pt";
  CHECK(read("") == "0: an opcode is expected, such as ffma or ld.global");
  CHECK(read("4ffma r1") == "0: an opcode is expected, such as ffma or ld.global");
  CHECK(read("ffma r4 r1") == "8: a comma is expected between operands");
  CHECK(read("ffma r4,") == "8: an operand is expected: a register, [address], c[bank][offset] or a number");
  CHECK(read("ffma , r4") == "5: an operand is expected: a register, [address], c[bank][offset] or a number");
  CHECK(read("ffma r255, r1") == "5: 'r255'" + allowed);
  CHECK(read("ffma r1, r01") == "9: 'r01'" + allowed);
  CHECK(read("ffma r1, R2") == "9: 'R2'" + allowed + " (did you mean 'r2'?)");
  CHECK(read("ffma r1, p7") == "9: 'p7'" + allowed);
  CHECK(read("ffma r1.reuse, r2") == "5: 'r1.reuse'" + allowed);
  CHECK(read("ffma r1, -r2") == "9: '-r2' is no number");
  CHECK(read("ffma r1, 0x") == "9: '0x' is no number");
  CHECK(read("ffma r1, 1.5.2") == "9: '1.5.2' is no number");
  CHECK(read("ld r1, [r2") == "10: ']' is expected");
  CHECK(read("ld r1, [r2+r3]") == "11: 'r3' is no number");
  CHECK(read("ld r1, [x]") == "8: 'x'" + allowed);
  CHECK(read("ld r1, []") == "8: '' is no number");
  CHECK(read("ffma r1, c[0]") == "13: a constant is written c[bank][offset]");
  CHECK(read("@r1 ffma r1") == "1: 'r1' is no predicate; allowed behind @: p0 to p6, pt");
  CHECK(read("@!p9 ffma r1") == "2: 'p9' is no predicate; allowed behind @: p0 to p6, pt");
  CHECK(read("f r0, r1, r2, r3, r4, r5, r6, r7") == "30: too many operands; at most 7");
}

TEST_CASE("no text breaks the parser")
{
  const std::string characters = "r1p,[]@!c.+-0x \t\"e";
  std::uint32_t state = 12345;
  for (int i = 0; i < 200'000; ++i) {
    std::string text;
    for (int n = 0; n < 12; ++n) {
      state = state * 1664525U + 1013904223U;
      text += characters[(state >> 16U) % characters.size()];
    }
    std::string error;
    std::size_t column = 0;
    const auto line = parse_assembly(text, error, column);
    if (!line) {
      REQUIRE_FALSE(error.empty());
      REQUIRE(column <= text.size());
    }
  }
}

// One line of smsim assembly, as text and as operands. Nothing about a mnemonic is known here.
//
//   ffma r4, r1.reuse, r2, r4      ld.global r5, [r2+16]      @p0 st.shared [r3], r5      bar.sync 0, 128
//
// The first operand is what the instruction writes if it is a register outside brackets; all other registers,
// those in brackets and the guard @p are read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsim {

/// r0 to r254 are 0 to 254; predicates p0 to p6 are 256 to 262; uniform registers, which only traces name,
/// come from 263 on. rz and pt are no register.
using RegisterId = std::uint16_t;
inline constexpr RegisterId first_predicate = 256;
inline constexpr RegisterId first_uniform = 263;

std::string register_name(RegisterId id);

struct SourceOperand {
  RegisterId reg = 0;
  std::uint8_t slot = 0;  ///< place among the operands, for operand reuse
  bool reuse = false;
};

struct AssemblyLine {
  std::string mnemonic;
  std::optional<RegisterId> destination;
  std::vector<SourceOperand> sources;
  std::vector<std::uint64_t> immediates;
};

/// Parses one line. On an error the answer is nothing, `error` says what is wrong and `column` (from 0)
/// where.
std::optional<AssemblyLine> parse_assembly(std::string_view text, std::string& error, std::size_t& column);

}  // namespace smsim

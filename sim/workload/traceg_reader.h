// The grammar of .traceg files, the traces that Accel-Sim's NVBit tracer writes: header, blocks, warps,
// instructions with the memory that each thread touched. Versions without a number to 6. What a mnemonic
// means is not known here.
//
//   -kernel name = _Z4axpyifPf         #BEGIN_TB
//   -grid dim = (8,1,1)                thread block = 0,0,0
//   -block dim = (512,1,1)             warp = 0
//   -nregs = 21                        insts = 2
//   -accelsim tracer version = 3       0090 ffffffff 1 R0 LDG.E.U8 1 R4 1 1 0x7fc841520000 1
//   #traces format = ...               00a0 ffffffff 0 EXIT 0 0
//                                      #END_TB
#pragma once

#include "workload/trace_input.h"

#include <array>
#include <optional>
#include <span>

namespace smsim {

struct TracegHeader {
  /// A value and where it stands.
  using Text = Located<std::string>;

  Text kernel_name;
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  Mark grid_mark;
  Mark block_mark;
  Located<std::uint64_t> shared_bytes;
  Located<std::uint64_t> registers;
  std::uint32_t binary_version = 0;     ///< 80 is sm_80; 0: not given
  std::uint64_t shared_base = 0;        ///< where generic addresses of shared memory begin; 0: not given
  std::uint64_t local_base = 0;         ///< the same of local memory
  std::string tracer_version;           ///< as written; empty: not given
  unsigned version = 0;                 ///< its whole number; 0: not given
  bool line_numbers = false;            ///< instructions begin with one
  std::vector<std::string> other_keys;  ///< that are not known here
};

/// One line; all of it is valid until the next is read.
struct TracegInstruction {
  std::uint64_t pc = 0;
  std::uint32_t mask = 0;     ///< threads that took part
  std::string_view text;      ///< registers and mnemonic, which repeat when the instruction does
  std::string_view mnemonic;  ///< "LDG.E.U8"
  std::span<const std::string_view> destinations;
  std::span<const std::string_view> sources;
  std::uint32_t width = 0;  ///< bytes that each thread accesses; 0: no access
  std::span<const std::uint64_t>
      addresses;  ///< of the threads in `mask`, lowest first; none if none was traced
  std::array<std::int64_t, 2> immediates{};
  Mark mark;  ///< of the mnemonic
};

class TracegReader {
 public:
  /// Reads the header.
  TracegReader(const std::filesystem::path& path, Diagnostics& diagnostics);

  [[nodiscard]] const TracegHeader& header() const { return header_; }

  // The body, in order. Each answers false where there is no more, and behind an error.
  bool next_block(std::array<std::uint32_t, 3>& block);
  bool next_warp(std::uint32_t& warp);
  bool next_instruction(TracegInstruction& instruction);

  /// Where the block or the warp began that was read last.
  [[nodiscard]] const Mark& mark() const { return mark_; }

 private:
  struct Words;

  void read_header();
  void read_key(std::string_view line, std::string_view key, std::string_view value);
  bool next_line(std::string_view& line);
  bool fail(const Mark& mark, std::string_view what, std::string_view expected);
  bool ids(Words& words);
  bool registers(Words& words, std::vector<std::string_view>& into);
  bool addresses(Words& words, TracegInstruction& instruction);
  bool immediates(Words& words, TracegInstruction& instruction);
  /// 0 to `most`; else an error.
  std::optional<std::uint64_t> number(std::string_view line, std::string_view text, std::uint64_t most,
                                      std::string_view of);

  Diagnostics& diagnostics_;
  TraceInput input_;
  TracegHeader header_;
  bool failed_ = false;
  std::string held_;  ///< a line that the next reader wants
  bool holds_ = false;
  bool in_block_ = false;
  std::array<std::uint32_t, 3> block_{};
  std::uint32_t warp_ = 0;
  std::uint64_t announced_ = 0;  ///< instructions of the warp
  std::uint64_t seen_ = 0;
  Mark mark_;
  std::vector<std::string_view> destinations_;
  std::vector<std::string_view> sources_;
  std::vector<std::uint64_t> addresses_;
};

}  // namespace smsim

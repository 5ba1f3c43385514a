#include "workload/traceg_reader.h"

#include "workload/traceg_words.h"

#include <bit>
#include <cctype>

namespace smsim {
using namespace traceg;

namespace {

bool parse_address(std::string_view text, std::uint64_t& value)
{
  return text.starts_with("0x") && parse(text.substr(2), value, 16);
}

}  // namespace

/// The words of a line, one after the other.
struct TracegReader::Words {
  std::string_view line;
  std::size_t at = 0;

  std::string_view next()
  {
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t'))
      ++at;
    const std::size_t begin = at;
    while (at < line.size() && line[at] != ' ' && line[at] != '\t')
      ++at;
    return line.substr(begin, at - begin);
  }
};

TracegReader::TracegReader(const std::filesystem::path& path, Diagnostics& diagnostics)
    : diagnostics_(diagnostics), input_(path, diagnostics), failed_(input_.failed())
{
  read_header();
}

bool TracegReader::fail(const Mark& mark, std::string_view what, std::string_view expected)
{
  diagnostics_.error(mark, "", what, expected);
  failed_ = true;
  return false;
}

/// The next line that is not blank.
bool TracegReader::next_line(std::string_view& line)
{
  if (failed_) return false;
  const std::size_t errors = diagnostics_.count();
  while (input_.next(line))
    if (line.find_first_not_of(blanks) != std::string_view::npos) return true;
  failed_ = failed_ || diagnostics_.count() != errors;
  return false;
}

bool TracegReader::next_block(std::array<std::uint32_t, 3>& block)
{
  std::string_view line;
  while (true) {
    if (failed_) return false;
    if (holds_) {
      holds_ = false;
      line = held_;
    } else if (!next_line(line)) {
      return false;
    }
    if (trimmed(line) == "#BEGIN_TB") break;
    if (!line.starts_with('#') || trimmed(line) == "#END_TB")
      return fail(input_.mark(line, line), quoted(line) + " outside a thread block", "expected: #BEGIN_TB");
  }
  const auto want = [&](std::string_view what, std::string_view& value) {
    if (!next_line(line))
      return failed_ ? false : fail(input_.mark(), "the file ends here", "expected: " + std::string(what));
    std::string_view key;
    if (split_key(line, key, value) && key == what.substr(0, key.size()) && what[key.size()] == ' ')
      return true;
    return fail(input_.mark(line, line), quoted(line), "expected: " + std::string(what));
  };
  std::string_view value;
  if (!want("thread block = x,y,z", value)) return false;
  mark_ = input_.mark(line, value);
  std::string_view rest = value;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t comma = rest.find(',');
    if ((comma == std::string_view::npos) != (i == 2) || !parse(trimmed(rest.substr(0, comma)), block_[i]))
      return fail(mark_, "thread block: " + quoted(value), "expected: three numbers, such as 0,0,0");
    if (i < 2) rest = rest.substr(comma + 1);
  }
  for (std::size_t i = 0; i < 3; ++i)
    if (block_[i] >= header_.grid[i])
      return fail(mark_, "thread block " + std::string(value) + " is outside the grid",
                  "-grid dim is (" + std::to_string(header_.grid[0]) + "," + std::to_string(header_.grid[1]) +
                      "," + std::to_string(header_.grid[2]) + ")");
  block = block_;
  in_block_ = true;
  return true;
}

bool TracegReader::next_warp(std::uint32_t& warp)
{
  std::string_view line;
  while (true) {
    if (!in_block_ || failed_) return false;
    if (!next_line(line))
      return failed_ ? false
                     : fail(input_.mark(), "the file ends within a thread block",
                            "expected: warp = i, or #END_TB");
    if (trimmed(line) == "#END_TB") {
      in_block_ = false;
      return false;
    }
    std::string_view key;
    std::string_view value;
    if (!split_key(line, key, value))
      return fail(input_.mark(line, line), quoted(line), "expected: warp = i, or #END_TB");
    if (key == "warp") {
      mark_ = input_.mark(line, value);
      const auto found = number(line, value, 65535, "warp");
      if (!found) return false;
      warp_ = static_cast<std::uint32_t>(*found);
      break;
    }
    // Newer tracers tell a block's cluster here.
    if (key == "insts" || !std::isalpha(static_cast<unsigned char>(key.empty() ? '0' : key[0])))
      return fail(input_.mark(line, line), quoted(line), "expected: warp = i, or #END_TB");
  }
  std::string_view key;
  std::string_view value;
  if (!next_line(line))
    return failed_ ? false : fail(input_.mark(), "the file ends here", "expected: insts = n");
  if (!split_key(line, key, value) || key != "insts")
    return fail(input_.mark(line, line), quoted(line), "expected: insts = n");
  const auto count = number(line, value, std::uint64_t{1} << 40U, "insts");
  if (!count) return false;
  announced_ = *count;
  seen_ = 0;
  warp = warp_;
  return true;
}

bool TracegReader::next_instruction(TracegInstruction& instruction)
{
  if (seen_ == announced_) return false;
  std::string_view line;
  if (!next_line(line))
    return failed_ ? false
                   : fail(input_.mark(), "the file ends within a warp",
                          "expected: " + std::to_string(announced_ - seen_) + " more instructions");
  if (line[0] == '#' || line.find('=') != std::string_view::npos)
    return fail(input_.mark(line, line), quoted(line) + " after " + std::to_string(seen_) + " instructions",
                "insts says " + std::to_string(announced_));
  ++seen_;
  Words words{line};
  if (header_.version < 3 && !ids(words)) return false;
  if (header_.line_numbers) {
    const std::string_view word = words.next();
    if (!number(line, word, 0x7FFF'FFFF, "line number")) return false;
  }
  const std::string_view pc = words.next();
  if (!parse(pc, instruction.pc, 16) || instruction.pc >= std::uint64_t{1} << 36U)
    return fail(input_.mark(line, pc), "PC: " + quoted(pc), "expected: a hexadecimal number");
  const std::string_view mask = words.next();
  if (mask.size() != 8 || !parse(mask, instruction.mask, 16))
    return fail(input_.mark(line, mask), "mask: " + quoted(mask), "expected: eight hexadecimal digits");
  const std::size_t begin = words.at;
  if (!registers(words, destinations_)) return false;
  instruction.mnemonic = words.next();
  if (instruction.mnemonic.empty() || !std::isupper(static_cast<unsigned char>(instruction.mnemonic[0])))
    return fail(input_.mark(line, instruction.mnemonic), "opcode: " + quoted(instruction.mnemonic),
                "expected: such as FFMA or LDG.E.64");
  instruction.mark = input_.mark(line, instruction.mnemonic);
  if (!registers(words, sources_)) return false;
  instruction.text = line.substr(begin, words.at - begin);
  instruction.destinations = destinations_;
  instruction.sources = sources_;
  return addresses(words, instruction) && immediates(words, instruction);
}

/// Before version 3 each line repeats the block and the warp.
bool TracegReader::ids(Words& words)
{
  for (const std::uint32_t expected : {block_[0], block_[1], block_[2], warp_}) {
    const std::string_view word = words.next();
    std::uint32_t id = 0;
    if (!parse(word, id) || id != expected)
      return fail(input_.mark(words.line, word), "block and warp of the line: " + quoted(word),
                  "expected: " + std::to_string(expected) + ", as before version 3 each line says");
  }
  return true;
}

bool TracegReader::registers(Words& words, std::vector<std::string_view>& into)
{
  into.clear();
  const std::string_view word = words.next();
  std::uint32_t count = 0;
  constexpr std::uint32_t most = 8;
  if (!parse(word, count) || count > most)
    return fail(input_.mark(words.line, word), "number of registers: " + quoted(word), "expected: 0 to 8");
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string_view name = words.next();
    const std::size_t letters = name.starts_with("UR") ? 2 : name.starts_with('R') ? 1 : 0;
    std::uint32_t number = 0;
    if (letters == 0 || !parse(name.substr(letters), number) || number > 255)
      return fail(input_.mark(words.line, name), "register: " + quoted(name),
                  "expected: R0 to R255, or UR0 to UR63");
    into.push_back(name);
  }
  return true;
}

bool TracegReader::addresses(Words& words, TracegInstruction& instruction)
{
  addresses_.clear();
  const auto refuse = [&](std::string_view word, std::string_view of, std::string_view expected) {
    return fail(input_.mark(words.line, word), std::string(of) + ": " + quoted(word), expected);
  };
  const std::string_view width = words.next();
  if (!parse(width, instruction.width) || instruction.width > 256)
    return refuse(width, "access width", "expected: bytes of a thread, 0 to 256; 0 is no access");
  if (instruction.width == 0) {
    instruction.addresses = {};
    return true;
  }
  const std::string_view mode = words.next();
  const auto lanes = static_cast<std::size_t>(std::popcount(instruction.mask));
  const auto address = [&](std::uint64_t& to) {
    const std::string_view word = words.next();
    return parse_address(word, to) ||
           refuse(word, "address", "expected: a hexadecimal number that begins with 0x");
  };
  if (mode == "0") {
    for (std::size_t i = 0; i < lanes; ++i) {
      addresses_.emplace_back();
      if (!address(addresses_.back())) return false;
    }
  } else if (mode == "1" || mode == "2") {
    std::uint64_t next = 0;
    if (!address(next)) return false;
    const auto step = [&](std::string_view of, std::int64_t& to) {
      const std::string_view word = words.next();
      return parse(word, to) ||
             refuse(word, of,
                    "expected: a whole number; " + std::to_string(lanes) + " threads of the mask have one");
    };
    std::int64_t by = 0;
    if (mode == "1" && !step("stride", by)) return false;
    for (std::size_t i = 0; i < lanes; ++i) {
      if (i > 0) {
        if (mode == "2" && !step("difference of addresses", by)) return false;
        next += static_cast<std::uint64_t>(by);
      }
      addresses_.push_back(next);
    }
  } else {
    return refuse(mode, "address mode",
                  "expected: 0 (each), 1 (base and stride) or 2 (base and differences)");
  }
  instruction.addresses = addresses_;
  return true;
}

bool TracegReader::immediates(Words& words, TracegInstruction& instruction)
{
  const std::size_t count = header_.version >= 6 ? 2 : header_.version == 5 ? 1 : 0;
  instruction.immediates = {};
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view word = words.next();
    if (!parse(word, instruction.immediates[i]))
      return fail(input_.mark(words.line, word), "immediate: " + quoted(word), "expected: a whole number");
  }
  if (header_.version >= 6) {
    const std::string_view word = words.next();
    if (word == "Val") return true;  // values of registers follow, which nothing here depends on
    if (word != "NoVal") return fail(input_.mark(words.line, word), quoted(word), "expected: Val or NoVal");
  }
  const std::string_view more = words.next();
  if (!more.empty())
    return fail(input_.mark(words.line, more), quoted(more), "expected: the end of the line");
  return true;
}

}  // namespace smsim

#include "workload/traceg_reader.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace smsim {
namespace {

constexpr std::string_view blanks = " \t";
constexpr unsigned newest = 6;

std::string_view trimmed(std::string_view text)
{
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return text.substr(text.size());
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

template <class T>
bool parse(std::string_view text, T& value, int base = 10)
{
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

bool parse_address(std::string_view text, std::uint64_t& value)
{
  return text.starts_with("0x") && parse(text.substr(2), value, 16);
}

std::string quoted(std::string_view text)
{
  constexpr std::size_t most = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, most))
    shown += static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F ? '?' : c;
  return shown + (text.size() > most ? "...'" : "'");
}

/// "key = value" split at the first '='; false if there is none.
bool split_key(std::string_view line, std::string_view& key, std::string_view& value)
{
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return false;
  key = trimmed(line.substr(0, equals));
  value = trimmed(line.substr(equals + 1));
  return true;
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
    : diagnostics_(diagnostics), input_(path, diagnostics)
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

template <class T>
std::optional<T> TracegReader::number(std::string_view line, std::string_view text, T most,
                                      std::string_view of)
{
  T value{};
  const bool hexadecimal = text.starts_with("0x");
  if (parse(hexadecimal ? text.substr(2) : text, value, hexadecimal ? 16 : 10) && value <= most) return value;
  fail(input_.mark(line, text), std::string(of) + ": " + quoted(text),
       "expected: a number, 0 to " + std::to_string(most));
  return std::nullopt;
}

void TracegReader::read_header()
{
  std::string_view line;
  bool any = false;
  const std::size_t errors = diagnostics_.count();
  while (next_line(line)) {
    if (line.starts_with('#')) {
      held_ = line;
      holds_ = true;
      break;
    }
    std::string_view key;
    std::string_view value;
    if (!line.starts_with('-') || !split_key(line.substr(1), key, value)) {
      fail(input_.mark(line, line), quoted(line) + " is no line of a trace's header",
           "expected: such as -grid dim = (8,1,1)");
      return;
    }
    any = true;
    read_key(line, key, value);
    failed_ = false;  // every key is looked at
  }
  failed_ = diagnostics_.count() != errors;
  if (!any && !failed_) fail(input_.mark(), "has no header", "expected: lines such as -grid dim = (8,1,1)");
}

void TracegReader::read_key(std::string_view line, std::string_view key, std::string_view value)
{
  const auto extents = [&](std::array<std::uint32_t, 3>& to, Mark& mark) {
    mark = input_.mark(line, value);
    std::string_view inner = value;
    bool good = inner.size() > 2 && inner.front() == '(' && inner.back() == ')';
    if (good) inner = inner.substr(1, inner.size() - 2);
    for (std::size_t i = 0; good && i < 3; ++i) {
      const std::size_t comma = inner.find(',');
      good = (comma == std::string_view::npos) == (i == 2) && parse(trimmed(inner.substr(0, comma)), to[i]) &&
             to[i] >= 1;
      if (i < 2 && good) inner = inner.substr(comma + 1);
    }
    if (!good)
      fail(mark, std::string(key) + ": " + quoted(value),
           "expected: three numbers from 1 on, such as (8,1,1)");
  };
  const auto whole = [&](Located<std::uint64_t>& to, std::uint64_t most) {
    to = {number<std::uint64_t>(line, value, most, key).value_or(0), input_.mark(line, value)};
  };
  constexpr std::uint64_t any_address = ~std::uint64_t{0};
  if (key == "kernel name") {
    header_.kernel_name = {std::string(value), input_.mark(line, value)};
  } else if (key == "grid dim") {
    extents(header_.grid, header_.grid_mark);
  } else if (key == "block dim") {
    extents(header_.block, header_.block_mark);
  } else if (key == "shmem") {
    whole(header_.shared_bytes, 1U << 30U);
  } else if (key == "nregs") {
    whole(header_.registers, 255);
  } else if (key == "binary version") {
    header_.binary_version = number<std::uint32_t>(line, value, 200, key).value_or(0);
    if (header_.binary_version < 50 && !failed_)
      fail(input_.mark(line, value), "binary version: " + quoted(value),
           "expected: an SM's number, such as 80 for sm_80");
  } else if (key == "shmem base_addr") {
    header_.shared_base = number<std::uint64_t>(line, value, any_address, key).value_or(0);
  } else if (key == "local mem base_addr") {
    header_.local_base = number<std::uint64_t>(line, value, any_address, key).value_or(0);
  } else if (key == "accelsim tracer version") {
    header_.tracer_version = value;
    const bool good = parse(value.substr(0, value.find('.')), header_.version);
    if (!good || header_.version > newest)
      fail(input_.mark(line, value), "accelsim tracer version: " + quoted(value),
           "versions up to " + std::to_string(newest) + " are known");
  } else if (key == "enable lineinfo") {
    header_.line_numbers = number<std::uint32_t>(line, value, 1, key).value_or(0) != 0;
  } else if (key != "kernel id" && key != "cuda stream id" && key != "nvbit version") {
    header_.other_keys.emplace_back(key);
  }
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
      const auto found = number<std::uint32_t>(line, value, 65535, "warp");
      if (!found) return false;
      warp_ = *found;
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
  const auto count = number<std::uint64_t>(line, value, std::uint64_t{1} << 40U, "insts");
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
    if (!number<std::uint32_t>(line, word, 0x7FFF'FFFF, "line number")) return false;
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
    if (letters == 0 || !parse(name.substr(letters), number) || number > (letters == 2 ? 255U : 255U))
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

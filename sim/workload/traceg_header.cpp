// The header of a trace.
#include "workload/traceg_reader.h"
#include "workload/traceg_words.h"

#include <utility>

namespace smsim {

using namespace traceg;

namespace {

constexpr unsigned newest = 6;

}  // namespace

std::optional<std::uint64_t> TracegReader::number(std::string_view line, std::string_view text,
                                                  std::uint64_t most, std::string_view of)
{
  std::uint64_t value = 0;
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
  failed_ = input_.failed() || diagnostics_.count() != errors;
  if (failed_) return;
  if (!any) {
    fail(input_.mark(), "has no header", "expected: lines such as -grid dim = (8,1,1)");
    return;
  }
  std::string missing;
  for (const auto& [key, mark] : {std::pair{"grid dim", &header_.grid_mark},
                                  {"block dim", &header_.block_mark},
                                  {"shmem", &header_.shared_bytes.mark},
                                  {"nregs", &header_.registers.mark}})
    if (mark->line == 0) missing += (missing.empty() ? "-" : ", -") + std::string(key);
  if (!missing.empty())
    fail(input_.mark(), "the header ends without " + missing, "a launch needs all of them");
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
    to = {number(line, value, most, key).value_or(0), input_.mark(line, value)};
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
    header_.binary_version = static_cast<std::uint32_t>(number(line, value, 200, key).value_or(0));
    if (header_.binary_version < 50 && !failed_)
      fail(input_.mark(line, value), "binary version: " + quoted(value),
           "expected: an SM's number, such as 80 for sm_80");
  } else if (key == "shmem base_addr") {
    header_.shared_base = number(line, value, any_address, key).value_or(0);
  } else if (key == "local mem base_addr") {
    header_.local_base = number(line, value, any_address, key).value_or(0);
  } else if (key == "accelsim tracer version") {
    header_.tracer_version = value;
    const bool good = parse(value.substr(0, value.find('.')), header_.version);
    if (!good || header_.version > newest)
      fail(input_.mark(line, value), "accelsim tracer version: " + quoted(value),
           "versions up to " + std::to_string(newest) + " are known");
  } else if (key == "enable lineinfo") {
    header_.line_numbers = number(line, value, 1, key).value_or(0) != 0;
  } else if (key != "kernel id" && key != "cuda stream id" && key != "nvbit version") {
    header_.other_keys.emplace_back(key);
  }
}

}  // namespace smsim

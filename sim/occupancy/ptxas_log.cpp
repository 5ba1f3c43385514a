#include "occupancy/ptxas_log.h"

#include "base/numbers.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace smsim {
namespace {

constexpr std::string_view blanks = " \t";
constexpr const char* whole_output =
    "pass everything that 'nvcc -Xptxas -v' or 'nvcc --resource-usage' prints";

std::string_view trimmed(std::string_view text)
{
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return text.substr(0, 0);
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// Takes `prefix` off the front of `text`; false where it is not there.
bool skip(std::string_view& text, std::string_view prefix)
{
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// The message of a line "ptxas info    : message", whatever stands before it: "nvlink info : ...",
/// "a.ptx, line 12; info : ...", the driver's "info : ...". Empty where the line is none of these.
std::string_view message_of(std::string_view line)
{
  constexpr std::string_view keyword = "info";
  for (std::size_t at = line.find(keyword); at != std::string_view::npos; at = line.find(keyword, at + 1)) {
    const std::string_view before = trimmed(line.substr(0, at));
    if (!before.empty() && !before.ends_with("ptxas") && !before.ends_with("nvlink") &&
        !before.ends_with(";"))
      continue;
    std::string_view after = trimmed(line.substr(at + keyword.size()));
    if (skip(after, ":")) return trimmed(after);
  }
  return {};
}

/// Takes "(target: sm_52)" off the end of a message of nvlink; the answer is "sm_52", or empty.
std::string_view take_target(std::string_view& message)
{
  constexpr std::string_view opening = "(target: ";
  const std::size_t at = message.rfind(opening);
  if (at == std::string_view::npos || !message.ends_with(")")) return {};
  const std::string_view target =
      message.substr(at + opening.size(), message.size() - at - opening.size() - 1);
  message = trimmed(message.substr(0, at));
  return target;
}

/// "sm_90", "sm_90a" and "compute_90" are "9.0", "sm_121" is "12.1"; "" where it is none of these.
std::string compute_capability_of(std::string_view target)
{
  if (!skip(target, "sm_") && !skip(target, "compute_")) return {};
  if (!target.empty() && target.back() >= 'a' && target.back() <= 'z') target.remove_suffix(1);
  if (target.size() < 2 || target.size() > 4 || !parse_integer(target)) return {};
  return std::string(target.substr(0, target.size() - 1)) + "." + target.back();
}

std::string demangled(const std::string& name)
{
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : name;
}

/// For 9.0 the linker (of CUDA 13.0) counts the driver's 1 KiB to a kernel that has shared memory; for no
/// other.
void take_reserve_off(PtxasKernel& kernel)
{
  constexpr std::uint64_t reserve = 1024;
  if (kernel.linked && kernel.compute_capability == "9.0" && kernel.static_shared_bytes >= reserve)
    kernel.static_shared_bytes -= reserve;
}

class LogReader {
 public:
  LogReader(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics)
      : source_(std::move(source)), diagnostics_(diagnostics)
  {
  }

  std::vector<PtxasKernel> read();

 private:
  [[nodiscard]] Mark mark_of(std::string_view part) const;
  void begin_entry(std::string_view message);
  void read_stack(std::string_view line);
  void end_entry(std::string_view usage);
  void end_linked_function(std::string_view usage, std::string_view target);
  void read_usage(std::string_view usage, PtxasKernel& kernel);
  void report_unused_entry();
  void add(PtxasKernel kernel);
  void set_target(PtxasKernel& kernel, std::string_view target);
  template <class Count>
  [[nodiscard]] Count number(std::string_view text, std::string_view of_what);
  [[nodiscard]] std::uint64_t size(std::string_view text, std::string_view of_what);

  std::shared_ptr<const SourceText> source_;
  Diagnostics& diagnostics_;
  std::string_view line_;
  int line_number_ = 0;
  std::optional<PtxasKernel> entry_;  ///< "Compiling entry function" was read, its "Used" line not yet
  std::string function_;              ///< the name of the last "Function properties" line
  std::vector<PtxasKernel> kernels_;
  std::unordered_map<std::string, std::size_t> latest_;  ///< by name and target, and by name alone
};

/// The place of a part of the current line.
Mark LogReader::mark_of(std::string_view part) const
{
  return {source_, line_number_, static_cast<int>(part.data() - line_.data()) + 1};
}

std::vector<PtxasKernel> LogReader::read()
{
  const std::size_t errors_before = diagnostics_.count();
  for (const std::string& line : source_->lines) {
    line_ = line;
    ++line_number_;
    std::string_view message = message_of(line_);
    if (message.empty()) {
      read_stack(line_);
      continue;
    }
    const std::string_view target = take_target(message);
    if (skip(message, "Compiling entry function ")) {
      begin_entry(message);
    } else if (skip(message, "Function properties for ")) {
      if (message.ends_with(":")) message.remove_suffix(1);
      if (message.size() > 1 && message.front() == '\'' && message.back() == '\'')
        message = message.substr(1, message.size() - 2);
      function_ = message;
    } else if (message.find("registers") == std::string_view::npos) {
      continue;
    } else if (message.starts_with("Used ")) {
      end_entry(message);
    } else if (message.starts_with("used ")) {
      end_linked_function(message, target);
    }
  }
  report_unused_entry();
  if (kernels_.empty() && diagnostics_.count() == errors_before)
    diagnostics_.error({source_, 0, 0}, "", "no kernel in this compiler output", whole_output);
  return std::move(kernels_);
}

/// "'_Z4tilePf' for 'sm_90'". A demangled name may itself hold quotes, so the last " for " counts.
void LogReader::begin_entry(std::string_view message)
{
  report_unused_entry();
  constexpr std::string_view between = "' for '";
  entry_.emplace();
  entry_->where = mark_of(message);
  function_.clear();
  if (message.size() < 3 || message.front() != '\'' || message.back() != '\'') {
    diagnostics_.error(entry_->where, "", "the entry function's name is cut off", "e.g. 'NAME' for 'sm_90'");
    return;
  }
  message = message.substr(1, message.size() - 2);
  const std::size_t split = message.rfind(between);
  entry_->name = message.substr(0, split);
  entry_->demangled_name = demangled(entry_->name);
  if (split != std::string_view::npos) set_target(*entry_, message.substr(split + between.size()));
}

void LogReader::set_target(PtxasKernel& kernel, std::string_view target)
{
  kernel.target = target;
  kernel.compute_capability = compute_capability_of(target);
  if (kernel.compute_capability.empty())
    diagnostics_.error(mark_of(target), "", "'" + kernel.target + "' is not an architecture",
                       "e.g. sm_90 or sm_90a");
}

/// "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads", of the entry function itself and not
/// of a device function that was compiled with it.
void LogReader::read_stack(std::string_view line)
{
  if (!entry_ || function_.empty() || function_ != entry_->name) return;
  if (line.find(" bytes stack frame") == std::string_view::npos) return;
  const auto read_field = [&](std::string_view unit, std::optional<std::uint64_t>& value) {
    const std::size_t end = line.find(unit);
    if (end == std::string_view::npos) return;
    const std::string_view before = line.substr(0, end);
    const std::size_t blank = before.find_last_of(blanks);
    value = size(before.substr(blank == std::string_view::npos ? 0 : blank + 1), unit.substr(1));
  };
  read_field(" bytes stack frame", entry_->stack_frame_bytes);
  read_field(" bytes spill stores", entry_->spill_store_bytes);
  read_field(" bytes spill loads", entry_->spill_load_bytes);
}

void LogReader::end_entry(std::string_view usage)
{
  if (!entry_) {
    diagnostics_.error(mark_of(usage), "",
                       "a 'Used' line without a 'Compiling entry function' line before it", whole_output);
    return;
  }
  PtxasKernel kernel = *std::exchange(entry_, std::nullopt);
  function_.clear();
  read_usage(usage, kernel);
  add(std::move(kernel));
}

void LogReader::end_linked_function(std::string_view usage, std::string_view target)
{
  if (function_.empty()) {
    diagnostics_.error(mark_of(usage), "", "a 'used' line without a 'Function properties' line before it",
                       whole_output);
    return;
  }
  PtxasKernel kernel;
  kernel.name = std::exchange(function_, {});
  kernel.linked = true;
  if (!target.empty()) set_target(kernel, target);
  const auto compiled = latest_.find(kernel.name + '\n' + kernel.target);
  if (compiled == latest_.end() || kernels_[compiled->second].linked) {
    kernel.demangled_name = demangled(kernel.name);
    read_usage(usage, kernel);
    take_reserve_off(kernel);
    add(std::move(kernel));
    return;
  }
  PtxasKernel& earlier = kernels_[compiled->second];
  const std::uint64_t least_shared_bytes = earlier.static_shared_bytes;
  earlier.linked = true;
  earlier.constant_banks.clear();
  read_usage(usage, earlier);
  take_reserve_off(earlier);
  earlier.static_shared_bytes = std::max(earlier.static_shared_bytes, least_shared_bytes);
}

/// "Used 10 registers, used 1 barriers, 8 bytes cumulative stack size, 4224 bytes smem, 360 bytes cmem[0]".
/// A field that is not known (textures, samplers) takes nothing that limits occupancy and is passed over.
void LogReader::read_usage(std::string_view usage, PtxasKernel& kernel)
{
  kernel.where = mark_of(usage);
  bool has_registers = false;
  for (std::string_view rest = usage; !rest.empty();) {
    std::string_view field = trimmed(rest.substr(0, rest.find(',')));
    rest.remove_prefix(std::min(rest.find(','), rest.size() - 1) + 1);
    if (!skip(field, "Used ")) skip(field, "used ");
    const std::size_t blank = std::min(field.find(' '), field.size());
    const std::string_view count = field.substr(0, blank);
    std::string_view unit = trimmed(field.substr(blank));
    if (unit == "registers") {
      has_registers = true;
      kernel.registers = number<std::uint32_t>(count, unit);
    } else if (unit == "barriers") {
      kernel.barriers = number<std::uint32_t>(count, unit);
    } else if (unit == "bytes smem") {
      kernel.static_shared_bytes = size(count, unit);
    } else if (unit == "bytes lmem") {
      kernel.local_bytes = size(count, unit);
    } else if (unit == "bytes cumulative stack size" || unit == "stack") {
      kernel.cumulative_stack_bytes = size(count, unit);
    } else if (skip(unit, "bytes cmem[")) {
      const std::string_view bank = unit.substr(0, unit.find(']'));
      const auto number_of_bank = number<std::uint32_t>(bank, "a constant bank");
      kernel.constant_banks.push_back({number_of_bank, size(count, "bytes cmem")});
    }
  }
  if (!has_registers)
    diagnostics_.error(kernel.where, "", "no register count in this line", "'N registers' is expected");
}

/// A build with several jobs can mix the lines of two compilers: nobody knows whose "Used" line is whose.
void LogReader::report_unused_entry()
{
  if (!entry_) return;
  diagnostics_.error(entry_->where, "", "no 'Used' line follows for this entry function",
                     "the log is cut off, or several compilers wrote it at once (build with one job)");
  entry_.reset();
}

void LogReader::add(PtxasKernel kernel)
{
  latest_[kernel.name + '\n'] = kernels_.size();
  latest_[kernel.name + '\n' + kernel.target] = kernels_.size();
  kernels_.push_back(std::move(kernel));
}

/// A count; 0 with an error where the text is none.
template <class Count>
Count LogReader::number(std::string_view text, std::string_view of_what)
{
  const auto value = parse_integer(text);
  if (value && *value <= std::numeric_limits<Count>::max() / 2) return static_cast<Count>(*value);
  const std::string what = "'" + std::string(text) + "' is not a number of " + std::string(of_what);
  diagnostics_.error(mark_of(text), "", what);
  return 0;
}

/// A size in bytes; very old compilers write "28+16": what the kernel declares and what the system adds.
std::uint64_t LogReader::size(std::string_view text, std::string_view of_what)
{
  const std::size_t plus = text.find('+');
  auto bytes = number<std::uint64_t>(text.substr(0, plus), of_what);
  if (plus != std::string_view::npos) bytes += number<std::uint64_t>(text.substr(plus + 1), of_what);
  return bytes;
}

}  // namespace

std::uint64_t PtxasKernel::constant_bytes() const
{
  std::uint64_t sum = 0;
  for (const ConstantBank& bank : constant_banks)
    sum += bank.bytes;
  return sum;
}

void assume_compute_capability(PtxasKernel& kernel, std::string_view compute_capability)
{
  if (!kernel.compute_capability.empty()) return;
  kernel.compute_capability = compute_capability;
  take_reserve_off(kernel);
}

std::vector<PtxasKernel> parse_ptxas_log(const std::shared_ptr<const SourceText>& source,
                                         Diagnostics& diagnostics)
{
  return LogReader(source, diagnostics).read();
}

}  // namespace smsim

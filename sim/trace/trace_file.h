// Where a trace goes: a file that is written whole or not at all, compressed if its name ends in .gz. What is
// written is gathered and handed on in large pieces; nothing is read back, so that memory does not grow.
#pragma once

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace smsim {

class TraceFile {
 public:
  /// @throws RunError, as all of this does, when the file cannot be written; no part of it is left then.
  explicit TraceFile(const std::filesystem::path& path);
  ~TraceFile();

  void text(std::string_view text)
  {
    buffer_ += text;
    if (buffer_.size() >= piece) hand_on();
  }
  void number(std::uint64_t value)
  {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    text({digits, static_cast<std::size_t>(end.ptr - digits)});
  }
  /// All is written: the file comes into its place.
  void close();

 private:
  static constexpr std::size_t piece = 1U << 16U;
  void hand_on();

  struct Out;
  std::unique_ptr<Out> out_;
  std::string buffer_;
};

}  // namespace smsim

// A text file of any size, read line by line in bounded memory: plain, or compressed with gzip or xz, which
// its first bytes tell.
#pragma once

#include "base/diagnostics.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace smsim {

class TraceInput {
 public:
  /// A longer line is an error: the longest of a trace, with 32 addresses, has less than 1 KiB.
  static constexpr std::size_t longest_line = std::size_t{1} << 16U;

  /// Opens; what cannot be read, and a file of another kind, is an error in `diagnostics`.
  TraceInput(const std::filesystem::path& path, Diagnostics& diagnostics);
  ~TraceInput();

  /// The next line, without its end (LF or CR LF); valid until the next call. False at the end of the file,
  /// and behind an error, which `diagnostics` has then.
  bool next(std::string_view& line);

  /// Of the line that came last, from 1.
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] Mark mark(std::string_view line, std::string_view part) const
  {
    return {source_, number_, static_cast<int>(part.data() - line.data()) + 1};
  }
  [[nodiscard]] Mark mark() const { return {source_, std::max(number_, 1), 1}; }
  /// Behind an error.
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  bool open(const std::filesystem::path& path);
  bool refill();

  Diagnostics& diagnostics_;
  std::shared_ptr<SourceText> source_;
  std::unique_ptr<std::istream> stream_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool failed_ = false;
  int number_ = 0;
};

}  // namespace smsim

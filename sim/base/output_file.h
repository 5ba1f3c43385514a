// A file that is written whole or not at all: into a temporary neighbour, which takes its place when all is
// written. A device or a pipe is written directly.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace smsim {

class OutputFile {
 public:
  /// @throws RunError, as all of this does, when the file cannot be written (disk full, no permission); no
  /// partial file is left then.
  explicit OutputFile(const std::filesystem::path& path);
  /// Without commit() nothing is left of it.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  /// All is written: the file comes into its place.
  void commit();

 private:
  [[noreturn]] void fail(const std::string& why);
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::filesystem::path given_;
  std::filesystem::path path_;
  std::filesystem::path target_;  ///< what is written meanwhile
  bool in_place_ = false;
  bool kept_ = false;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace smsim

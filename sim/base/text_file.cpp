#include "base/text_file.h"

#include "base/output_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

namespace smsim {
namespace {

namespace fs = std::filesystem;

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, FileCloser>;

std::string reason() { return std::strerror(errno); }  // NOLINT(concurrency-mt-unsafe)

std::vector<std::string> split_lines(std::string_view text)
{
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The first byte that no text file has: a control character other than tab, line feed and carriage return.
std::size_t find_control_character(std::string_view text)
{
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F) return i;
  }
  return std::string_view::npos;
}

}  // namespace

std::shared_ptr<const SourceText> make_source(std::string name, std::string_view text)
{
  auto source = std::make_shared<SourceText>();
  source->name = std::move(name);
  source->lines = split_lines(text);
  return source;
}

std::shared_ptr<const SourceText> read_text_file(const fs::path& path, std::uint64_t limit,
                                                 Diagnostics& diagnostics)
{
  const bool standard_input = path == "-";
  const std::string name = standard_input ? "<stdin>" : path.string();
  const Mark at{make_source(name, {}), 0, 0};
  std::error_code ignored;
  if (!standard_input && fs::is_directory(path, ignored)) {
    diagnostics.error(at, "", "is a directory; a file is expected");
    return nullptr;
  }
  FileHandle owned(standard_input ? nullptr : std::fopen(path.c_str(), "rb"));
  std::FILE* file = standard_input ? stdin : owned.get();
  if (!file) {
    diagnostics.error(at, "", "cannot be read: " + reason());
    return nullptr;
  }
  std::string text;
  char buffer[1 << 16];
  while (text.size() <= limit) {
    const std::size_t got = std::fread(buffer, 1, sizeof buffer, file);
    text.append(buffer, got);
    if (got < sizeof buffer) break;
  }
  if (std::ferror(file)) {
    diagnostics.error(at, "", "cannot be read: " + reason());
    return nullptr;
  }
  if (text.size() > limit) {
    diagnostics.error(
        at, "", "is larger than " + std::to_string(limit >> 20) + " MiB; no file of this kind needs that");
    return nullptr;
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  auto source = make_source(name, text);
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    diagnostics.error(at, "", "is UTF-16 text; save it as UTF-8");
    return nullptr;
  }
  if (const std::size_t bad = find_control_character(text); bad != std::string_view::npos) {
    const std::string_view before = std::string_view(text).substr(0, bad);
    const auto line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
    const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    char code[8];
    std::snprintf(code, sizeof code, "0x%02x", static_cast<unsigned>(static_cast<unsigned char>(text[bad])));
    diagnostics.error({source, line, static_cast<int>(bad - line_start) + 1}, "",
                      std::string("not a text file: control character ") + code);
    return nullptr;
  }
  return source;
}

std::size_t find_invalid_utf8(std::string_view text)
{
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xC2 && first < 0xE0 ? 2
                               : first >= 0xE0 && first < 0xF0 ? 3
                               : first >= 0xF0 && first < 0xF5 ? 4
                                                               : 0;
    if (length == 0 || i + length > text.size()) return i;
    for (std::size_t k = 1; k < length; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0U) != 0x80U) return i;
    const auto second = length > 1 ? static_cast<unsigned char>(text[i + 1]) : 0;
    const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool beyond = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
    if (overlong || beyond) return i;
    i += length;
  }
  return std::string_view::npos;
}

void write_file_atomically(const fs::path& path, std::string_view content)
{
  OutputFile file(path);
  file.write(content);
  file.commit();
}

}  // namespace smsim

#include "workload/kernel_list.h"

#include "base/text_file.h"
#include "workload/trace_loader.h"

#include <charconv>

namespace smsim {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t largest_list = 16U << 20U;

/// MemcpyHtoD,0x00007f6233c00000,512
bool is_copy(std::string_view line)
{
  if (!line.starts_with("Memcpy")) return false;
  const std::size_t first = line.find(',');
  const std::size_t second = line.find(',', first == std::string_view::npos ? line.size() : first + 1);
  if (second == std::string_view::npos) return false;
  const auto is_number = [](std::string_view text, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
  };
  const std::string_view address = line.substr(first + 1, second - first - 1);
  return address.starts_with("0x") && is_number(address.substr(2), 16) &&
         is_number(line.substr(second + 1), 10);
}

}  // namespace

bool is_kernel_list_name(std::string_view name) { return name.ends_with(".g"); }

std::vector<fs::path> read_kernel_list(const fs::path& path, Diagnostics& diagnostics)
{
  std::vector<fs::path> kernels;
  const auto source = read_text_file(path, largest_list, diagnostics);
  if (!source) return kernels;
  for (std::size_t i = 0; i < source->lines.size(); ++i) {
    std::string_view line = source->lines[i];
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r'))
      line.remove_suffix(1);
    if (line.empty() || is_copy(line)) continue;
    const Mark mark{source, static_cast<int>(i + 1), 1};
    const std::string name(line);
    if (!is_trace_name(name)) {
      diagnostics.error(mark, "", "'" + name + "' is no line of a list of kernels",
                        "expected: the name of a .traceg file, or MemcpyHtoD,0xADDRESS,BYTES");
    } else if (name.find('/') != std::string::npos) {
      diagnostics.error(mark, "", "'" + name + "' leads elsewhere", "expected: a file beside the list");
    } else if (std::error_code ignored; !fs::is_regular_file(path.parent_path() / name, ignored)) {
      diagnostics.error(mark, "", "'" + name + "' does not exist", "expected: a file beside the list");
    } else {
      kernels.push_back(path.parent_path() / name);
    }
  }
  if (diagnostics.ok() && kernels.empty())
    diagnostics.error({source, 1, 1}, "", "the list names no kernel",
                      "expected: a line such as kernel-1.traceg");
  return kernels;
}

}  // namespace smsim

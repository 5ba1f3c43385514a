#include "report/occupancy_batch.h"

#include "base/numbers.h"
#include "config/arch_loader.h"
#include "occupancy/calculator.h"

#include <algorithm>
#include <array>
#include <map>

namespace smsim {
namespace {

struct Column {
  const char* name;
  std::uint64_t least;
  std::uint64_t most;
};
constexpr std::size_t inputs = 7;
/// The first is a text; -1 is allowed for the carveout.
constexpr std::array<Column, inputs> input_columns{{{"compute_capability", 0, 0},
                                                    {"threads_per_block", 1, 65536},
                                                    {"registers_per_thread", 0, 255},
                                                    {"static_shared_bytes", 0, 1U << 30U},
                                                    {"dynamic_shared_bytes", 0, 1U << 30U},
                                                    {"carveout_percent", 0, 100},
                                                    {"barriers_per_block", 0, 64}}};
constexpr const char* output_columns =
    ",blocks_per_sm,limit_warps,limit_blocks,limit_registers,limit_shared_memory,limit_barriers,"
    "allocated_registers_per_block,allocated_shared_bytes_per_block,suggested_block_size,suggested_min_"
    "grid\n";

struct Cell {
  std::string_view text;
  int column;  ///< in the line, from 1
};

std::vector<Cell> split(std::string_view line)
{
  std::vector<Cell> cells;
  std::size_t start = 0;
  while (true) {
    const std::size_t end = std::min(line.find(',', start), line.size());
    cells.push_back({line.substr(start, end - start), static_cast<int>(start) + 1});
    if (end == line.size()) return cells;
    start = end + 1;
  }
}

class Batch {
 public:
  Batch(const std::shared_ptr<const SourceText>& source, Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics), known_(known_compute_capabilities())
  {
  }

  std::string run()
  {
    if (source_->lines.empty()) {
      diagnostics_.error({source_, 0, 0}, "", "is empty", "expected: a header line, " + header_text());
      return {};
    }
    if (!check_header()) return {};
    std::string out = header_text() + output_columns;
    for (std::size_t i = 1; i < source_->lines.size(); ++i)
      if (!source_->lines[i].empty()) row(static_cast<int>(i) + 1, out);
    return out;
  }

 private:
  static std::string header_text()
  {
    std::string text;
    for (const Column& column : input_columns)
      text += (text.empty() ? "" : ",") + std::string(column.name);
    return text;
  }

  /// With the wrong columns no row can be read; the first that is wrong is enough to say.
  bool check_header()
  {
    const std::vector<Cell> cells = split(source_->lines[0]);
    for (std::size_t i = 0; i < inputs; ++i) {
      const std::string_view name = i < cells.size() ? cells[i].text : std::string_view{};
      if (name == input_columns[i].name) continue;
      diagnostics_.error(
          {source_, 1, i < cells.size() ? cells[i].column : static_cast<int>(source_->lines[0].size()) + 1},
          "",
          "column " + std::to_string(i + 1) +
              (name.empty() ? " is missing" : " is '" + std::string(name) + "'"),
          std::string("expected: ") + input_columns[i].name + "; the header is " + header_text());
      return false;
    }
    return true;
  }

  const ArchConfig* arch_of(const Cell& cell, int line)
  {
    const std::string capability(cell.text);
    if (const auto found = archs_.find(capability); found != archs_.end()) return &found->second;
    if (std::find(known_.begin(), known_.end(), capability) == known_.end()) {
      diagnostics_.error({source_, line, cell.column}, input_columns[0].name,
                         "no preset has compute capability '" + capability + "'", allowed_capabilities());
      return nullptr;
    }
    return &archs_.emplace(capability, load_arch(preset_of_compute_capability(capability), {}, diagnostics_))
                .first->second;
  }

  /// Without "did you mean": the nearest spelling of 8.1 is no better than another architecture.
  std::string allowed_capabilities() const
  {
    std::string text;
    for (const std::string& one : known_)
      text += (text.empty() ? "allowed: " : ", ") + one;
    return text;
  }

  std::optional<std::uint64_t> number(const std::vector<Cell>& cells, std::size_t i, int line)
  {
    const Column& column = input_columns[i];
    const auto value = parse_integer(cells[i].text);
    if (value && *value >= column.least && *value <= column.most) return value;
    const std::string what = value ? "out of range: " + std::string(cells[i].text)
                                   : "'" + std::string(cells[i].text) + "' is not a whole number";
    diagnostics_.error({source_, line, cells[i].column}, column.name, what,
                       "allowed: " + std::to_string(column.least) + " to " + std::to_string(column.most) +
                           (i == 5 ? ", or -1 for the driver's default" : ""));
    return std::nullopt;
  }

  void row(int line, std::string& out)
  {
    const std::string& text = source_->lines[static_cast<std::size_t>(line - 1)];
    const std::vector<Cell> cells = split(text);
    if (cells.size() < inputs) {
      diagnostics_.error({source_, line, static_cast<int>(text.size()) + 1}, "",
                         "the row has " + std::to_string(cells.size()) +
                             (cells.size() == 1 ? " column" : " columns"),
                         "expected: " + header_text());
      return;
    }
    const ArchConfig* arch = arch_of(cells[0], line);
    std::array<std::uint64_t, inputs> values{};
    bool valid = arch != nullptr;
    const bool default_carveout = cells[5].text == "-1";
    for (std::size_t i = 1; i < inputs; ++i) {
      if (i == 5 && default_carveout) continue;
      const auto value = number(cells, i, line);
      valid = valid && value.has_value();
      values[i] = value.value_or(0);
    }
    if (!valid) return;
    KernelConfig kernel;
    kernel.block = {static_cast<std::uint32_t>(values[1]), 1, 1};
    kernel.registers_per_thread = static_cast<std::uint32_t>(values[2]);
    kernel.static_shared_bytes = values[3];
    kernel.dynamic_shared_bytes = values[4];
    if (!default_carveout) kernel.carveout = {Carveout::Kind::percent, values[5]};
    kernel.barriers = static_cast<std::uint32_t>(values[6]);
    append(*arch, kernel,
           std::string_view(text).substr(0, static_cast<std::size_t>(cells[6].column) - 1 +
                                                cells[6].text.size()),
           out);
  }

  static void append(const ArchConfig& arch, const KernelConfig& kernel, std::string_view input,
                     std::string& out)
  {
    const Occupancy occupancy = calculate_occupancy(arch, kernel);
    const Suggestion suggestion = suggest_launch(arch, kernel);
    out.append(input);
    const auto cell = [&](const std::string& value) { out.append(",").append(value); };
    cell(std::to_string(occupancy.blocks_per_sm));
    for (const BlockLimit& limit : occupancy.limits)
      cell(limit ? std::to_string(*limit) : "-1");
    cell(std::to_string(occupancy.registers_per_block));
    cell(std::to_string(occupancy.shared_bytes_per_block));
    cell(std::to_string(suggestion.block_size));
    cell(std::to_string(suggestion.min_grid));
    out += '\n';
  }

  const std::shared_ptr<const SourceText>& source_;
  Diagnostics& diagnostics_;
  std::vector<std::string> known_;
  std::map<std::string, ArchConfig> archs_;
};

}  // namespace

std::string occupancy_batch(const std::shared_ptr<const SourceText>& source, Diagnostics& diagnostics)
{
  return Batch(source, diagnostics).run();
}

}  // namespace smsim

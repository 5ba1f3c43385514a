#include "occupancy/ncu_csv.h"

#include "base/numbers.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace smsim {
namespace {

enum class Kind { count, size, fraction };

/// A metric's name in the table, and the section that collects it.
struct MetricInfo {
  Kind kind;
  bool needed;
  std::string_view section;
  std::string_view label;
};
constexpr std::array<MetricInfo, 16> metric_table{{
    {Kind::count, true, "LaunchStats", "Registers Per Thread"},
    {Kind::size, true, "LaunchStats", "Static Shared Memory Per Block"},
    {Kind::size, true, "LaunchStats", "Dynamic Shared Memory Per Block"},
    {Kind::size, false, "LaunchStats", "Driver Shared Memory Per Block"},
    {Kind::size, false, "LaunchStats", "Shared Memory Configuration Size"},
    {Kind::count, true, "LaunchStats", "Block Size"},
    {Kind::count, true, "LaunchStats", "Grid Size"},
    {Kind::count, false, "LaunchStats", "# SMs"},
    {Kind::fraction, false, "LaunchStats", "Waves Per SM"},
    {Kind::count, true, "Occupancy", "Block Limit Warps"},
    {Kind::count, true, "Occupancy", "Block Limit SM"},
    {Kind::count, true, "Occupancy", "Block Limit Registers"},
    {Kind::count, true, "Occupancy", "Block Limit Shared Mem"},
    {Kind::count, false, "Occupancy", "Block Limit Barriers"},
    {Kind::fraction, true, "Occupancy", "Theoretical Occupancy"},
    {Kind::fraction, false, "Occupancy", "Achieved Occupancy"},
}};

constexpr const char* how_to_write =
    "write the table with: ncu --csv --page details --section LaunchStats --section Occupancy";
constexpr std::uint64_t million = 1'000'000;
constexpr std::uint64_t max_count = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t max_number = std::numeric_limits<std::uint64_t>::max();
using Dimensions = std::array<std::uint32_t, 3>;

struct Field {
  std::string text;
  Mark mark;
};
using Record = std::vector<Field>;

/// Reads the record that begins at a line and moves `line` behind it. RFC 4180: fields between commas; in
/// quotes a comma and a line end are text and a doubled quote is a quote.
Record read_record(const std::shared_ptr<const SourceText>& source, std::size_t& line, Diagnostics& errors)
{
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  const std::vector<std::string>& lines = source->lines;
  std::size_t column = line == 0 && lines[line].starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  const auto mark = [&] { return Mark{source, static_cast<int>(line) + 1, static_cast<int>(column) + 1}; };
  Record record;
  for (;;) {
    Field& field = record.emplace_back(Field{{}, mark()});
    const bool quoted = column < lines[line].size() && lines[line][column] == '"';
    if (quoted) ++column;
    for (bool inside = quoted; inside;) {
      if (line == lines.size()) {
        errors.error(field.mark, "", "this quote is never closed");
        return record;
      }
      const std::string& text = lines[line];
      const std::size_t quote = std::min(text.find('"', column), text.size());
      field.text.append(text, column, quote - column);
      column = quote + 1;
      if (quote == text.size()) {
        field.text += '\n';
        ++line;
        column = 0;
      } else if (column < text.size() && text[column] == '"') {
        field.text += '"';
        ++column;
      } else {
        inside = false;
      }
    }
    const std::string& text = lines[line];
    const std::size_t comma = std::min(text.find(',', column), text.size());
    if (quoted && comma != column) errors.error(mark(), "", "text after a closing quote");
    field.text.append(text, column, comma - column);
    column = comma + 1;
    if (comma == text.size()) {
      ++line;
      return record;
    }
  }
}

/// Whether the header of one of Nsight Compute's tables stands in this line.
bool is_header(const std::string& line)
{
  const auto has = [&](const char* column) { return line.find(column) != std::string::npos; };
  return has("Kernel Name") && has("ID") && (has("Process ID") || has("Metric Name"));
}

/// The number without its thousands commas ("1,234.5"), in units of 10^-places. Digits behind those are cut
/// off where `places` is not 0. Nothing where a comma stands elsewhere or the text is no number.
std::optional<std::uint64_t> table_number(std::string_view text, unsigned places)
{
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::size_t first_comma = std::min(text.find(','), point);
  if (places > 0) text = text.substr(0, point + 1 + places);
  if (first_comma < point && first_comma > 3) return std::nullopt;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool comma_is_due = i >= first_comma && i > 0 && i < point && (point - i) % 4 == 0;
    if ((text[i] == ',') != comma_is_due) return std::nullopt;
    if (!comma_is_due) plain += text[i];
  }
  return parse_decimal(plain, places);
}

/// The bytes of a unit, "Kbyte" (1000 bytes) or "Kbyte/block"; 0 where it is none of memory.
std::uint64_t unit_bytes(std::string_view unit)
{
  unit = unit.substr(0, unit.find('/'));
  if (unit == "byte" || unit == "B") return 1;
  if (unit == "Kbyte" || unit == "KB") return 1'000;
  if (unit == "Mbyte" || unit == "MB") return million;
  if (unit == "KiB" || unit == "Kibyte") return 1'024;
  if (unit == "MiB" || unit == "Mibyte") return 1'048'576;
  return 0;
}

/// "(256, 1, 1)".
std::optional<Dimensions> table_dimensions(std::string_view text)
{
  if (!text.starts_with("(") || !text.ends_with(")")) return std::nullopt;
  text = text.substr(1, text.size() - 2);
  Dimensions dimensions{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t end = axis < 2 ? text.find(", ") : text.size();
    if (end == std::string_view::npos) return std::nullopt;
    const auto value = parse_integer(text.substr(0, end));
    // CUDA's own bounds; the product of three stays far below 64 bits.
    constexpr std::uint64_t most[] = {0x7FFF'FFFF, 65535, 65535};
    if (!value || *value == 0 || *value > most[axis]) return std::nullopt;
    dimensions[axis] = static_cast<std::uint32_t>(*value);
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return dimensions;
}

/// One launch while its rows are read: its metrics by label, fractions in millionths.
struct Launch {
  NcuKernel kernel;
  std::unordered_map<std::string_view, std::uint64_t> metrics;
};

/// Puts the metrics into their places.
NcuKernel finished(Launch& launch)
{
  NcuKernel& kernel = launch.kernel;
  const auto metric = [&](std::string_view label) -> std::optional<std::uint64_t> {
    const auto found = launch.metrics.find(label);
    return found == launch.metrics.end() ? std::nullopt : std::optional(found->second);
  };
  const auto count = [&](const char* label) { return static_cast<std::uint32_t>(metric(label).value_or(0)); };
  const auto fraction = [&](const char* label) -> std::optional<double> {
    const auto millionths = metric(label);
    return millionths ? std::optional(static_cast<double>(*millionths) / 1e6) : std::nullopt;
  };
  if (kernel.block == Dimensions{}) kernel.block = {count("Block Size"), 1, 1};
  if (kernel.grid == Dimensions{}) kernel.grid = {count("Grid Size"), 1, 1};
  kernel.registers_per_thread = count("Registers Per Thread");
  kernel.static_shared_bytes = metric("Static Shared Memory Per Block").value_or(0);
  kernel.dynamic_shared_bytes = metric("Dynamic Shared Memory Per Block").value_or(0);
  kernel.driver_shared_bytes = metric("Driver Shared Memory Per Block");
  kernel.shared_configuration_bytes = metric("Shared Memory Configuration Size");
  kernel.sms = metric("# SMs");
  kernel.waves_per_sm = fraction("Waves Per SM");
  std::transform(limiter_table.begin(), limiter_table.end(), kernel.limits.begin(),
                 [&](const LimiterInfo& info) { return metric(info.label); });
  kernel.theoretical_occupancy_percent = fraction("Theoretical Occupancy").value_or(0);
  kernel.achieved_occupancy_percent = fraction("Achieved Occupancy");
  return std::move(kernel);
}

class TableReader {
 public:
  TableReader(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics)
      : source_(std::move(source)), diagnostics_(diagnostics)
  {
  }

  std::vector<NcuKernel> read();

 private:
  bool read_header(const Record& header);
  void read_row(const Record& row);
  Launch& launch_of(const Record& row);
  void read_dimensions(const Record& row, const char* column, Dimensions& to, Launch& launch);
  void report_missing(const Launch& launch);
  [[nodiscard]] std::string text(const Record& row, const char* column) const;

  std::shared_ptr<const SourceText> source_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, std::size_t> columns_;
  std::size_t needed_fields_ = 0;
  std::vector<Launch> launches_;
  std::unordered_map<std::string, std::size_t> index_;  ///< into launches_, by process and ID
};

std::vector<NcuKernel> TableReader::read()
{
  const std::size_t errors_before = diagnostics_.count();
  bool quoted = true;  // as Nsight Compute does; among such rows a line without quotes is another program's
  for (std::size_t line = 0; line < source_->lines.size();) {
    const std::string& text = source_->lines[line];
    if (is_header(text)) {
      quoted = text.find("\"Kernel Name\"") != std::string::npos;
      if (!read_header(read_record(source_, line, diagnostics_))) return {};
    } else if (columns_.empty() || text.empty() || text[0] == '=' || (quoted && text[0] != '"')) {
      ++line;
    } else {
      read_row(read_record(source_, line, diagnostics_));
    }
  }
  std::vector<NcuKernel> kernels;
  for (Launch& launch : launches_) {
    report_missing(launch);
    kernels.push_back(finished(launch));
  }
  if (launches_.empty() && diagnostics_.count() == errors_before)
    diagnostics_.error({source_, 0, 0}, "", "no kernel of Nsight Compute in this file", how_to_write);
  return kernels;
}

/// A second header begins another table, whose launches are numbered from 0 again.
bool TableReader::read_header(const Record& header)
{
  columns_.clear();
  index_.clear();
  needed_fields_ = 0;
  for (std::size_t i = 0; i < header.size(); ++i)
    columns_.emplace(header[i].text, i);
  for (const char* column : {"ID", "Kernel Name", "Metric Name", "Metric Unit", "Metric Value"}) {
    if (!columns_.contains(column)) {
      const std::string what = "no column '" + std::string(column) + "' in this table";
      diagnostics_.error(header.front().mark, "", what, how_to_write);
      return false;
    }
    needed_fields_ = std::max(needed_fields_, columns_.at(column) + 1);
  }
  return true;
}

/// A field of a row; "" where the table has no such column.
std::string TableReader::text(const Record& row, const char* column) const
{
  const auto found = columns_.find(column);
  return found == columns_.end() || found->second >= row.size() ? std::string() : row[found->second].text;
}

/// Rows of rules have no metric; most metrics are of no use here; "n/a" is no value. Where a column has the
/// metric's name (sizes), that counts.
void TableReader::read_row(const Record& row)
{
  if (row.size() < needed_fields_)
    return diagnostics_.error(row[0].mark, "", "row cut off after " + std::to_string(row.size()) + " fields");
  Launch& launch = launch_of(row);
  const std::string name = text(row, "Metric Name");
  const auto* info = std::find_if(metric_table.begin(), metric_table.end(),
                                  [&](const MetricInfo& known) { return known.label == name; });
  const Field& field = row[columns_.at("Metric Value")];
  if (info == metric_table.end() || columns_.contains(name)) return;
  if (field.text.empty() || field.text.ends_with("n/a")) return;
  const auto error = [&](const Field& at, std::string_view what, std::string_view allowed = {}) {
    diagnostics_.error(at.mark, name, "'" + at.text + "' " + std::string(what), allowed);
  };
  const Field& unit = row[columns_.at("Metric Unit")];
  const std::uint64_t factor = info->kind == Kind::size ? unit_bytes(unit.text) : 1;
  if (factor == 0) return error(unit, "is not a unit of memory", "allowed: byte, Kbyte, Mbyte, KiB, MiB");
  const bool whole = info->kind == Kind::count;
  auto value = table_number(field.text, whole ? 0 : 6);
  if (!value || *value > (whole ? max_count : max_number / factor - million))
    return error(field, whole ? "is not a whole number" : "is not a number", "e.g. 1234 or 1,234");
  if (info->kind == Kind::size) value = (*value * factor + million / 2) / million;
  if (info->needed && factor > 1 && *value > 0) launch.kernel.sizes_rounded = true;
  if (launch.metrics.emplace(info->label, *value).first->second != *value)
    error(field, "differs from the value in an earlier row");
}

Launch& TableReader::launch_of(const Record& row)
{
  const std::string key = text(row, "Process ID") + ':' + text(row, "ID");
  const auto [at, is_new] = index_.emplace(key, launches_.size());
  if (!is_new) return launches_[at->second];
  Launch& launch = launches_.emplace_back();
  launch.kernel.id = text(row, "ID");
  launch.kernel.name = text(row, "Kernel Name");
  launch.kernel.compute_capability = text(row, "CC");
  launch.kernel.where = row.front().mark;
  read_dimensions(row, "Block Size", launch.kernel.block, launch);
  read_dimensions(row, "Grid Size", launch.kernel.grid, launch);
  return launch;
}

/// Reads "(256, 1, 1)". Older versions have no such column, only a metric of the same name with the total.
void TableReader::read_dimensions(const Record& row, const char* column, Dimensions& to, Launch& launch)
{
  const std::string words = text(row, column);
  if (words.empty()) return;
  launch.metrics[column] = 0;
  const auto dimensions = table_dimensions(words);
  to = dimensions.value_or(Dimensions{1, 1, 1});
  if (dimensions) return;
  const Mark& mark = row[columns_.at(column)].mark;
  diagnostics_.error(mark, column, "'" + words + "' is not a size", "e.g. (256, 1, 1)");
}

void TableReader::report_missing(const Launch& launch)
{
  for (const std::string_view section : {"LaunchStats", "Occupancy"}) {
    std::string missing;
    for (const MetricInfo& info : metric_table)
      if (info.needed && info.section == section && !launch.metrics.contains(info.label))
        missing.append(missing.empty() ? "'" : ", '").append(info.label).append("'");
    if (missing.empty()) continue;
    missing.append(" of section ").append(section);
    diagnostics_.error(launch.kernel.where, "", "launch " + launch.kernel.id + " has no " + missing,
                       how_to_write);
  }
}

}  // namespace

bool looks_like_ncu_csv(const SourceText& source)
{
  return std::any_of(source.lines.begin(), source.lines.end(), is_header);
}

std::vector<NcuKernel> parse_ncu_csv(const std::shared_ptr<const SourceText>& source,
                                     Diagnostics& diagnostics)
{
  return TableReader(source, diagnostics).read();
}

}  // namespace smsim

#include "report/table_text.h"

#include <algorithm>
#include <cstdio>

namespace smsim {
namespace {

constexpr std::size_t label_width = 40;
constexpr std::size_t value_width = 14;

}  // namespace

std::string fixed(double value, int places)
{
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", places, value);
  return buffer;
}

std::string percent(double share) { return fixed(share * 100, 2); }

ReportSection& ReportSection::row(std::string_view label, std::string_view value, std::string_view unit)
{
  text_ += "  ";
  text_ += label;
  if (label.size() < label_width) text_.append(label_width - label.size(), ' ');
  if (value.size() < value_width) text_.append(value_width - value.size(), ' ');
  text_ += value;
  if (!unit.empty()) text_.append(" ").append(unit);
  text_ += '\n';
  return *this;
}

ReportSection& ReportSection::row(std::string_view label, std::uint64_t value, std::string_view unit)
{
  return row(label, std::to_string(value), unit);
}

std::string columns(const std::vector<std::vector<std::string>>& rows, std::size_t texts_at_start,
                    std::size_t texts_at_end)
{
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - row[i].size(), ' ');
      const bool last = i + 1 == row.size();
      const bool is_text = i < texts_at_start || i + texts_at_end >= row.size();
      out += is_text ? row[i] + (last ? "" : pad) : pad + row[i];
      if (!last) out += "  ";
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

}  // namespace smsim

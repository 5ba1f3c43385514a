#include "report/table_text.h"

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

}  // namespace smsim

// Layout of plain-text reports: sections of label, value and unit, and tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsim {

/// With `places` digits after the point.
std::string fixed(double value, int places);
/// A share of 1 as a percentage with two places.
std::string percent(double share);

/// A table, its columns as wide as needed; texts at the start and end are left-aligned, the numbers between
/// them right-aligned.
std::string columns(const std::vector<std::vector<std::string>>& rows, std::size_t texts_at_start,
                    std::size_t texts_at_end);

/// A titled list of rows, labels on the left, numbers right-aligned, units behind them.
class ReportSection {
 public:
  explicit ReportSection(std::string_view title) : text_(std::string(title) + "\n") {}
  ReportSection& row(std::string_view label, std::string_view value, std::string_view unit = {});
  ReportSection& row(std::string_view label, std::uint64_t value, std::string_view unit = {});
  /// The section with an empty line behind it.
  [[nodiscard]] std::string text() const { return text_ + "\n"; }

 private:
  std::string text_;
};

}  // namespace smsim

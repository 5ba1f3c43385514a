// Layout of plain-text reports: sections of label, value and unit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace smsim {

/// With `places` digits after the point.
std::string fixed(double value, int places);
/// A share of 1 as a percentage with two places.
std::string percent(double share);

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

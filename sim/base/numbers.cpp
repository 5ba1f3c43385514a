#include "base/numbers.h"

#include <charconv>
#include <limits>

namespace smsim {

std::optional<std::uint64_t> parse_integer(std::string_view text)
{
  if (text.empty() || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_size(std::string_view text)
{
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parse_integer(text.substr(0, digits));
  if (!number) return std::nullopt;
  std::string_view unit = text.substr(digits);
  while (!unit.empty() && unit.front() == ' ')
    unit.remove_prefix(1);
  std::uint64_t factor = 0;
  if (unit.empty() || unit == "B") factor = 1;
  if (unit == "KiB") factor = 1024;
  if (unit == "MiB") factor = std::uint64_t{1024} * 1024;
  if (factor == 0 || *number > std::numeric_limits<std::uint64_t>::max() / factor) return std::nullopt;
  return *number * factor;
}

std::optional<std::uint64_t> parse_decimal(std::string_view text, unsigned places)
{
  const std::size_t point = std::min(text.find('.'), text.size());
  const auto whole = parse_integer(text.substr(0, point));
  if (!whole || *whole > 1'000'000'000'000U) return std::nullopt;
  std::string_view fraction = point < text.size() ? text.substr(point + 1) : std::string_view{};
  if (point < text.size() && fraction.empty()) return std::nullopt;
  std::uint64_t value = *whole;
  for (unsigned place = 0; place < places; ++place) {
    char digit = '0';
    if (!fraction.empty()) {
      digit = fraction.front();
      fraction.remove_prefix(1);
    }
    if (digit < '0' || digit > '9') return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  while (!fraction.empty() && fraction.front() == '0')
    fraction.remove_prefix(1);
  if (!fraction.empty()) return std::nullopt;
  return value;
}

std::string size_text(std::uint64_t bytes)
{
  constexpr std::uint64_t kib = 1024;
  if (bytes != 0 && bytes % (kib * kib) == 0) return std::to_string(bytes / (kib * kib)) + " MiB";
  if (bytes != 0 && bytes % kib == 0) return std::to_string(bytes / kib) + " KiB";
  return std::to_string(bytes) + " B";
}

std::string decimal_text(std::uint64_t value, unsigned places)
{
  std::uint64_t unit = 1;
  for (unsigned i = 0; i < places; ++i)
    unit *= 10;
  std::string out = std::to_string(value / unit);
  std::string fraction = std::to_string(value % unit);
  if (fraction.size() < places) fraction.insert(0, places - fraction.size(), '0');
  while (!fraction.empty() && fraction.back() == '0')
    fraction.pop_back();
  return fraction.empty() ? out : out + "." + fraction;
}

}  // namespace smsim

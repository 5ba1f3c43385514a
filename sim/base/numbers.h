// Numbers as users write them: strict, exact, without the surprises of general-purpose parsers
// (`010` is not 8, `1e3` is not an integer, `48abc` is not 48).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsim {

/// A decimal integer without sign, leading zeros or separators; nothing where the text is anything else or
/// too large.
std::optional<std::uint64_t> parse_integer(std::string_view text);

/// A size in bytes: an integer, alone or with B, KiB or MiB after it ("228 KiB"); nothing where it is
/// anything else.
std::optional<std::uint64_t> parse_size(std::string_view text);

/// A decimal fraction with up to `places` digits after the point, as an integer in units of 10^-places:
/// "12.8" with 3 places is 12800. Nothing where it is anything else, negative or above 10^12.
std::optional<std::uint64_t> parse_decimal(std::string_view text, unsigned places);

/// The shortest exact text for a size: "228 KiB", "1 MiB", "100 B".
std::string size_text(std::uint64_t bytes);

/// 12800 in thousandths is "12.8".
std::string decimal_text(std::uint64_t value, unsigned places);

}  // namespace smsim

// Words and numbers of a trace's lines, for its readers.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace smsim::traceg {

inline constexpr std::string_view blanks = " \t";

inline std::string_view trimmed(std::string_view text)
{
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return text.substr(text.size());
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// All of `text` as a number.
template <class T>
bool parse(std::string_view text, T& value, int base = 10)
{
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

/// For a message: in quotes, cut and without what a terminal would not show.
inline std::string quoted(std::string_view text)
{
  constexpr std::size_t most = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, most))
    shown += static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F ? '?' : c;
  return shown + (text.size() > most ? "...'" : "'");
}

/// "key = value" split at the first '='; false if there is none.
inline bool split_key(std::string_view line, std::string_view& key, std::string_view& value)
{
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return false;
  key = trimmed(line.substr(0, equals));
  value = trimmed(line.substr(equals + 1));
  return true;
}

}  // namespace smsim::traceg

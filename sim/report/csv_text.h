// One line of comma-separated values (RFC 4180): cells with commas, quotes or line ends are quoted.
#pragma once

#include <string>
#include <vector>

namespace smsim {

inline std::string csv_line(const std::vector<std::string>& cells)
{
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i) out += ',';
    if (cells[i].find_first_of(",\"\n\r") == std::string::npos) {
      out += cells[i];
      continue;
    }
    out += '"';
    for (const char c : cells[i])
      out += c == '"' ? std::string("\"\"") : std::string(1, c);
    out += '"';
  }
  return out + "\n";
}

}  // namespace smsim

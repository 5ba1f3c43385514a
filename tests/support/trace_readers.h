// Readers of trace files that share nothing with the writers: they take a file apart by its format's
// document, and say what is wrong with it and what its slices and counters add up to.
#pragma once

#include "stats/warp_states.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace smsim::test {

struct TraceSums {
  std::map<std::pair<std::uint64_t, std::uint64_t>, StateCycles> states;  ///< by SM and sub-partition
  /// By SM and name: value times cycles.
  std::map<std::pair<std::uint64_t, std::string>, std::uint64_t> counters;
  std::map<std::string, std::uint64_t> slices;  ///< others than states: cycles by name
  std::uint64_t rows = 0;                       ///< Konata: instructions that were issued
  std::uint64_t first = ~std::uint64_t{0};      ///< cycle that is named
  std::uint64_t last = 0;
  std::vector<std::string> problems;
};

TraceSums read_chrome(const std::string& text);
TraceSums read_perfetto(const std::string& bytes);
/// `slots`: warp slots of a sub-partition.
TraceSums read_konata(const std::string& text, std::uint64_t slots);
/// What a .gz file holds.
std::string unzipped(const std::string& bytes);

}  // namespace smsim::test

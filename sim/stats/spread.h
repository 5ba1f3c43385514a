// How unlike each other whole numbers are, from their count, their sum and the sum of their squares: exact
// up to the last root and division, as long as count x largest is below 2^64.
#pragma once

#include "base/uint128.h"

#include <cmath>
#include <cstdint>

namespace smsim {

/// Their standard deviation (of these numbers, not of a population that they were drawn from); 0 of none.
inline double deviation(std::uint64_t count, std::uint64_t sum, Uint128 squares)
{
  if (count == 0) return 0;
  return std::sqrt(static_cast<double>(count * squares - Uint128{sum} * sum)) / static_cast<double>(count);
}

/// Jain's index: 1 where all are the same, 1 / n where one of n has everything; 1 of none.
/// Source: Jain, Chiu, Hawe, "A Quantitative Measure of Fairness", DEC Research Report TR-301, 1984.
inline double jain_index(std::uint64_t count, std::uint64_t sum, Uint128 squares)
{
  if (squares == 0) return 1;
  return static_cast<double>(Uint128{sum} * sum) / static_cast<double>(count * squares);
}

}  // namespace smsim

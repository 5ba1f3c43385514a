// Standard deviation and Jain's index from whole sums.
#include "stats/spread.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace smsim;

namespace {

struct Sums {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  Uint128 squares = 0;
};

Sums sums_of(const std::vector<std::uint64_t>& values)
{
  Sums sums;
  for (const std::uint64_t value : values) {
    ++sums.count;
    sums.sum += value;
    sums.squares += Uint128{value} * value;
  }
  return sums;
}

double deviation_of(const std::vector<std::uint64_t>& values)
{
  const Sums s = sums_of(values);
  return deviation(s.count, s.sum, s.squares);
}

double fairness_of(const std::vector<std::uint64_t>& values)
{
  const Sums s = sums_of(values);
  return jain_index(s.count, s.sum, s.squares);
}

}  // namespace

TEST_CASE("the standard deviation is exact, also of large numbers that differ little")
{
  CHECK(deviation_of({}) == 0);
  CHECK(deviation_of({7}) == 0);
  CHECK(deviation_of({2, 4, 4, 4, 5, 5, 7, 9}) == 2);
  const std::uint64_t large = std::uint64_t{1} << 44U;  // its square is beyond 64 bits
  CHECK(deviation_of({large, large, large}) == 0);
  CHECK(deviation_of({large - 1, large + 1}) == 1);
}

TEST_CASE("Jain's index is 1 where all are alike and k / n where k of n share everything")
{
  CHECK(fairness_of({}) == 1);
  CHECK(fairness_of({0, 0}) == 1);
  CHECK(fairness_of({3, 3, 3, 3, 3}) == 1);
  CHECK(fairness_of({8, 0, 0, 0}) == 0.25);
  CHECK(fairness_of({8, 8, 0, 0}) == 0.5);
  CHECK(fairness_of({1, 2, 3}) == doctest::Approx(36.0 / 42));
}

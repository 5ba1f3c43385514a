// Logarithm, exponential and normal quantile: right, and the same bits everywhere.
#include "base/portable_math.h"
#include "base/random.h"

#include <boost/math/distributions/normal.hpp>
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace smsim;

namespace {

bool is_near(double found, double right) { return std::fabs(found - right) <= 1e-14 * std::fabs(right); }

}  // namespace

TEST_CASE("the normal quantile is Boost.Math's to 1e-13, from the smallest draw to the largest")
{
  const boost::math::normal normal;
  std::size_t checked = 0;
  const auto check = [&](double p) {
    CAPTURE(p);
    const double right = quantile(normal, p);
    CHECK(std::fabs(normal_quantile(p) - right) <= 1e-13 * std::fabs(right));
    ++checked;
  };
  for (int i = 1; i < 10'000; ++i)
    check(i / 10'000.0);
  for (double p = smallest_unit; p < 0.5; p *= 1.01) {
    check(p);
    check(1 - p);
  }
  check(largest_unit);
  CHECK(checked > 15'000);
}

TEST_CASE("the two sides of the normal quantile mirror each other")
{
  CHECK(normal_quantile(0.5) == 0);
  for (const double p : {0x1p-2, 0x1p-5, 0x1p-20, 0x1p-53})
    CHECK(normal_quantile(1 - p) == -normal_quantile(p));
}

TEST_CASE("logarithm and exponential are the library's to 1e-14, and end as they do")
{
  for (int i = -70'000; i <= 70'000; ++i) {
    const double x = i / 100.0 + i / 70'001.0;
    CAPTURE(x);
    if (x < 709.78 && x > -708.39) REQUIRE(is_near(portable_exp(x), std::exp(x)));
    const double y = std::exp2(x);
    if (y > 1e-300 && y < 1e300) REQUIRE(is_near(portable_log(y), std::log(y)));
    const double near_one = 1 + i * 0x1p-30;
    REQUIRE(is_near(portable_log(near_one), std::log(near_one)));
  }
  CHECK(portable_log(1) == 0);
  CHECK(portable_exp(0) == 1);
  CHECK(portable_exp(710) == std::numeric_limits<double>::infinity());
  CHECK(portable_exp(1e300) == std::numeric_limits<double>::infinity());
  CHECK(portable_exp(-1e300) == 0);
}

TEST_CASE("their bits are pinned: no library and no compiler changes them")
{
  CHECK(portable_log(10) == 0x1.26bb1bbb55516p+1);
  CHECK(portable_log(0x1p-53) == -0x1.25e4f7b2737fap+5);
  CHECK(portable_exp(1) == 0x1.5bf0a8b14576ap+1);
  CHECK(portable_exp(-30.25) == 0x1.4835bd010a41bp-44);
  CHECK(portable_exp(700.1) == 0x1.058614179b2a5p+1010);
  CHECK(normal_quantile(0.1) == -0x1.4813c36e26d33p+0);
  CHECK(normal_quantile(0.7) == 0x1.0c7e39582c5fap-1);
  CHECK(normal_quantile(1e-5) == -0x1.10f3f8843a3dap+2);
  CHECK(normal_quantile(0x1p-53) == -0x1.06b48528cea51p+3);
}

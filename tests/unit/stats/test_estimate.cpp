// Means, confidence intervals and the paired t test, against published numbers.
#include "stats/estimate.h"

#include <boost/math/distributions/students_t.hpp>
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace smsim;

namespace {

// Student, "The Probable Error of a Mean", Biometrika 6 (1908): hours of sleep gained by ten patients with
// two drugs; R's data set `sleep`. t.test(extra ~ group, paired = TRUE): t = -4.0621, df = 9, mean difference
// -1.58, 95 % confidence interval -2.4598858 to -0.7001142.
const std::vector<double> first_drug{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
const std::vector<double> second_drug{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

}  // namespace

TEST_CASE("Student's t is the printed table's")
{
  CHECK(student_t_95(1) == doctest::Approx(12.706).epsilon(5e-5));
  CHECK(student_t_95(2) == doctest::Approx(4.303).epsilon(2e-4));
  CHECK(student_t_95(9) == doctest::Approx(2.262).epsilon(3e-4));
  CHECK(student_t_95(10) == doctest::Approx(2.228).epsilon(3e-4));
  CHECK(student_t_95(30) == doctest::Approx(2.042).epsilon(3e-4));
  CHECK(student_t_95(120) == doctest::Approx(1.980).epsilon(3e-4));
  CHECK(student_t_95(9'999) == doctest::Approx(1.9602).epsilon(1e-5));
}

TEST_CASE("no number of seeds has a t so near to a rounding edge that a last bit would show")
{
  double nearest = 1;
  for (int degrees = 1; degrees < 10'000; ++degrees) {
    const double millionths = quantile(boost::math::students_t(degrees), 0.975) * 1e6;
    nearest = std::min(nearest, std::fabs(millionths - std::floor(millionths) - 0.5));
  }
  // A last bit of 12.7 millions is a 500 millionth.
  CHECK(nearest > 1e-6);
}

TEST_CASE("the paired t test of Student's sleep data is R's")
{
  const Estimate found = paired_difference(first_drug, second_drug);
  CHECK(found.mean == doctest::Approx(-1.58).epsilon(1e-12));
  CHECK_FALSE(found.exact);
  REQUIRE(found.half_width);
  CHECK(found.mean - *found.half_width == doctest::Approx(-2.4598858).epsilon(1e-7));
  CHECK(found.mean + *found.half_width == doctest::Approx(-0.7001142).epsilon(1e-7));
  CHECK(found.differs_from_zero() == true);
  // The first drug alone: mean 0.75, R's interval -0.5297804 to 2.0297804: it may do nothing.
  const Estimate first = estimate(first_drug);
  CHECK(first.mean == doctest::Approx(0.75));
  CHECK(*first.half_width == doctest::Approx(1.2797804).epsilon(1e-7));
  CHECK(first.differs_from_zero() == false);
}

TEST_CASE("samples that are all the same are exact, whatever the number, one alone says nothing of others")
{
  const std::vector<double> same{0.1, 0.1, 0.1};
  const Estimate all_same = estimate(same);
  CHECK(all_same.exact);
  CHECK(all_same.mean == 0.1);
  CHECK_FALSE(all_same.half_width);
  CHECK(all_same.differs_from_zero() == true);
  CHECK(paired_difference(same, same).differs_from_zero() == false);
  const Estimate one = estimate(std::vector<double>{5});
  CHECK(one.mean == 5);
  CHECK_FALSE(one.exact);
  CHECK_FALSE(one.half_width);
  CHECK_FALSE(one.differs_from_zero());
}

TEST_CASE("geometric means")
{
  CHECK(geometric_mean(std::vector<double>{1.225}) == 1.225);
  CHECK(geometric_mean(std::vector<double>{1, 1, 1}) == 1);
  CHECK(geometric_mean(std::vector<double>{2, 8}) == doctest::Approx(4).epsilon(1e-12));
  CHECK(geometric_mean(std::vector<double>{0.5, 2, 27}) == doctest::Approx(3).epsilon(1e-12));
}

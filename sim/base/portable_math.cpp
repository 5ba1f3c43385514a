#include "base/portable_math.h"

#include <array>
#include <cfloat>
#include <cmath>
#include <limits>

namespace smsim {
namespace {

// Only + - * /, and frexp, ldexp, floor and sqrt, which have no rounding choice. The build forbids the
// compiler to fuse a multiplication and an addition (-ffp-contract=off).
static_assert(FLT_EVAL_METHOD == 0 && std::numeric_limits<double>::is_iec559);

// ln 2 in two parts: a multiple of the first by an exponent is exact.
constexpr double ln2_high = 0x1.62e42feep-1;
constexpr double ln2_low = 0x1.a39ef35793c76p-33;

using Coefficients = std::array<double, 8>;

/// Horner's rule; the constant term comes first.
double polynomial(const Coefficients& c, double x)
{
  double sum = 0;
  for (std::size_t i = c.size(); i-- > 0;)
    sum = sum * x + c[i];
  return sum;
}

double ratio(const Coefficients& above, const Coefficients& below, double x)
{
  return polynomial(above, x) / polynomial(below, x);
}

}  // namespace

double portable_log(double x)
{
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  constexpr double sqrt_half = 0x1.6a09e667f3bcdp-1;
  if (mantissa < sqrt_half) {
    mantissa *= 2;
    --exponent;
  }
  // The mantissa's is 2 (s + s^3/3 + s^5/5 + ...), with |s| below 0.172.
  const double s = (mantissa - 1) / (mantissa + 1);
  const double square = s * s;
  double series = 0;
  for (int i = 23; i > 1; i -= 2)
    series = (series + 1.0 / i) * square;
  return exponent * ln2_high + (exponent * ln2_low + 2 * s * (1 + series));
}

double portable_exp(double x)
{
  if (x > 709.78) return std::numeric_limits<double>::infinity();
  if (x < -708.39) return 0;
  const double twos = std::floor(x / (ln2_high + ln2_low) + 0.5);
  const double rest = (x - twos * ln2_high) - twos * ln2_low;  // within ln 2 / 2 of 0
  double series = 1;
  for (int i = 15; i > 0; --i)
    series = series * rest / i + 1;
  return std::ldexp(series, static_cast<int>(twos));
}

/// Source: Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied Statistics
/// 37 (1988), PPND16.
double normal_quantile(double p)
{
  constexpr Coefficients middle_above = {
      3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
      4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3};
  constexpr Coefficients middle_below = {1.0,
                                         4.2313330701600911252e1,
                                         6.8718700749205790830e2,
                                         5.3941960214247511077e3,
                                         2.1213794301586595867e4,
                                         3.9307895800092710610e4,
                                         2.8729085735721942674e4,
                                         5.2264952788528545610e3};
  constexpr Coefficients near_above = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                       5.76949722146069140550e0,  3.64784832476320460504e0,
                                       1.27045825245236838258e0,  2.41780725177450611770e-1,
                                       2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr Coefficients near_below = {1.0,
                                       2.05319162663775882187e0,
                                       1.67638483018380384940e0,
                                       6.89767334985100004550e-1,
                                       1.48103976427480074590e-1,
                                       1.51986665636164571966e-2,
                                       5.47593808499534494600e-4,
                                       1.05075007164441684324e-9};
  constexpr Coefficients far_above = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                      1.78482653991729133580e0,  2.96560571828504891230e-1,
                                      2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                      2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr Coefficients far_below = {1.0,
                                      5.99832206555887937690e-1,
                                      1.36929880922735805310e-1,
                                      1.48753612908506148525e-2,
                                      7.86869131145613259100e-4,
                                      1.84631831751005468180e-5,
                                      1.42151175831644588870e-7,
                                      2.04426310338993978564e-15};
  const double off = p - 0.5;
  if (std::fabs(off) <= 0.425) return off * ratio(middle_above, middle_below, 0.180625 - off * off);
  const double r = std::sqrt(-portable_log(off < 0 ? p : 1 - p));
  const double size = r <= 5 ? ratio(near_above, near_below, r - 1.6) : ratio(far_above, far_below, r - 5);
  return off < 0 ? -size : size;
}

}  // namespace smsim

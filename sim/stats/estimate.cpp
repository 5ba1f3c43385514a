#include "stats/estimate.h"

#include "base/portable_math.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace smsim {

double student_t_95(std::uint64_t degrees_of_freedom)
{
  const boost::math::students_t distribution(static_cast<double>(degrees_of_freedom));
  return std::floor(boost::math::quantile(distribution, 0.975) * 1e6 + 0.5) / 1e6;
}

std::optional<bool> Estimate::differs_from_zero() const
{
  if (exact) return mean != 0;
  if (!half_width) return std::nullopt;
  return std::fabs(mean) > *half_width;
}

Estimate estimate(std::span<const double> samples)
{
  Estimate found;
  const double first = samples.front();
  found.exact = samples.size() > 1 &&
                std::all_of(samples.begin(), samples.end(), [&](double sample) { return sample == first; });
  if (found.exact || samples.size() == 1) {
    found.mean = first;
    return found;
  }
  const auto count = static_cast<double>(samples.size());
  for (const double sample : samples)
    found.mean += sample;
  found.mean /= count;
  double squares = 0;
  for (const double sample : samples)
    squares += (sample - found.mean) * (sample - found.mean);
  found.half_width = student_t_95(samples.size() - 1) * std::sqrt(squares / (count - 1) / count);
  return found;
}

Estimate paired_difference(std::span<const double> a, std::span<const double> b)
{
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i)
    differences.push_back(a[i] - b[i]);
  return estimate(differences);
}

double geometric_mean(std::span<const double> factors)
{
  if (factors.size() == 1) return factors.front();
  double logarithms = 0;
  for (const double factor : factors)
    logarithms += portable_log(factor);
  return portable_exp(logarithms / static_cast<double>(factors.size()));
}

}  // namespace smsim

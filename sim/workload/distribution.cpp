#include "workload/distribution.h"

#include "base/portable_math.h"

#include <algorithm>
#include <cmath>

namespace smsim {

double Uniform::at(double u) const { return std::min(least + std::floor(u * (most - least + 1)), most); }

double Normal::at(double u) const { return mean + deviation * normal_quantile(u); }

double Lognormal::at(double u) const { return median * portable_exp(sigma * normal_quantile(u)); }

double Pareto::at(double u) const { return least * portable_exp(-portable_log(1 - u) / alpha); }

std::uint64_t Distribution::at(double u) const
{
  const double drawn = std::visit([u](const auto& its) { return its.at(u); }, shape);
  if (drawn <= static_cast<double>(least)) return least;
  if (drawn >= static_cast<double>(most)) return most;
  const double whole = std::floor(drawn);
  return static_cast<std::uint64_t>(whole) + (drawn - whole >= 0.5 ? 1 : 0);
}

bool Distribution::may_give(std::uint64_t from, std::uint64_t to) const
{
  const std::uint64_t lowest = at(smallest_unit);
  const std::uint64_t highest = largest();
  const auto is_one = [&](std::uint64_t value) { return from <= value && value <= to; };
  if (std::holds_alternative<Bimodal>(shape)) return is_one(lowest) || is_one(highest);
  return from <= to && lowest <= to && from <= highest;
}

}  // namespace smsim

#include "workload/varying.h"

#include <algorithm>

namespace smsim {

bool Varying::may_be(std::uint64_t from, std::uint64_t to) const
{
  if (drawn) return drawn->may_give(from, to);
  return std::any_of(values.begin(), values.end(), [&](auto value) { return from <= value && value <= to; });
}

std::uint64_t Varying::largest() const
{
  return drawn ? drawn->largest() : *std::max_element(values.begin(), values.end());
}

double Varying::average() const
{
  constexpr std::uint64_t draws = 4096;
  const std::uint64_t n = drawn ? draws : values.size();
  double sum = 0;
  for (std::uint64_t i = 0; i < n; ++i)
    sum += static_cast<double>(drawn ? drawn->at((static_cast<double>(i) + 0.5) / draws) : values[i]);
  return sum / static_cast<double>(n);
}

}  // namespace smsim

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

}  // namespace smsim

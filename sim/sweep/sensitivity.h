// Which axis moves a result most: how much of the result's variance goes with each axis's values.
//
// The points are grouped by an axis's value (10 groups of as many points where it has more than 20 numbers);
// its share is the variance of the groups' means over that of all points: the first-order index of a full
// cross. In a random sample other axes' chance adds about (groups - 1) / points to it.
#pragma once

#include "sweep/results_reader.h"

namespace smsim {

struct AxisEffect {
  std::string axis;
  std::uint64_t values = 0;  ///< that differ
  double share = 0;          ///< 0 to 1
  double least = 0;          ///< the smallest group's mean, and where
  std::string least_at;
  double most = 0;
  std::string most_at;
};

struct Sensitivity {
  std::string result;
  std::uint64_t points = 0;
  double mean = 0;
  double deviation = 0;
  std::vector<AxisEffect> axes;  ///< the one with the largest share first
};

/// Of the points that have a number in the column. @throws InputError where none has.
Sensitivity sensitivity_of(ResultsReader& reader, const ResultQuery& among, const std::string& result);

std::string sensitivity_text(const Sensitivity& found);
std::string sensitivity_csv(const Sensitivity& found);
std::string sensitivity_json(const Sensitivity& found);

}  // namespace smsim

// What a few runs with different seeds say of all of them: means with confidence intervals (Student's t).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace smsim {

/// The t that Student's distribution with this many degrees of freedom stays within, either side of 0, with
/// probability 0.95. To six places, so that it hangs on no mathematics library's last bits.
double student_t_95(std::uint64_t degrees_of_freedom);

/// The mean of a sample, and how far from it the true mean may be.
struct Estimate {
  double mean = 0;
  bool exact = false;                ///< at least two, all the same: nothing was drawn that matters
  std::optional<double> half_width;  ///< of the 95 % confidence interval; nothing if exact, or of one

  /// Whether the interval leaves out 0; nothing where one sample alone cannot tell.
  [[nodiscard]] std::optional<bool> differs_from_zero() const;
};

/// Of at least one sample.
Estimate estimate(std::span<const double> samples);

/// The paired t test: of the differences a[i] - b[i] of samples with the same seed.
Estimate paired_difference(std::span<const double> a, std::span<const double> b);

/// Of at least one factor, all above 0.
double geometric_mean(std::span<const double> factors);

}  // namespace smsim

// A whole number drawn from a distribution: its quantile function at a uniform draw, clipped and rounded. The
// function rises, so that the smallest and the largest draw bound all others.
#pragma once

#include "base/random.h"

#include <cstdint>
#include <variant>

namespace smsim {

/// at(u): what a draw stays below with probability u, in (0, 1).
struct Constant {
  double value = 0;
  [[nodiscard]] double at(double) const { return value; }
};
/// A whole number from `least` to `most`.
struct Uniform {
  double least = 0;
  double most = 0;
  [[nodiscard]] double at(double u) const;
};
struct Normal {
  double mean = 0;
  double deviation = 0;
  [[nodiscard]] double at(double u) const;
};
/// Its logarithm is normal, with deviation `sigma`.
struct Lognormal {
  double median = 1;
  double sigma = 0;
  [[nodiscard]] double at(double u) const;
};
/// Above x, at least `least`, with probability (least / x)^alpha.
struct Pareto {
  double least = 1;
  double alpha = 1;
  [[nodiscard]] double at(double u) const;
};
/// `high` with probability `high_share`, else `low`.
struct Bimodal {
  double low = 0;
  double high = 0;
  double high_share = 0;
  [[nodiscard]] double at(double u) const { return u < 1 - high_share ? low : high; }
};

struct Distribution {
  std::variant<Constant, Uniform, Normal, Lognormal, Pareto, Bimodal> shape;
  std::uint64_t least = 0;  ///< draws below are this
  std::uint64_t most = 0;   ///< draws above are this

  /// Rounded to the nearest, a half upwards.
  [[nodiscard]] std::uint64_t at(double u) const;
  [[nodiscard]] std::uint64_t draw(const DrawKey& key) const { return at(draw_unit(key)); }
  [[nodiscard]] std::uint64_t largest() const { return at(largest_unit); }
  /// Whether a draw may be one of from ... to.
  [[nodiscard]] bool may_give(std::uint64_t from, std::uint64_t to) const;
};

}  // namespace smsim

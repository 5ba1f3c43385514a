// Which points a sweep has: a pure function from a place in its order to the point. No list of points is ever
// kept.
//
// The order: architectures, workloads, sample, seeds, the last fastest; in a cross the last axis is the
// fastest. A draw depends on the sample's seed, the sample's number, the axis and the attempt alone. Points
// that `when` excludes are left out of the numbering; a random sample draws them again.
#pragma once

#include "sweep/sweep.h"

#include <optional>

namespace smsim {

struct SweepPoint {
  std::uint64_t number = 0;  ///< in the order of those that are not excluded, from 0
  std::size_t arch = 0;
  std::size_t workload = 0;
  std::vector<AxisPlace> places;  ///< by axis
  std::uint64_t seed = 0;
};

/// How many places the order has before `when` excludes any; nothing above 2^62.
std::optional<std::uint64_t> count_places(const Sweep& sweep);

/// The values of a sweep's variables in one point.
class PointScope {
 public:
  explicit PointScope(const Sweep& sweep) : sweep_(sweep), derived_(sweep.derived.size()) {}

  /// Works out derived keys too. @throws ExpressionError, with the key's name.
  void enter(const SweepPoint& point);
  [[nodiscard]] ExpressionValue evaluate(const SweepExpression& expression) const;
  [[nodiscard]] bool holds(const SweepExpression& expression) const;
  [[nodiscard]] const ExpressionValue& derived(std::size_t index) const { return derived_[index]; }

 private:
  const std::vector<ExpressionValue>& values_of(const SweepExpression& expression) const;
  ExpressionValue value_of(const SweepVariable& variable) const;

  const Sweep& sweep_;
  const SweepPoint* point_ = nullptr;
  std::vector<ExpressionValue> derived_;
  mutable std::vector<ExpressionValue> arguments_;
};

/// Walks the points in their order.
class PointCursor {
 public:
  explicit PointCursor(const Sweep& sweep);

  /// The next point; nothing behind the last. @throws InputError where `when` cannot be worked out, or where
  /// a random sample finds no point that it allows.
  std::optional<SweepPoint> next();
  /// Leaves out the points before that number; at once where `when` leaves them all in.
  void skip_to(std::uint64_t number);

 private:
  bool place(std::uint64_t at, SweepPoint& point);
  [[nodiscard]] bool allowed(const SweepPoint& point);
  void draw(std::uint64_t sample, std::uint64_t attempt, SweepPoint& point) const;

  const Sweep& sweep_;
  SweepPoint point_;  ///< what the scope looks at
  PointScope scope_;
  std::uint64_t places_;
  std::uint64_t samples_;
  std::uint64_t at_ = 0;
  std::uint64_t number_ = 0;
};

/// All points that `when` leaves: walks them all.
std::uint64_t count_points(const Sweep& sweep);

/// A derived key's value as a file would write it.
std::string number_text(double number);

}  // namespace smsim

#include "sweep/points.h"

#include "base/random.h"
#include "sweep/permutation.h"

#include <charconv>
#include <cmath>

namespace smsim {
namespace {

constexpr std::uint64_t most_places = std::uint64_t{1} << 62U;
/// So often a random sample draws a point that `when` allows.
constexpr std::uint64_t most_attempts = 10'000;

std::optional<std::uint64_t> times(std::optional<std::uint64_t> a, std::uint64_t b)
{
  if (!a || (b != 0 && *a > most_places / b)) return std::nullopt;
  return *a * b;
}

[[noreturn]] void fail(const Expression& condition, const std::string& what)
{
  Diagnostics diagnostics;
  diagnostics.error(condition.mark(), "when", what);
  throw InputError(diagnostics.text());
}

std::optional<std::uint64_t> count_samples(const Sweep& sweep)
{
  if (sweep.sample.draws()) return sweep.sample.points;
  if (sweep.sample.method == Sample::Method::zip) return sweep.axes.empty() ? 1 : sweep.axes[0].count();
  std::optional<std::uint64_t> product = 1;
  for (const Axis& axis : sweep.axes)
    product = times(product, axis.count());
  return product;
}

}  // namespace

std::optional<std::uint64_t> count_places(const Sweep& sweep)
{
  return times(times(times(count_samples(sweep), sweep.archs.size()), sweep.workloads.size()),
               sweep.seeds.size());
}

std::vector<std::string> parameter_names(const Sweep& sweep)
{
  std::vector<std::string> names{"arch", "workload"};
  for (const Axis& axis : sweep.axes)
    names.push_back(axis.key);
  for (const DerivedKey& derived : sweep.derived)
    names.push_back(derived.key);
  names.emplace_back("seed");
  return names;
}

std::string number_text(double number)
{
  char buffer[400];  // the longest double without an exponent
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::fixed).ptr;
  return {buffer, end};
}

ExpressionValue PointScope::value_of(const SweepVariable& variable) const
{
  const auto base = [&](std::size_t index) {
    const SweepVariable::BaseValue& value = variable.by_base[index];
    return ExpressionValue{value.number, value.is_number ? nullptr : &value.text, value.missing};
  };
  switch (variable.kind) {
  case SweepVariable::Kind::axis:
    return sweep_.axes[variable.index].expression_value(point_->places[variable.index]);
  case SweepVariable::Kind::derived:
    return derived_[variable.index];
  case SweepVariable::Kind::seed:
    return {static_cast<double>(point_->seed), nullptr, false};
  case SweepVariable::Kind::arch:
  case SweepVariable::Kind::arch_key:
    return base(point_->arch);
  case SweepVariable::Kind::workload:
  case SweepVariable::Kind::workload_key:
    return base(point_->workload);
  }
  return {};
}

const std::vector<ExpressionValue>& PointScope::values_of(const SweepExpression& expression) const
{
  arguments_.clear();
  for (const std::size_t variable : expression.variables)
    arguments_.push_back(value_of(sweep_.variables[variable]));
  return arguments_;
}

ExpressionValue PointScope::evaluate(const SweepExpression& expression) const
{
  return expression.expression.evaluate(values_of(expression));
}

bool PointScope::holds(const SweepExpression& expression) const
{
  return expression.expression.holds(values_of(expression));
}

void PointScope::enter(const SweepPoint& point)
{
  point_ = &point;
  for (std::size_t i = 0; i < derived_.size(); ++i) {
    const DerivedKey& key = sweep_.derived[i];
    try {
      derived_[i] = evaluate(key.value);
    } catch (const ExpressionError& error) {
      throw ExpressionError("derived." + key.key + ": " + error.what());
    }
    if (derived_[i].missing) throw ExpressionError("derived." + key.key + ": a key without a value");
    if (!derived_[i].text && (!std::isfinite(derived_[i].number) || derived_[i].number < 0))
      throw ExpressionError("derived." + key.key + ": no value that a key can have");
  }
}

PointCursor::PointCursor(const Sweep& sweep)
    : sweep_(sweep), scope_(sweep), places_(count_places(sweep).value_or(0)),
      samples_(count_samples(sweep).value_or(0))
{
}

void PointCursor::draw(std::uint64_t sample, std::uint64_t attempt, SweepPoint& point) const
{
  for (std::size_t i = 0; i < sweep_.axes.size(); ++i) {
    const auto site = static_cast<std::uint32_t>(i);
    double drawn = draw_unit({sweep_.sample.seed, sample, 0, site, attempt});
    // A Latin hypercube: each of as many strata as there are points is hit once, in an order drawn for the
    // axis.
    if (sweep_.sample.method == Sample::Method::latin_hypercube) {
      const Permutation strata(samples_, sweep_.sample.seed, site);
      drawn = (static_cast<double>(strata(sample)) + drawn) / static_cast<double>(samples_);
    }
    point.places[i] = sweep_.axes[i].place_of_draw(drawn);
  }
}

bool PointCursor::allowed(const SweepPoint& point)
{
  if (sweep_.when.empty()) return true;
  const Expression* at = &sweep_.when[0].expression;
  try {
    scope_.enter(point);
    for (const SweepExpression& condition : sweep_.when) {
      at = &condition.expression;
      if (!scope_.holds(condition)) return false;
    }
  } catch (const ExpressionError& error) {
    fail(*at, error.what());
  }
  return true;
}

bool PointCursor::place(std::uint64_t at, SweepPoint& point)
{
  const auto take = [&](std::uint64_t count) {
    const std::uint64_t digit = at % count;
    at /= count;
    return digit;
  };
  point.places.resize(sweep_.axes.size());
  point.seed = sweep_.seeds[take(sweep_.seeds.size())];
  std::uint64_t sample = take(samples_);
  point.workload = take(sweep_.workloads.size());
  point.arch = at;
  switch (sweep_.sample.method) {
  case Sample::Method::cross:
    for (std::size_t i = sweep_.axes.size(); i-- > 0;) {
      const std::uint64_t count = sweep_.axes[i].count();
      point.places[i] = {sample % count, 0};
      sample /= count;
    }
    return allowed(point);
  case Sample::Method::zip:
    for (AxisPlace& place : point.places)
      place = {sample, 0};
    return allowed(point);
  case Sample::Method::latin_hypercube:
    draw(sample, 0, point);
    return allowed(point);
  case Sample::Method::random:
    break;
  }
  for (std::uint64_t attempt = 0; attempt < most_attempts; ++attempt) {
    draw(sample, attempt, point);
    if (allowed(point)) return true;
  }
  fail(sweep_.when[0].expression,
       "none of " + std::to_string(most_attempts) +
           " random draws is allowed; the conditions contradict each other, or the axes");
}

std::optional<SweepPoint> PointCursor::next()
{
  while (at_ < places_) {
    if (!place(at_++, point_)) continue;
    point_.number = number_++;
    return point_;
  }
  return std::nullopt;
}

void PointCursor::skip_to(std::uint64_t number)
{
  if (sweep_.when.empty() || sweep_.sample.method == Sample::Method::random)
    at_ = number_ = number;
  else
    while (number_ < number && next()) {
    }
}

std::uint64_t count_points(const Sweep& sweep)
{
  if (sweep.when.empty() || sweep.sample.method == Sample::Method::random)
    return count_places(sweep).value_or(0);
  PointCursor cursor(sweep);
  std::uint64_t count = 0;
  while (cursor.next())
    ++count;
  return count;
}

}  // namespace smsim

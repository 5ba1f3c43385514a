#include "sweep/expression.h"

#include "base/numbers.h"

#include <algorithm>
#include <cmath>

namespace smsim {
namespace {

constexpr ExpressionValue truth(bool holds) { return {holds ? 1.0 : 0.0, nullptr, false}; }

double divided(double a, double b)
{
  if (b == 0) throw ExpressionError("division by zero");
  return a / b;
}

double remainder_of(double a, double b)
{
  if (b == 0) throw ExpressionError("the remainder of a division by zero");
  return std::fmod(a, b);
}

}  // namespace

bool read_number(std::string_view text, double& number)
{
  if (const auto whole = parse_integer(text)) {
    number = static_cast<double>(*whole);
    return true;
  }
  if (const auto bytes = parse_size(text)) {
    number = static_cast<double>(*bytes);
    return true;
  }
  if (text.ends_with('%')) text.remove_suffix(1);
  constexpr unsigned places = 6;
  const auto millionths = parse_decimal(text, places);
  if (millionths) number = static_cast<double>(*millionths) / 1e6;
  return millionths.has_value();
}

ExpressionValue Expression::evaluate(std::span<const ExpressionValue> values) const
{
  return value_of(nodes_.size() - 1, values);
}

bool Expression::holds(std::span<const ExpressionValue> values) const
{
  return truth_of(nodes_.size() - 1, values);
}

double Expression::number_of(std::size_t node, std::span<const ExpressionValue> values, bool& missing) const
{
  const ExpressionValue value = value_of(node, values);
  if (value.text) throw ExpressionError("'" + *value.text + "' is not a number");
  missing = missing || value.missing;
  return value.number;
}

bool Expression::truth_of(std::size_t node, std::span<const ExpressionValue> values) const
{
  bool missing = false;
  const double number = number_of(node, values, missing);
  return !missing && number != 0;
}

ExpressionValue Expression::compare(const Node& node, std::span<const ExpressionValue> values) const
{
  if (node.op == Op::equal || node.op == Op::not_equal) {
    const ExpressionValue a = value_of(node.left, values);
    const ExpressionValue b = value_of(node.right, values);
    if (a.missing || b.missing) return truth(false);
    return truth((a == b) == (node.op == Op::equal));
  }
  bool missing = false;
  const double a = number_of(node.left, values, missing);
  const double b = number_of(node.right, values, missing);
  if (missing) return truth(false);
  switch (node.op) {
  case Op::less:
    return truth(a < b);
  case Op::less_equal:
    return truth(a <= b);
  case Op::greater:
    return truth(a > b);
  default:
    return truth(a >= b);
  }
}

ExpressionValue Expression::value_of(std::size_t index, std::span<const ExpressionValue> values) const
{
  const Node& node = nodes_[index];
  switch (node.op) {
  case Op::number:
    return {node.number, nullptr, false};
  case Op::text:
    return {0, &texts_[node.index], false};
  case Op::name:
    return values[node.index];
  case Op::logical_not:
    return truth(!truth_of(node.left, values));
  case Op::logical_and:
    return truth(truth_of(node.left, values) && truth_of(node.right, values));
  case Op::logical_or:
    return truth(truth_of(node.left, values) || truth_of(node.right, values));
  case Op::equal:
  case Op::not_equal:
  case Op::less:
  case Op::less_equal:
  case Op::greater:
  case Op::greater_equal:
    return compare(node, values);
  default:
    break;
  }
  bool missing = false;
  const double a = number_of(node.left, values, missing);
  const bool unary =
      node.op == Op::negate || node.op == Op::floor || node.op == Op::ceil || node.op == Op::round;
  const double b = unary ? 0 : number_of(node.right, values, missing);
  if (missing) return {0, nullptr, true};
  const auto result = [&]() -> double {
    switch (node.op) {
    case Op::negate:
      return -a;
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return divided(a, b);
    case Op::remainder:
      return remainder_of(a, b);
    case Op::min:
      return std::min(a, b);
    case Op::max:
      return std::max(a, b);
    case Op::floor:
      return std::floor(a);
    case Op::ceil:
      return std::ceil(a);
    case Op::round:
      return std::floor(a + 0.5);
    case Op::round_up:
      return std::ceil(divided(a, b)) * b;
    default:
      return std::floor(divided(a, b)) * b;
    }
  };
  return {result(), nullptr, false};
}

}  // namespace smsim

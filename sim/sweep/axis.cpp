#include "sweep/axis.h"

#include "base/numbers.h"
#include "base/portable_math.h"

#include <algorithm>
#include <cmath>

namespace smsim {
namespace {

constexpr unsigned places = 6;
constexpr std::uint64_t one = 1'000'000;
constexpr std::uint64_t kib = 1024;

}  // namespace

std::string Quantity::text() const
{
  if (unit == Unit::size) return size_text(value);
  return decimal_text(value, places) + (unit == Unit::percent ? "%" : "");
}

double Quantity::number() const
{
  if (unit == Unit::size) return static_cast<double>(value);
  const std::uint64_t whole = value / one;
  return value % one == 0 ? static_cast<double>(whole) : static_cast<double>(value) / 1e6;
}

std::uint64_t Quantity::grain() const
{
  if (unit == Unit::size) return value % kib == 0 ? kib : 1;
  return value % one == 0 ? one : one / 1000;
}

std::uint64_t Axis::count() const
{
  if (!items.empty()) return items.size();
  return is_log ? 0 : (to.value - from.value) / step + 1;
}

AxisPlace Axis::place_of_draw(double draw) const
{
  const std::uint64_t values = count();
  if (values == 0) return {0, draw};
  const auto index = static_cast<std::uint64_t>(draw * static_cast<double>(values));
  return {std::min(index, values - 1), 0};
}

Quantity Axis::quantity(const AxisPlace& place) const
{
  if (!is_log) return {from.value + place.index * step, from.unit};
  const double low = portable_log(static_cast<double>(from.value));
  const double high = portable_log(static_cast<double>(to.value));
  const double drawn = portable_exp(low + (high - low) * place.draw);
  const auto rounded = static_cast<std::uint64_t>(std::floor(drawn / static_cast<double>(step) + 0.5)) * step;
  return {std::clamp(rounded, from.value, to.value), from.unit};
}

YamlNode Axis::value(const AxisPlace& place) const
{
  return items.empty() ? YamlNode::scalar(quantity(place).text()) : items[place.index];
}

ExpressionValue Axis::expression_value(const AxisPlace& place) const
{
  if (items.empty()) return {quantity(place).number(), nullptr, false};
  const Item& item = item_values_[place.index];
  return item.is_number ? ExpressionValue{item.number, nullptr, false}
                        : ExpressionValue{0, &item.text, false};
}

void Axis::remember_items()
{
  for (const YamlNode& node : items) {
    Item item;
    item.text = flow_text(node);
    item.is_number =
        node.kind == YamlNode::Kind::scalar && !node.quoted && read_number(node.text, item.number);
    item_values_.push_back(std::move(item));
  }
}

std::string flow_text(const YamlNode& node)
{
  const auto joined = [](const auto& parts, const auto& text_of) {
    std::string out;
    for (const auto& part : parts)
      out += (out.empty() ? "" : ", ") + text_of(part);
    return out;
  };
  switch (node.kind) {
  case YamlNode::Kind::scalar:
    return node.text;
  case YamlNode::Kind::sequence:
    return "[" + joined(node.items, flow_text) + "]";
  case YamlNode::Kind::map:
    return "{" +
           joined(node.entries,
                  [](const YamlEntry& entry) { return entry.key + ": " + flow_text(entry.value); }) +
           "}";
  case YamlNode::Kind::empty:
    break;
  }
  return "";
}

}  // namespace smsim

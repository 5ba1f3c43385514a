// The forms of an axis:
//   [32, 48, 64]                                  a list; its items may be texts, lists and maps
//   {range: [200, 1000], step: 50}                or points: 9, evenly spaced; step: what they are rounded to
//   {log_range: [100, 10000], points: 9}          or without points, where the sample draws
//   {powers_of_two: [32768, 262144]}
#include "base/numbers.h"
#include "base/portable_math.h"
#include "config/field_reader.h"
#include "sweep/axis.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace smsim {

class AxisReader {
 public:
  AxisReader(const std::string& key, const YamlNode& node, bool drawn, Diagnostics& diagnostics)
      : node_(node), path_("axes." + key), drawn_(drawn), diagnostics_(diagnostics)
  {
  }

  void read(Axis& axis)
  {
    if (node_.kind == YamlNode::Kind::sequence)
      list(axis);
    else if (node_.kind == YamlNode::Kind::map)
      form(axis);
    else
      diagnostics_.error(node_.mark, path_, node_.describe() + " is not an axis",
                         "expected: a list such as [32, 64], or one of " + std::string(forms));
    axis.remember_items();
  }

 private:
  static constexpr std::string_view forms =
      "{range: [200, 1000], step: 50}, {log_range: [100, 10000], points: 9}, {powers_of_two: [32, 256]}";
  static constexpr std::uint64_t most_points = 100'000;

  void list(Axis& axis)
  {
    if (node_.items.empty())
      diagnostics_.error(node_.mark, path_, "an empty list: the sweep would have no point",
                         "expected: at least one value");
    std::set<std::string> texts;
    for (const YamlNode& item : node_.items) {
      if (item.kind == YamlNode::Kind::empty)
        diagnostics_.error(item.mark, path_, item.describe() + " is not a value");
      else if (!texts.insert(flow_text(item)).second)
        diagnostics_.error(item.mark, path_, "'" + flow_text(item) + "' is given twice");
    }
    axis.items = node_.items;
  }

  void form(Axis& axis)
  {
    MapReader map(node_, path_, diagnostics_);
    const YamlNode* range = map.find("range");
    const YamlNode* log_range = map.find("log_range");
    const YamlNode* powers = map.find("powers_of_two");
    const int given = (range ? 1 : 0) + (log_range ? 1 : 0) + (powers ? 1 : 0);
    const YamlNode* step = powers ? nullptr : map.find("step");
    const YamlNode* points = powers ? nullptr : map.find("points");
    map.finish();
    if (given != 1) {
      diagnostics_.error(node_.mark, path_, given == 0 ? "says no values" : "says its values in two ways",
                         "expected: one of " + std::string(forms));
      return;
    }
    const YamlNode& bounds = range ? *range : log_range ? *log_range : *powers;
    if (!read_bounds(axis, bounds, range ? "range" : log_range ? "log_range" : "powers_of_two")) return;
    axis.is_log = log_range != nullptr;
    if (powers)
      powers_of_two(axis, bounds);
    else if (log_range && axis.from.value == 0)
      diagnostics_.error(bounds.mark, path_, "a log range cannot begin at 0");
    else if (read_step(axis, step, points))
      spaced(axis, points);
  }

  std::optional<Quantity> quantity(const YamlNode& node)
  {
    std::string_view text = node.text;
    if (node.kind == YamlNode::Kind::scalar && !node.quoted) {
      Quantity::Unit unit = Quantity::Unit::number;
      if (text.ends_with('%')) {
        unit = Quantity::Unit::percent;
        text.remove_suffix(1);
      }
      if (const auto millionths = parse_decimal(text, 6)) return Quantity{*millionths, unit};
      if (const auto bytes = parse_size(text); bytes && *bytes <= (std::uint64_t{1} << 40U))
        return Quantity{*bytes, Quantity::Unit::size};
    }
    diagnostics_.error(node.mark, path_, node.describe() + " is not a number",
                       "expected: such as 64, 12.8, 48 KiB or 50%");
    return std::nullopt;
  }

  bool read_bounds(Axis& axis, const YamlNode& bounds, const std::string& form_name)
  {
    if (bounds.kind != YamlNode::Kind::sequence || bounds.items.size() != 2) {
      diagnostics_.error(bounds.mark, join_path(path_, form_name), bounds.describe() + " is not two bounds",
                         "expected: such as [32, 256]");
      return false;
    }
    const auto from = quantity(bounds.items[0]);
    const auto to = quantity(bounds.items[1]);
    if (!from || !to) return false;
    if (from->unit != to->unit) {
      diagnostics_.error(bounds.items[1].mark, path_,
                         "bounds of two kinds: '" + bounds.items[0].text + "' and '" + bounds.items[1].text +
                             "'",
                         "expected: both with a unit, or none");
      return false;
    }
    if (to->value < from->value) {
      diagnostics_.error(bounds.items[1].mark, path_,
                         "an empty range: " + to->text() + " is less than " + from->text(),
                         "expected: [least, most]");
      return false;
    }
    axis.from = *from;
    axis.to = *to;
    return true;
  }

  bool read_step(Axis& axis, const YamlNode* step, const YamlNode* points)
  {
    axis.step = std::min(axis.from.grain(), axis.to.grain());
    if (step) {
      const auto given = quantity(*step);
      if (!given) return false;
      if (given->value == 0 || given->unit != axis.from.unit) {
        diagnostics_.error(step->mark, join_path(path_, "step"),
                           given->value == 0 ? "a step of 0"
                                             : "'" + step->text + "' is of another kind than the bounds",
                           "expected: above 0, in the unit of the bounds");
        return false;
      }
      axis.step = given->value;
    } else if (!axis.is_log && !points && axis.from.unit == Quantity::Unit::number &&
               axis.step == 1'000'000) {
      return true;  // whole numbers, all of them
    } else if (!axis.is_log && !points) {
      diagnostics_.error(node_.mark, path_, "the range has no step", "expected: step, or points");
      return false;
    }
    return true;
  }

  void spaced(Axis& axis, const YamlNode* points)
  {
    if (!points) {
      if (axis.is_log && !drawn_)
        diagnostics_.error(
            node_.mark, path_, "the log range has no points",
            "expected: points: how many; only a random or latin_hypercube sample draws its own");
      return;
    }
    const auto wanted =
        ScalarReader(diagnostics_).integer(*points, join_path(path_, "points"), 2, most_points);
    if (!wanted) return;
    const auto from = static_cast<double>(axis.from.value);
    const auto to = static_cast<double>(axis.to.value);
    const auto step = static_cast<double>(axis.step);
    std::uint64_t last = 0;
    for (std::uint64_t i = 0; i < *wanted; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(*wanted - 1);
      const double exact =
          axis.is_log ? portable_exp(portable_log(from) + (portable_log(to) - portable_log(from)) * share)
                      : from + (to - from) * share;
      std::uint64_t value = static_cast<std::uint64_t>(std::floor(exact / step + 0.5)) * axis.step;
      // The bounds are meant as they are written.
      if (i == 0) value = axis.from.value;
      if (i + 1 == *wanted) value = axis.to.value;
      value = std::clamp(value, axis.from.value, axis.to.value);
      if (i == 0 || value != last)
        axis.items.push_back(YamlNode::scalar(Quantity{value, axis.from.unit}.text()));
      last = value;
    }
    if (axis.items.size() < *wanted)
      diagnostics_.error(points->mark, join_path(path_, "points"),
                         std::to_string(*wanted) + " points, but rounded to " +
                             Quantity{axis.step, axis.from.unit}.text() + " only " +
                             std::to_string(axis.items.size()) + " differ",
                         "fewer points, or a smaller step");
  }

  void powers_of_two(Axis& axis, const YamlNode& bounds)
  {
    const std::uint64_t unit = axis.from.unit == Quantity::Unit::size ? 1 : 1'000'000;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::uint64_t value = (i == 0 ? axis.from : axis.to).value;
      if (value % unit == 0 && std::has_single_bit(value / unit)) continue;
      diagnostics_.error(bounds.items[i].mark, path_, "'" + bounds.items[i].text + "' is not a power of two");
      return;
    }
    for (std::uint64_t value = axis.from.value; value <= axis.to.value; value *= 2)
      axis.items.push_back(YamlNode::scalar(Quantity{value, axis.from.unit}.text()));
  }

  const YamlNode& node_;
  std::string path_;
  bool drawn_;
  Diagnostics& diagnostics_;
};

Axis read_axis(const std::string& key, const Mark& mark, const YamlNode& node, bool drawn,
               Diagnostics& diagnostics)
{
  Axis axis;
  axis.key = key;
  axis.mark = mark;
  AxisReader(key, node, drawn, diagnostics).read(axis);
  return axis;
}

}  // namespace smsim

// The values that one key takes in a sweep: a list, a range, a log range or powers of two.
//
// A value is a pure function of its place (or of a draw), so that a range may be as long as it likes.
#pragma once

#include "config/yaml_node.h"
#include "sweep/expression.h"

#include <cstdint>
#include <string>
#include <vector>

namespace smsim {

/// A number of a sweep file in exact units: bytes of a size, millionths of any other number.
struct Quantity {
  enum class Unit { number, size, percent };
  std::uint64_t value = 0;
  Unit unit = Unit::number;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] double number() const;
  /// What a number is rounded to where nothing else is said: 1, 1 KiB, 1 %; 0.001 where it is no whole
  /// number.
  [[nodiscard]] std::uint64_t grain() const;
};

/// Where on an axis a point lies: the place of its value or, on an axis without places, a draw in (0, 1).
struct AxisPlace {
  std::uint64_t index = 0;
  double draw = 0;
};

struct Axis {
  std::string key;
  Mark mark;  ///< of the key

  std::vector<YamlNode> items;  ///< a list's, or all values of a short axis; empty for the others
  // Else: from, from + step, ... up to `to`; or drawn log-uniformly between them and rounded to `step`.
  Quantity from;
  Quantity to;
  std::uint64_t step = 1;
  bool is_log = false;

  /// Values; 0: any number of them, drawn.
  [[nodiscard]] std::uint64_t count() const;
  [[nodiscard]] AxisPlace place_of_draw(double draw) const;
  [[nodiscard]] YamlNode value(const AxisPlace& place) const;
  /// The same for expressions; the text is the axis's own.
  [[nodiscard]] ExpressionValue expression_value(const AxisPlace& place) const;

 private:
  friend class AxisReader;
  void remember_items();
  [[nodiscard]] Quantity quantity(const AxisPlace& place) const;

  struct Item {
    bool is_number = false;
    double number = 0;
    std::string text;
  };
  std::vector<Item> item_values_;
};

/// Reads the axis of `key`. Errors go to `diagnostics`; the answer is then not usable. Without `drawn` an
/// axis must have places.
Axis read_axis(const std::string& key, const Mark& mark, const YamlNode& node, bool drawn,
               Diagnostics& diagnostics);

/// A list, map or scalar on one line: [0 B, 8 KiB].
std::string flow_text(const YamlNode& node);

}  // namespace smsim

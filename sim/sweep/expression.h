// The arithmetic of a sweep file: what `when:`, `derived:` and `smsim results --where` are written in.
//
//   register_file.registers >= sm.max_warps * 32 * 16 and scheduler.policy != 'swl'
//
// Numbers, sizes (48 KiB is 49152), 'texts', dotted names; + - * / % (remainder), == != < <= > >=, and, or,
// not; min, max, floor, ceil, round, round_up(x, unit), round_down(x, unit). Truth is 1 and 0. Only
// operations that IEEE 754 fixes: the same answer on every machine.
#pragma once

#include "base/diagnostics.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smsim {

/// A number, a text that somebody else keeps, or nothing (what a failed point's results are).
struct ExpressionValue {
  double number = 0;
  const std::string* text = nullptr;
  bool missing = false;

  friend bool operator==(const ExpressionValue& a, const ExpressionValue& b)
  {
    if (a.missing || b.missing) return false;
    return a.text && b.text ? *a.text == *b.text : !a.text && !b.text && a.number == b.number;
  }
};

/// What cannot be worked out: a text where a number is needed, a division by zero.
class ExpressionError : public InputError {
 public:
  using InputError::InputError;
};

/// Reads a value as a file writes it: "12.8" and "48 KiB" and "50%" are numbers, anything else is text.
/// True where it is a number.
bool read_number(std::string_view text, double& number);

class Expression {
 public:
  struct Name {
    std::string name;
    Mark mark;
  };

  /// Parses `text`, which begins at `written`. Errors go to `diagnostics`, under `path`; the answer is then
  /// not usable.
  static Expression parse(std::string_view text, const Mark& written, const std::string& path,
                          Diagnostics& diagnostics);

  /// The names in it, each once, in the order of the text; `evaluate` takes their values in that order.
  [[nodiscard]] const std::vector<Name>& names() const { return names_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const Mark& mark() const { return mark_; }

  /// @throws ExpressionError.
  [[nodiscard]] ExpressionValue evaluate(std::span<const ExpressionValue> values) const;
  /// As a condition: neither 0 nor missing. @throws ExpressionError, also for a text.
  [[nodiscard]] bool holds(std::span<const ExpressionValue> values) const;

 private:
  friend class ExpressionParser;
  enum class Op : std::uint8_t {
    number,
    text,
    name,
    negate,
    logical_not,
    logical_and,
    logical_or,
    add,
    subtract,
    multiply,
    divide,
    remainder,
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    min,
    max,
    floor,
    ceil,
    round,
    round_up,
    round_down
  };
  struct Node {
    Op op = Op::number;
    double number = 0;
    std::size_t index = 0;  ///< of the name or the text
    std::size_t left = 0;   ///< nodes; children come before their parents
    std::size_t right = 0;
  };

  ExpressionValue value_of(std::size_t node, std::span<const ExpressionValue> values) const;
  double number_of(std::size_t node, std::span<const ExpressionValue> values, bool& missing) const;
  bool truth_of(std::size_t node, std::span<const ExpressionValue> values) const;
  ExpressionValue compare(const Node& node, std::span<const ExpressionValue> values) const;

  std::string text_;
  Mark mark_;
  std::vector<Node> nodes_;  ///< the last one is the whole
  std::vector<Name> names_;
  std::vector<std::string> texts_;
};

}  // namespace smsim

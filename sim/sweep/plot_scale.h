// One axis of a plot: where a value lies on the picture, and what is written beside it.
// Texts stand in a row; numbers on a line, or on a logarithmic one where the largest is 50 times the least or
// each is at least twice the one before.
#pragma once

#include "sweep/results_reader.h"

namespace smsim {

class PlotScale {
 public:
  struct Tick {
    double at = 0;
    std::string label;
  };

  /// steps: each different value has a place as wide as the others (a heat map), as texts always have;
  /// values: a few numbers are written out themselves; round: round numbers beside a line.
  enum class Marks { steps, values, round };

  /// `values`: all that will be placed, at least one. `from` and `to` are pixels.
  PlotScale(const std::vector<Cell>& values, Marks marks, double from, double to);

  [[nodiscard]] double at(const Cell& cell) const;
  [[nodiscard]] const std::vector<Tick>& ticks() const { return ticks_; }
  /// Of a step scale: the different values in their order, and the width of each.
  [[nodiscard]] const std::vector<Cell>& steps() const { return steps_; }
  [[nodiscard]] double step_width() const;
  [[nodiscard]] bool is_log() const { return log_; }

 private:
  [[nodiscard]] double at_number(double number) const;
  void place_steps();
  void place_numbers();

  double from_;
  double to_;
  bool log_ = false;
  double least_ = 0;
  double most_ = 1;
  std::vector<Cell> steps_;  ///< empty: numbers on a line
  std::vector<Tick> ticks_;
};

/// As short as can be read: 65536 is 64Ki, 1200000 is 1.2M.
std::string tick_text(double number);

}  // namespace smsim

// The frame of a drawing: an SVG area that takes the width it gets, with axes and labels beside and over it
// as text of a constant size. page.js zooms it sideways and reads it out by hovering and by keys.
//
// What is drawn has its own units: x of the frame's range, y from 0 (top) to `rows` (bottom).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smsim::html {

/// Round numbers from `least` to `most`, at most `about` + 1 of them.
std::vector<double> ticks(double least, double most, int about);

/// A coordinate: as few characters as it takes.
std::string coordinate(double value);

/// A rectangle, as path data; page.js reads bars back from it.
std::string bar(double x, double y, double width, double height);

struct Label {
  double x = 0;
  std::string text;               ///< HTML
  std::string_view class_name{};  ///< beside "label"
};

struct Plot {
  std::string name;         ///< for those who hear it: what the drawing is
  std::string_view reader;  ///< how page.js reads it: "steps", "spans", "points"
  double from = 0;          ///< x at the left and right edge
  double to = 1;
  double rows = 1;    ///< y at the lower edge
  double unit = 1;    ///< x is in so many of what the axis counts
  double origin = 0;  ///< which stands at x = 0
  int height = 220;   ///< pixels
  std::string x_title;
  std::string y_title;
  struct YTick {
    double y;
    std::string text;
  };
  std::vector<YTick> y_ticks;
  std::string shapes;         ///< SVG
  std::vector<Label> labels;  ///< over the area
  bool zooms = false;
  std::string attributes;  ///< of the area, for its reader

  [[nodiscard]] std::string html() const;
};

}  // namespace smsim::html

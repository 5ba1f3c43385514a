// Draws the parts of a plot as SVG: axes, lines, dots, boxes, a legend or a colour bar.
#pragma once

#include "sweep/plot_scale.h"

namespace smsim {

/// Text inside SVG and HTML.
std::string xml_text(const std::string& text);

/// Colours that people with any colour vision tell apart (Okabe and Ito's), then the same darker.
std::string line_color(std::size_t number);
/// 0 dark blue to 1 yellow, of even brightness steps (viridis).
std::string heat_color(double share);

class PlotCanvas {
 public:
  static constexpr double left = 90;
  static constexpr double right = 620;
  static constexpr double top = 50;
  static constexpr double bottom = 410;

  explicit PlotCanvas(const std::string& title);

  void axes(const PlotScale& x, const std::string& x_name, const PlotScale& y, const std::string& y_name);
  void line(const std::vector<std::pair<double, double>>& places, const std::string& color);
  /// `hint` is shown under the pointer.
  void dot(double x, double y, double radius, const std::string& color, const std::string& hint);
  void box(double x, double y, double width, double height, const std::string& color,
           const std::string& hint);
  void legend_title(const std::string& name);
  void legend_entry(std::size_t row, const std::string& color, const std::string& name);
  void color_bar(const std::vector<Cell>& values, const std::string& name);
  [[nodiscard]] std::string finish() const { return svg_ + "</svg>\n"; }

 private:
  void text(double x, double y, const std::string& anchor, const std::string& words,
            const std::string& more = {});
  std::string svg_;
};

}  // namespace smsim

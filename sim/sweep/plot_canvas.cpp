#include "sweep/plot_canvas.h"

#include "report/table_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace smsim {
namespace {

constexpr double picture_width = 800;
constexpr double picture_height = 470;
constexpr double legend_left = PlotCanvas::right + 20;

std::string pixel(double at) { return fixed(at, 1); }

}  // namespace

std::string xml_text(const std::string& text)
{
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string line_color(std::size_t number)
{
  static constexpr std::array<const char*, 16> colors{
      "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#b8ac1c",
      "#003f63", "#7a3600", "#005a42", "#75455f", "#845b00", "#2f6787", "#777777", "#6b640f"};
  return colors[number % colors.size()];
}

std::string heat_color(double share)
{
  static constexpr std::array<std::array<double, 3>, 5> stops{
      {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  const double place = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double part = place - static_cast<double>(below);
  std::string out = "#";
  for (std::size_t i = 0; i < 3; ++i) {
    char digits[3];
    const double value = stops[below][i] + (stops[below + 1][i] - stops[below][i]) * part;
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(std::floor(value + 0.5)) & 0xFFU);
    out += digits;
  }
  return out;
}

PlotCanvas::PlotCanvas(const std::string& title)
    : svg_("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + fixed(picture_width, 0) + " " +
           fixed(picture_height, 0) + "\" width=\"" + fixed(picture_width, 0) + "\" height=\"" +
           fixed(picture_height, 0) +
           "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" "
           "height=\"100%\" fill=\"#ffffff\"/>\n")
{
  text(left, 28, "start", title, " font-size=\"15\" font-weight=\"bold\"");
}

void PlotCanvas::text(double x, double y, const std::string& anchor, const std::string& words,
                      const std::string& more)
{
  svg_ += "<text x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\" text-anchor=\"" + anchor + "\"" + more + ">" +
          xml_text(words) + "</text>\n";
}

void PlotCanvas::axes(const PlotScale& x, const std::string& x_name, const PlotScale& y,
                      const std::string& y_name)
{
  const auto rule = [&](double x1, double y1, double x2, double y2, const char* color) {
    svg_ += "<line x1=\"" + pixel(x1) + "\" y1=\"" + pixel(y1) + "\" x2=\"" + pixel(x2) + "\" y2=\"" +
            pixel(y2) + "\" stroke=\"" + color + "\"/>\n";
  };
  const bool grid = x.steps().empty() || y.steps().empty();
  for (const PlotScale::Tick& tick : x.ticks()) {
    if (grid) rule(tick.at, top, tick.at, bottom, "#e0e0e0");
    text(tick.at, bottom + 18, "middle", tick.label);
  }
  for (const PlotScale::Tick& tick : y.ticks()) {
    if (grid) rule(left, tick.at, right, tick.at, "#e0e0e0");
    text(left - 8, tick.at + 4, "end", tick.label);
  }
  rule(left, bottom, right, bottom, "#404040");
  rule(left, top, left, bottom, "#404040");
  text((left + right) / 2, bottom + 42, "middle", x_name + (x.is_log() ? " (log)" : ""));
  const std::string turned = pixel((top + bottom) / 2);
  text(20, (top + bottom) / 2, "middle", y_name + (y.is_log() ? " (log)" : ""),
       " transform=\"rotate(-90 20 " + turned + ")\"");
}

void PlotCanvas::line(const std::vector<std::pair<double, double>>& places, const std::string& color)
{
  svg_ += "<polyline fill=\"none\" stroke=\"" + color + "\" stroke-width=\"1.8\" points=\"";
  for (std::size_t i = 0; i < places.size(); ++i)
    svg_ += (i ? " " : "") + pixel(places[i].first) + "," + pixel(places[i].second);
  svg_ += "\"/>\n";
}

void PlotCanvas::dot(double x, double y, double radius, const std::string& color, const std::string& hint)
{
  svg_ += "<circle cx=\"" + pixel(x) + "\" cy=\"" + pixel(y) + "\" r=\"" + pixel(radius) + "\" fill=\"" +
          color + "\"><title>" + xml_text(hint) + "</title></circle>\n";
}

void PlotCanvas::box(double x, double y, double width, double height, const std::string& color,
                     const std::string& hint)
{
  svg_ += "<rect x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\" width=\"" + pixel(width) + "\" height=\"" +
          pixel(height) + "\" fill=\"" + color + "\"><title>" + xml_text(hint) + "</title></rect>\n";
}

void PlotCanvas::legend_title(const std::string& name) { text(legend_left, top + 4, "start", name); }

void PlotCanvas::legend_entry(std::size_t row, const std::string& color, const std::string& name)
{
  const double y = top + 24 + static_cast<double>(row) * 20;
  svg_ += "<rect x=\"" + pixel(legend_left) + "\" y=\"" + pixel(y - 9) +
          "\" width=\"12\" height=\"12\" fill=\"" + color + "\"/>\n";
  text(legend_left + 18, y + 1, "start", name);
}

void PlotCanvas::color_bar(const std::vector<Cell>& values, const std::string& name)
{
  constexpr double bar_top = top + 20;
  constexpr int slices = 60;
  const double height = (bottom - bar_top) / slices;
  for (int i = 0; i < slices; ++i)
    svg_ += "<rect x=\"" + pixel(legend_left) + "\" y=\"" + pixel(bottom - (i + 1) * height) +
            "\" width=\"16\" height=\"" + pixel(height + 0.5) + "\" fill=\"" +
            heat_color((i + 0.5) / slices) + "\"/>\n";
  const PlotScale scale(values, PlotScale::Marks::round, bottom, bar_top);
  for (const PlotScale::Tick& tick : scale.ticks())
    text(legend_left + 22, tick.at + 4, "start", tick.label);
  text(legend_left, top + 4, "start", name + (scale.is_log() ? " (log)" : ""));
}

}  // namespace smsim

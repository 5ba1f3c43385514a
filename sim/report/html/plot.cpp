#include "report/html/plot.h"

#include "report/html/elements.h"
#include "report/table_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace smsim::html {

std::vector<double> ticks(double least, double most, int about)
{
  const double range = most - least;
  if (!(range > 0)) return {least};
  double step = 1;
  while (range / step > about * 10.0)
    step *= 10;
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (range / (step * factor) > about) continue;
    step *= factor;
    break;
  }
  std::vector<double> places;
  const auto last = static_cast<std::int64_t>(std::floor(most / step));
  for (auto i = static_cast<std::int64_t>(std::ceil(least / step)); i <= last; ++i)
    places.push_back(static_cast<double>(i) * step);
  return places;
}

std::string coordinate(double value)
{
  std::string text = fixed(value, 2);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string bar(double x, double y, double width, double height)
{
  const std::string across = coordinate(width);
  std::string path = "M" + coordinate(x) + " " + coordinate(y);
  path.append("h").append(across).append("v").append(coordinate(height));
  return path.append("h-").append(across).append("z");
}

std::string Plot::html() const
{
  constexpr int x_ticks = 5;
  const auto left = [&](double x) { return coordinate(100 * (x - from) / (to - from)) + "%"; };
  std::string out = "<div class=\"plot\" style=\"--height:" + std::to_string(height) +
                    "px\">\n<div class=\"y\"><i>" + escaped(y_title) + "</i>";
  for (const YTick& tick : y_ticks)
    out += "<span style=\"top:" + coordinate(100 * tick.y / rows) + "%\">" + escaped(tick.text) + "</span>";
  out += "</div>\n<div class=\"area\" tabindex=\"0\" role=\"application\" aria-roledescription=\"chart\" "
         "aria-label=\"" +
         escaped(name) + "\" data-reader=\"" + std::string(reader) + "\" data-from=\"" + coordinate(from) +
         "\" data-to=\"" + coordinate(to) + "\" data-rows=\"" + coordinate(rows) + "\" data-unit=\"" +
         coordinate(unit) + "\" data-origin=\"" + coordinate(origin) + "\"" + (zooms ? " data-zooms" : "") +
         attributes + ">\n<svg viewBox=\"" + coordinate(from) + " 0 " + coordinate(to - from) + " " +
         coordinate(rows) + "\" preserveAspectRatio=\"none\" aria-hidden=\"true\" focusable=\"false\">\n";
  for (const YTick& tick : y_ticks)
    if (reader != "spans")
      out += "<path class=\"grid\" d=\"M" + coordinate(from) + " " + coordinate(tick.y) + "H" +
             coordinate(to) + "\"/>";
  out += shapes + "</svg>\n";
  for (const Label& label : labels)
    out += "<span class=\"label " + std::string(label.class_name) + "\" data-x=\"" + coordinate(label.x) +
           "\" style=\"left:" + left(label.x) + "\">" + label.text + "</span>";
  out += "</div>\n<div class=\"x\">";
  for (const double tick : ticks(origin + from * unit, origin + to * unit, x_ticks))
    out +=
        "<span style=\"left:" + left((tick - origin) / unit) + "\">" + grouped(coordinate(tick)) + "</span>";
  return out + "</div><div class=\"x-title\">" + escaped(x_title) + "</div></div>\n";
}

}  // namespace smsim::html

#include "base/numbers.h"
#include "occupancy/cliffs.h"
#include "report/advice.h"
#include "report/html/elements.h"
#include "report/html/plot.h"
#include "report/html/sections.h"
#include "report/table_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace smsim::html {
namespace {

struct Axis {
  LaunchNumber over;
  const char* id;
  const char* title;
  const char* unit;  ///< of a value in texts
  double step;       ///< between two points
  double scale;      ///< value to x
};

std::string value_text(const Axis& axis, std::uint64_t value)
{
  return axis.over == LaunchNumber::shared_bytes ? size_text(value) : std::to_string(value) + " " + axis.unit;
}

std::string point_text(const CurvePoint& point)
{
  if (!point.occupancy.launchable()) return "no block can launch";
  return std::to_string(point.occupancy.blocks_per_sm) +
         (point.occupancy.blocks_per_sm == 1 ? " block, " : " blocks, ") +
         std::to_string(point.occupancy.warps_per_sm) + " warps (" + percent(point.occupancy.ratio()) +
         " %), limited by " + limiters_text(point.occupancy.limiters);
}

/// Neighbours with the same answer are one row.
std::string curve_table(const Axis& axis, const std::vector<CurvePoint>& points)
{
  std::vector<std::vector<std::string>> rows{{axis.title, "Occupancy"}};
  for (std::size_t i = 0; i < points.size();) {
    std::size_t last = i;
    while (last + 1 < points.size() && point_text(points[last + 1]) == point_text(points[i]))
      ++last;
    rows.push_back(
        {value_text(axis, points[i].value) + (last > i ? " to " + value_text(axis, points[last].value) : ""),
         escaped(point_text(points[i]))});
    i = last + 1;
  }
  return table(std::string("Occupancy over ") + axis.title, rows);
}

/// What hovering reads: a line for each point.
std::string points_attribute(const Axis& axis, const std::vector<CurvePoint>& points)
{
  std::string out = " data-points=\"";
  for (const CurvePoint& point : points)
    out += coordinate(static_cast<double>(point.value) / axis.scale) + "|" +
           escaped(value_text(axis, point.value)) + "|" + escaped(point_text(point)) + "\n";
  out.pop_back();
  return out + "\"";
}

std::string curve_figure(const PageInput& page, const Axis& axis, const std::vector<Cliff>& all_cliffs)
{
  const ArchConfig& arch = page.run.arch;
  const KernelConfig& kernel = page.run.workload.kernel;
  const std::vector<CurvePoint> points = occupancy_curve(arch, kernel, axis.over);
  const auto x_of = [&](std::uint64_t value) { return static_cast<double>(value) / axis.scale; };
  const double half = axis.step / 2;
  Plot plot;
  plot.name = std::string("Theoretical occupancy over ") + axis.title;
  plot.reader = "points";
  plot.from = x_of(points.front().value) - half;
  plot.to = x_of(points.back().value) + half;
  plot.rows = static_cast<double>(arch.sm.max_warps);
  plot.height = 190;
  plot.x_title = axis.title;
  plot.y_title = "warps per SM";
  for (const double tick : ticks(0, plot.rows, 4))
    plot.y_ticks.push_back({plot.rows - tick, coordinate(tick)});

  std::string steps = "M" + coordinate(plot.from) + " " + coordinate(plot.rows);
  for (const CurvePoint& point : points)
    steps += "V" + coordinate(plot.rows - static_cast<double>(point.occupancy.warps_per_sm)) + "H" +
             coordinate(std::min(x_of(point.value) + half, plot.to));
  plot.shapes = "<path class=\"fill\" d=\"" + steps + "V" + coordinate(plot.rows) +
                "z\"/><path class=\"line\" d=\"" + steps + "\"" + points_attribute(axis, points) + "/>";

  const std::uint64_t own = launch_number(kernel, axis.over);
  const double warps = static_cast<double>(page.run.result.occupancy.warps_per_sm);
  const auto mark = [&](std::uint64_t value, double y, std::string_view class_name, const std::string& text) {
    plot.labels.push_back(
        {x_of(value),
         "<b style=\"top:" + coordinate(100 * (plot.rows - y) / plot.rows) + "%\">" + text + "</b>",
         class_name});
  };
  mark(own, warps, "own", "");
  plot.labels.push_back({x_of(own), "this kernel", "own-text"});
  std::string cliffs;
  int number = 0;
  for (const Cliff& cliff : all_cliffs) {
    if (cliff.what != axis.over) continue;
    ++number;
    mark(cliff.to, cliff.occupancy_after * plot.rows, "cliff", std::to_string(number));
    cliffs += "<li>" + escaped(cliff_text(cliff)) + "</li>\n";
  }
  const std::string own_text = "This kernel: " + value_text(axis, own) + ", " +
                               std::to_string(page.run.result.occupancy.warps_per_sm) + " warps.";
  return figure({axis.id, std::string("Over ") + axis.title,
                 own_text + (cliffs.empty() ? " No other value changes the blocks per SM."
                                            : " The nearest cliffs, numbered in the drawing:"),
                 plot.html() + (cliffs.empty() ? "" : "<ol class=\"cliffs\">\n" + cliffs + "</ol>\n"),
                 curve_table(axis, points)});
}

}  // namespace

std::string curves_section(const PageInput& page)
{
  const Axis axes[] = {
      {LaunchNumber::registers_per_thread, "curve-registers", "registers per thread", "registers", 1, 1},
      {LaunchNumber::block_size, "curve-threads", "threads per block", "threads",
       static_cast<double>(page.run.arch.sm.warp_size), 1},
      {LaunchNumber::shared_bytes, "curve-shared", "shared memory per block, KiB", "", 1, 1024}};
  const std::vector<Cliff> cliffs = nearest_cliffs(page.run.arch, page.run.workload.kernel);
  std::string figures;
  for (const Axis& axis : axes)
    figures += curve_figure(page, axis, cliffs);
  return section("curves", "What another launch would allow",
                 "<p>Theoretical occupancy if one number of the launch were another and all else the same. A "
                 "<em>cliff</em> is the smallest change, either way, with another number of resident "
                 "blocks.</p>\n<div class=\"curves\">\n" +
                     figures + "</div>\n");
}

}  // namespace smsim::html

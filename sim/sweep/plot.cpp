#include "sweep/plot.h"

#include "sweep/plot_canvas.h"

#include <algorithm>
#include <map>

namespace smsim {
namespace {

using Kind = PlotRequest::Kind;
using Marks = PlotScale::Marks;

constexpr std::size_t most_lines = 16;
constexpr std::size_t most_shapes = 200'000;

struct Dot {
  Cell x;
  Cell y;
  Cell color;
  std::uint64_t point = 0;
};

std::vector<Dot> read_dots(ResultsReader& reader, const ResultQuery& among, const PlotRequest& request)
{
  ResultQuery query = among;
  query.columns = {"point", request.x, request.y};
  if (!request.color.empty()) query.columns.push_back(request.color);
  std::vector<Dot> dots;
  reader.read(query, [&](const std::vector<Cell>& cells) {
    const Cell none;
    if (std::find(cells.begin(), cells.end(), none) != cells.end()) return;
    dots.push_back({cells[1], cells[2], request.color.empty() ? Cell() : cells[3],
                    static_cast<std::uint64_t>(std::get<std::int64_t>(cells[0]))});
  });
  if (dots.empty()) throw InputError("--plot: no point has a value in all of the columns\n");
  if (dots.size() > most_shapes)
    throw InputError("--plot: " + std::to_string(dots.size()) + " points, more than " +
                     std::to_string(most_shapes) + "; choose some with --where\n");
  return dots;
}

template <class Get>
std::vector<Cell> cells_of(const std::vector<Dot>& dots, Get get)
{
  std::vector<Cell> cells;
  cells.reserve(dots.size());
  for (const Dot& dot : dots)
    cells.push_back(get(dot));
  return cells;
}

void need_number(const std::vector<Cell>& cells, const std::string& column)
{
  for (const Cell& cell : cells)
    if (!cell_number(cell))
      throw InputError("--plot: '" + cell_text(cell) + "' in column '" + column + "' is no number\n");
}

struct Mean {
  double sum = 0;
  double count = 0;
  [[nodiscard]] Cell cell() const { return sum / count; }
};

std::string draw_lines(const std::vector<Dot>& dots, const PlotRequest& request, const std::string& title)
{
  need_number(cells_of(dots, [](const Dot& dot) { return dot.y; }), request.y);
  std::map<Cell, std::map<Cell, Mean, CellLess>, CellLess> lines;
  for (const Dot& dot : dots) {
    Mean& mean = lines[dot.color][dot.x];
    mean.sum += *cell_number(dot.y);
    mean.count += 1;
  }
  if (lines.size() > most_lines)
    throw InputError("--plot: " + std::to_string(lines.size()) + " lines, more than " +
                     std::to_string(most_lines) + "; choose another --color, or some with --where\n");
  std::vector<Cell> means;
  for (const auto& [color, line] : lines)
    for (const auto& [x, mean] : line)
      means.push_back(mean.cell());
  const PlotScale x(cells_of(dots, [](const Dot& dot) { return dot.x; }), Marks::values, PlotCanvas::left,
                    PlotCanvas::right);
  const PlotScale y(means, Marks::round, PlotCanvas::bottom, PlotCanvas::top);
  PlotCanvas canvas(title);
  canvas.axes(x, request.x, y, request.y);
  std::size_t number = 0;
  for (const auto& [color, line] : lines) {
    std::vector<std::pair<double, double>> places;
    const std::string name = request.color.empty() ? "" : request.color + " " + cell_text(color) + ", ";
    for (const auto& [at, mean] : line)
      places.emplace_back(x.at(at), y.at(mean.cell()));
    canvas.line(places, line_color(number));
    for (const auto& [at, mean] : line)
      canvas.dot(x.at(at), y.at(mean.cell()), 3, line_color(number),
                 name + request.x + " " + cell_text(at) + ": " + request.y + " " + cell_text(mean.cell()));
    if (!request.color.empty()) canvas.legend_entry(number, line_color(number), cell_text(color));
    ++number;
  }
  if (!request.color.empty()) canvas.legend_title(request.color);
  return canvas.finish();
}

std::string draw_heat_map(const std::vector<Dot>& dots, const PlotRequest& request, const std::string& title)
{
  need_number(cells_of(dots, [](const Dot& dot) { return dot.color; }), request.color);
  std::map<std::pair<Cell, Cell>, Mean> cells;
  for (const Dot& dot : dots) {
    Mean& mean = cells[{dot.x, dot.y}];
    mean.sum += *cell_number(dot.color);
    mean.count += 1;
  }
  std::vector<Cell> means;
  means.reserve(cells.size());
  for (const auto& [at, mean] : cells)
    means.push_back(mean.cell());
  const PlotScale x(cells_of(dots, [](const Dot& dot) { return dot.x; }), Marks::steps, PlotCanvas::left,
                    PlotCanvas::right);
  const PlotScale y(cells_of(dots, [](const Dot& dot) { return dot.y; }), Marks::steps, PlotCanvas::bottom,
                    PlotCanvas::top);
  const PlotScale shade(means, Marks::round, 0, 1);
  PlotCanvas canvas(title);
  const double width = x.step_width();
  const double height = -y.step_width();
  for (const auto& [at, mean] : cells)
    canvas.box(x.at(at.first) - width / 2, y.at(at.second) - height / 2, width, height,
               heat_color(shade.at(mean.cell())),
               request.x + " " + cell_text(at.first) + ", " + request.y + " " + cell_text(at.second) + ": " +
                   request.color + " " + cell_text(mean.cell()));
  canvas.axes(x, request.x, y, request.y);
  canvas.color_bar(means, request.color);
  return canvas.finish();
}

std::string draw_scatter(const std::vector<Dot>& dots, const PlotRequest& request, const std::string& title)
{
  const std::vector<Cell> colors = cells_of(dots, [](const Dot& dot) { return dot.color; });
  const bool shaded = !request.color.empty() && cell_number(colors[0]).has_value();
  if (shaded) need_number(colors, request.color);
  std::map<Cell, std::size_t, CellLess> kinds;
  for (const Cell& color : colors)
    kinds.emplace(color, kinds.size());
  if (!shaded && kinds.size() > most_lines)
    throw InputError("--plot: " + std::to_string(kinds.size()) + " colours, more than " +
                     std::to_string(most_lines) + "; choose another --color\n");
  const PlotScale x(cells_of(dots, [](const Dot& dot) { return dot.x; }), Marks::round, PlotCanvas::left,
                    PlotCanvas::right);
  const PlotScale y(cells_of(dots, [](const Dot& dot) { return dot.y; }), Marks::round, PlotCanvas::bottom,
                    PlotCanvas::top);
  const PlotScale shade(colors, shaded ? Marks::round : Marks::steps, 0, 1);
  PlotCanvas canvas(title);
  canvas.axes(x, request.x, y, request.y);
  std::vector<std::pair<double, double>> front;
  for (const Dot& dot : dots) {
    const bool on_front = std::binary_search(request.front.begin(), request.front.end(), dot.point);
    if (on_front) front.emplace_back(x.at(dot.x), y.at(dot.y));
    const std::string color = request.color.empty() ? line_color(0)
                              : shaded              ? heat_color(shade.at(dot.color))
                                                    : line_color(kinds.at(dot.color));
    canvas.dot(x.at(dot.x), y.at(dot.y), on_front ? 5 : 2.5, color,
               "point " + std::to_string(dot.point) + ": " + request.x + " " + cell_text(dot.x) + ", " +
                   request.y + " " + cell_text(dot.y) +
                   (request.color.empty() ? "" : ", " + request.color + " " + cell_text(dot.color)));
  }
  std::sort(front.begin(), front.end());
  if (front.size() > 1) canvas.line(front, "#000000");
  if (shaded) {
    canvas.color_bar(colors, request.color);
  } else if (!request.color.empty()) {
    std::size_t row = 0;
    for (const auto& [kind, number] : kinds)
      canvas.legend_entry(row++, line_color(number), cell_text(kind));
    canvas.legend_title(request.color);
  }
  return canvas.finish();
}

}  // namespace

PlotRequest default_plot(const ResultsReader& reader, Kind kind)
{
  const std::vector<std::string>& axes = reader.header().axes;
  PlotRequest request;
  request.kind = kind;
  const std::string first = axes.empty() ? "point" : axes[0];
  const std::string second = axes.size() > 1 ? axes[1] : "";
  request.x = first;
  request.y = kind == Kind::heat_map ? second : "cycles";
  request.color = kind == Kind::heat_map ? "cycles" : second;
  return request;
}

std::string plot_svg(ResultsReader& reader, const ResultQuery& among, const PlotRequest& request)
{
  const std::vector<Dot> dots = read_dots(reader, among, request);
  const std::string& name = reader.header().name;
  switch (request.kind) {
  case Kind::line:
    return draw_lines(dots, request, name + ": " + request.y);
  case Kind::heat_map:
    return draw_heat_map(dots, request, name + ": " + request.color);
  case Kind::scatter:
    break;
  }
  return draw_scatter(dots, request, name + ": " + request.y + " over " + request.x);
}

std::string plot_html(const std::string& svg, const std::string& title)
{
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>" + xml_text(title) +
         "</title>\n<style>body { margin: 2em; font-family: sans-serif } svg { max-width: 100%; height: auto "
         "}"
         "</style></head>\n<body>\n" +
         svg + "</body>\n</html>\n";
}

}  // namespace smsim

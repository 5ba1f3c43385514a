#include "report/html/elements.h"
#include "report/html/plot.h"
#include "report/html/schedule.h"
#include "report/html/sections.h"
#include "report/table_text.h"

#include <algorithm>

namespace smsim::html {
namespace {

constexpr std::size_t most_waves = 40;  ///< that are shaded

struct Series {
  const Columns& columns;
  const RunResult& result;

  [[nodiscard]] std::uint64_t begin(std::size_t column) const { return column * columns.width(); }
  [[nodiscard]] std::uint64_t end(std::size_t column) const
  {
    return std::min((column + 1) * columns.width(), std::max(result.cycles, begin(column) + 1));
  }
  /// Average over a column's cycles and all SMs.
  [[nodiscard]] double per_sm(std::size_t column, std::uint64_t sum) const
  {
    return static_cast<double>(sum) /
           (static_cast<double>(end(column) - begin(column)) * static_cast<double>(result.sms.size()));
  }
  [[nodiscard]] double active(std::size_t column) const
  {
    return per_sm(column, columns.columns()[column].active_warp_cycles);
  }
  [[nodiscard]] double held(std::size_t column) const
  {
    return per_sm(column, columns.columns()[column].block_cycles) *
           static_cast<double>(result.occupancy.warps_per_block);
  }
};

std::uint64_t waves_of(const Series& series)
{
  std::uint64_t launched = 0;
  for (const Columns::Column& column : series.columns.columns())
    launched += column.launches;
  const std::uint64_t places = series.result.block_places();
  return (launched + places - 1) / places;
}

/// The column in which the first block of each wave was launched; none where there are too many to shade.
std::vector<std::size_t> wave_starts(const Series& series)
{
  std::vector<std::size_t> starts;
  if (waves_of(series) > most_waves) return starts;
  std::uint64_t launched = 0;
  const std::vector<Columns::Column>& columns = series.columns.columns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    launched += columns[i].launches;
    while (starts.size() * series.result.block_places() < launched)
      starts.push_back(i);
  }
  return starts;
}

std::string rectangle(std::string_view class_name, double from, double to, double rows)
{
  return "<path class=\"" + std::string(class_name) + "\" d=\"M" + coordinate(from) + " 0H" + coordinate(to) +
         "V" + coordinate(rows) + "H" + coordinate(from) + "z\"/>";
}

std::string cycles_text(std::uint64_t from, std::uint64_t to)
{
  return "cycles " + grouped(std::to_string(from)) + " to " + grouped(std::to_string(to - 1));
}

void shade_waves(Plot& plot, const Series& series)
{
  const std::vector<std::size_t> starts = wave_starts(series);
  for (std::size_t wave = 0; wave < starts.size(); ++wave) {
    const auto from = static_cast<double>(starts[wave]);
    const double to = wave + 1 < starts.size() ? static_cast<double>(starts[wave + 1]) : plot.to;
    if (wave % 2 == 1) plot.shapes += rectangle("wave-shade", from, to, plot.rows);
    const double share = (to - from) / (plot.to - plot.from);
    if (share >= 0.035)
      plot.labels.push_back({from, (share >= 0.14 ? "wave " : "") + std::to_string(wave + 1), "wave"});
  }
}

/// A line over the columns, and what lies below it.
std::string line(const Plot& plot, const Series& series, double (Series::*height)(std::size_t) const)
{
  std::string out = "M0 " + coordinate(plot.rows);
  for (std::size_t i = 0; i < series.columns.columns().size(); ++i)
    out += "V" + coordinate(plot.rows - (series.*height)(i)) + "H" +
           coordinate(std::min(static_cast<double>(i + 1), plot.to));
  return out;
}

std::string points(const Series& series)
{
  const double slots = static_cast<double>(series.result.occupancy.max_warps_per_sm);
  std::string out;
  for (std::size_t i = 0; i < series.columns.columns().size(); ++i) {
    const std::uint64_t launches = series.columns.columns()[i].launches;
    out += (i > 0 ? "\n" : "") + std::to_string(i) + "|" + cycles_text(series.begin(i), series.end(i)) + "|" +
           fixed(series.active(i), 1) + " active warps per SM (" + percent(series.active(i) / slots) +
           " %), " + fixed(series.held(i), 1) + " slots held by blocks, " + std::to_string(launches) +
           (launches == 1 ? " block launched" : " blocks launched");
  }
  return out;
}

std::string over_time_table(const Series& series)
{
  constexpr std::size_t most_rows = 16;
  const std::size_t count = series.columns.columns().size();
  const std::size_t together = (count + most_rows - 1) / most_rows;
  std::vector<std::vector<std::string>> rows{{"Cycles", "Active warps per SM", "Blocks launched"}};
  for (std::size_t i = 0; i < count; i += together) {
    const std::size_t last = std::min(i + together, count) - 1;
    double warp_cycles = 0;
    std::uint64_t launches = 0;
    for (std::size_t j = i; j <= last; ++j) {
      warp_cycles += static_cast<double>(series.columns.columns()[j].active_warp_cycles);
      launches += series.columns.columns()[j].launches;
    }
    const double cycles = static_cast<double>(series.end(last) - series.begin(i));
    rows.push_back({cycles_text(series.begin(i), series.end(last)),
                    fixed(warp_cycles / (cycles * static_cast<double>(series.result.sms.size())), 1),
                    std::to_string(launches)});
  }
  return table("Active warps over time", rows);
}

std::string occupancy_figure(const PageInput& page)
{
  const RunResult& result = page.run.result;
  const Series series{page.recording.columns(), result};
  const double width = static_cast<double>(series.columns.width());
  Plot plot;
  plot.name = "Active warps per SM over time";
  plot.reader = "steps";
  plot.unit = width;
  plot.to = std::max(1.0, static_cast<double>(result.cycles)) / width;
  plot.rows = static_cast<double>(result.occupancy.max_warps_per_sm);
  plot.height = 240;
  plot.x_title = "cycles";
  plot.y_title = "warps per SM";
  plot.zooms = true;
  for (const double tick : ticks(0, plot.rows, 4))
    plot.y_ticks.push_back({plot.rows - tick, coordinate(tick)});
  shade_waves(plot, series);
  const double tail = static_cast<double>(result.tail_start) / width;
  plot.shapes += rectangle("tail-shade", tail, plot.to, plot.rows);
  plot.labels.push_back({tail, "tail", "tail"});
  const std::string achieved = line(plot, series, &Series::active);
  plot.shapes += "<path class=\"area-achieved\" d=\"" + achieved + "V" + coordinate(plot.rows) +
                 "z\"/><path class=\"line allocated\" d=\"" + line(plot, series, &Series::held) +
                 "\"/><path class=\"line achieved\" d=\"" + achieved + "\" data-points=\"" + points(series) +
                 "\"/>";
  const double theory = plot.rows - static_cast<double>(result.occupancy.warps_per_sm);
  plot.shapes +=
      "<path class=\"line theory\" d=\"M0 " + coordinate(theory) + "H" + coordinate(plot.to) + "\"/>";
  const std::uint64_t waves = waves_of(series);
  const std::string legend =
      "<ul class=\"legend\"><li><svg viewBox=\"0 0 14 9\"><path class=\"line achieved\" d=\"M0 "
      "4H14\"/></svg>active "
      "warps</li><li><svg viewBox=\"0 0 14 9\"><path class=\"line allocated\" d=\"M0 4H14\"/></svg>slots "
      "that "
      "blocks hold</li><li><svg viewBox=\"0 0 14 9\"><path class=\"line theory\" d=\"M0 "
      "4H14\"/></svg>theoretical: " +
      std::to_string(result.occupancy.warps_per_sm) +
      " warps</li><li><svg viewBox=\"0 0 14 9\"><path class=\"tail-shade\" d=\"M0 "
      "0H14V9H0z\"/></svg>tail</li>" +
      (waves > 1 && waves <= most_waves ? "<li><svg viewBox=\"0 0 14 9\"><path class=\"wave-shade\" d=\"M0 "
                                          "0H14V9H0z\"/></svg>every second wave</li>"
                                        : "") +
      "</ul>\n";
  return figure(
      {"over-time", "Occupancy over time",
       "Averages over all SMs, one for " +
           (series.columns.width() == 1
                ? std::string("each cycle. ")
                : "every " + grouped(std::to_string(series.columns.width())) + " cycles. ") +
           "The dashed line is what theory allows; the gap below it is lost. A wave is as many blocks as the "
           "SMs "
           "hold at once, and begins with the launch of its first" +
           (waves > most_waves ? " (" + grouped(std::to_string(waves)) + " of them are too many to shade)"
                               : "") +
           "; the tail is what comes after the launch of the last block.",
       legend + plot.html(), over_time_table(series)});
}

}  // namespace

std::string time_section(const PageInput& page)
{
  return section("time", "Over time", occupancy_figure(page) + schedule_figure(page) + loss_figure(page));
}

}  // namespace smsim::html

// A picture of a sweep: lines, a heat map or a scatter of points, as SVG, alone or in an HTML page.
// Everything is in the one file; a browser shows the figures under the pointer.
#pragma once

#include "sweep/results_reader.h"

namespace smsim {

struct PlotRequest {
  enum class Kind { line, heat_map, scatter };
  Kind kind = Kind::line;
  std::string x;
  std::string y;
  std::string color;  ///< line: which line a point is of; heat map: what is shown; scatter: both; "" for none
  std::vector<std::uint64_t> front;  ///< scatter: points that are marked and joined
};

/// The columns that a user did not choose: lines of a result over the first axis, one for each value of the
/// second, or a heat map over the two.
PlotRequest default_plot(const ResultsReader& reader, PlotRequest::Kind kind);

/// Points without a value in a column are left out; several with the same place are averaged (but for a
/// scatter).
/// @throws InputError where nothing is left, or more lines than can be told apart.
std::string plot_svg(ResultsReader& reader, const ResultQuery& among, const PlotRequest& request);

/// The same in a page of its own.
std::string plot_html(const std::string& svg, const std::string& title);

}  // namespace smsim

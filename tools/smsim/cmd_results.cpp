// smsim results STORE
#include "base/spelling.h"
#include "base/text_file.h"
#include "cli.h"
#include "sweep/pareto.h"
#include "sweep/plot.h"
#include "sweep/result_output.h"
#include "sweep/sensitivity.h"

#include <optional>

namespace smsim::cli {
namespace {

/// "cycles,warp_states": a word that is no column stands for all that begin with it and a dot.
std::vector<std::string> parse_columns(const OptionParser& parser, const ResultsReader& reader,
                                       Diagnostics& diagnostics)
{
  const std::string text = parser.text("columns");
  if (text == "all") return reader.names();
  const auto source = make_source("--columns", text);
  std::vector<std::string> columns;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const std::size_t before = columns.size();
    for (const std::string& name : reader.names())
      if (name == word || (!reader.is_known(word) && !word.empty() &&
                           (name.starts_with(word + ".") || name.starts_with(word + "["))))
        columns.push_back(name);
    if (columns.size() == before)
      diagnostics.error({source, 1, static_cast<int>(begin) + 1}, "", "no column is named '" + word + "'",
                        allowed_words(word, reader.names()));
    begin = end + 1;
  }
  return columns;
}

/// The column that an option names.
std::string read_column(const OptionParser& parser, const std::string& option, const ResultsReader& reader,
                        Diagnostics& diagnostics)
{
  std::string name = parser.text(option);
  if (!reader.is_known(name))
    diagnostics.error({make_source("--" + option, name), 1, 1}, "", "no column is named '" + name + "'",
                      allowed_words(name, reader.names()));
  return name;
}

PlotRequest read_plot(const OptionParser& parser, const ResultsReader& reader, bool has_front,
                      Diagnostics& diagnostics)
{
  using Kind = PlotRequest::Kind;
  Kind kind = has_front ? Kind::scatter : Kind::line;
  if (parser.has("kind")) {
    const std::string word = parser.word("kind", {"line", "heatmap", "scatter"});
    kind = word == "line" ? Kind::line : word == "heatmap" ? Kind::heat_map : Kind::scatter;
  }
  PlotRequest request = default_plot(reader, kind);
  if (parser.has("x")) request.x = read_column(parser, "x", reader, diagnostics);
  if (parser.has("y")) request.y = read_column(parser, "y", reader, diagnostics);
  if (parser.has("color"))
    request.color = parser.text("color") == "none" ? "" : read_column(parser, "color", reader, diagnostics);
  if (kind == Kind::heat_map && (request.y.empty() || request.color.empty()))
    parser.fail("--kind heatmap: name two axes with --x and --y, and a result with --color");
  return request;
}

void write_rows(const OptionParser& parser, ResultsReader& reader, const ResultQuery& query,
                const std::string& format)
{
  const std::string path = parser.text("output");
  std::string kept;
  const OutputSink sink = [&](std::string_view piece) {
    if (path.empty())
      write_output({}, piece);
    else
      kept += piece;
  };
  (format == "csv"    ? write_results_csv
   : format == "json" ? write_results_json
                      : write_results_table)(reader, query, sink);
  if (!path.empty()) write_output(path, kept);
}

void add_options(OptionParser& parser)
{
  const auto text = [] { return po::value<std::string>(); };
  parser.options.add_options()("store", text(), "the result store")(
      "where", text(), "only points for which this holds: cycles < 10000 and scheduler.policy == 'gto'")(
      "columns", text(),
      "columns with a comma between them; memory stands for all of memory.*; all for every one")(
      "sort", text(), "order by this column, the least first")(
      "descending", "with --sort: the largest first")("limit", text(), "at most so many points")(
      "format", text()->default_value("table"), "table, csv or json")(
      "pareto", text(), "only the Pareto front of these columns; least is best, or :max behind a name")(
      "sensitivity", text()->implicit_value("cycles"), "which axis moves this result most (default: cycles)")(
      "plot", text(), "draw the points into this .svg or .html file")(
      "kind", text(), "with --plot: line (the default), heatmap or scatter (the default with --pareto)")(
      "x", text(), "with --plot: the column along the bottom (default: the first axis)")(
      "y", text(), "with --plot: the column up the side (default: cycles; heatmap: the second axis)")(
      "color", text(), "with --plot: the column of the lines or colours, or none")(
      "output,o", text()->default_value(""), "write to this file, whole or not at all");
  parser.positional("store", 1);
}

}  // namespace

int run_results(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "results", "results STORE [OPTIONS]",
      "Shows what `smsim sweep` has found, also while it is still running: rows, the Pareto front, "
      "which axis\n"
      "matters most, a picture. Table output has a choice of columns; csv and json have all of them.",
      "  smsim results registers.sqlite --where 'occupancy.achieved > 0.5' --sort cycles --limit 10\n"
      "  smsim results registers.sqlite --format csv -o registers.csv\n"
      "  smsim results registers.sqlite --pareto cycles,register_file.registers\n"
      "  smsim results registers.sqlite --sensitivity cycles\n"
      "  smsim results registers.sqlite --plot registers.svg --kind heatmap --color ipc\n");
  add_options(parser);
  if (!parser.parse(arguments)) return 0;
  if (!parser.has("store")) parser.fail("name a result store; `smsim sweep FILE -o STORE` makes one");
  const std::string format = parser.word("format", {"table", "csv", "json"});
  const std::string plot = parser.has("plot") ? parser.text("plot") : "";
  if (!plot.empty() && !plot.ends_with(".svg") && !plot.ends_with(".html"))
    parser.fail("--plot: '" + plot + "' is no picture's name; expected: one that ends in .svg or .html");

  ResultsReader reader(parser.text("store"));
  Diagnostics diagnostics;
  ResultQuery query;
  if (parser.has("where")) reader.set_where(parser.text("where"), query, diagnostics);
  if (parser.has("sort")) query.sort_by = read_column(parser, "sort", reader, diagnostics);
  query.descending = parser.has("descending");
  if (parser.has("limit")) query.limit = parser.integer("limit", 1, ~std::uint64_t{0});
  query.columns = parser.has("columns") ? parse_columns(parser, reader, diagnostics)
                  : format == "table"   ? reader.chosen_columns()
                                        : reader.names();
  std::vector<Objective> objectives;
  if (parser.has("pareto")) objectives = parse_objectives(parser.text("pareto"), reader, diagnostics);
  std::string result;
  if (parser.has("sensitivity")) result = read_column(parser, "sensitivity", reader, diagnostics);
  std::optional<PlotRequest> request;
  if (!plot.empty()) request = read_plot(parser, reader, !objectives.empty(), diagnostics);
  throw_if_errors(diagnostics);

  if (!result.empty()) {
    const Sensitivity found = sensitivity_of(reader, query, result);
    write_output(parser.text("output"), format == "json"  ? sensitivity_json(found)
                                        : format == "csv" ? sensitivity_csv(found)
                                                          : sensitivity_text(found));
    return 0;
  }
  std::vector<std::uint64_t> front;
  if (!objectives.empty()) front = pareto_front(reader, query, objectives);
  if (request) {
    if (!objectives.empty()) {
      if (!parser.has("x")) request->x = objectives[0].column;
      if (!parser.has("y")) request->y = objectives[1].column;
      if (!parser.has("color")) request->color.clear();
      request->front = front;
    }
    const std::string svg = plot_svg(reader, query, *request);
    write_output(plot, plot.ends_with(".html") ? plot_html(svg, reader.header().name) : svg);
    return 0;
  }
  if (!objectives.empty()) {
    query.only = &front;
    if (query.sort_by.empty()) query.sort_by = objectives[0].column;
    if (!parser.has("columns") && format == "table")
      for (const Objective& objective : objectives)
        if (std::find(query.columns.begin(), query.columns.end(), objective.column) == query.columns.end())
          query.columns.push_back(objective.column);
  }
  write_rows(parser, reader, query, format);
  return 0;
}

}  // namespace smsim::cli

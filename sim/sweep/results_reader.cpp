#include "sweep/results_reader.h"

#include "base/spelling.h"
#include "base/text_file.h"

#include <algorithm>
#include <charconv>

namespace smsim {
namespace {

ExpressionValue expression_value(const Cell& cell)
{
  if (const auto* whole = std::get_if<std::int64_t>(&cell))
    return {static_cast<double>(*whole), nullptr, false};
  if (const auto* real = std::get_if<double>(&cell)) return {*real, nullptr, false};
  if (const auto* text = std::get_if<std::string>(&cell)) return {0, text, false};
  return {0, nullptr, true};
}

}  // namespace

std::string cell_text(const Cell& cell)
{
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  const auto* real = std::get_if<double>(&cell);
  if (!real) return "";
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, *real).ptr};
}

std::optional<double> cell_number(const Cell& cell)
{
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  return std::nullopt;
}

bool CellLess::operator()(const Cell& a, const Cell& b) const
{
  const auto number_a = cell_number(a);
  const auto number_b = cell_number(b);
  return number_a && number_b ? *number_a < *number_b : a < b;
}

ResultsReader::ResultsReader(const std::string& path)
    : database_(open_store(path)),
      header_(read_header(database_)), names_{"point", "id"}, sql_{"points.point", "points.id"}
{
  const auto add = [&](const std::string& table, const std::string& column, const std::string& name) {
    names_.push_back(name);
    sql_.push_back(table + "." + quoted_name(column));
  };
  for (const std::string& name : header_.parameters)
    add("parameters", name, name);
  const Statement results = database_.prepare("SELECT * FROM results LIMIT 0");
  for (int i = 1; i < results.columns(); ++i)
    add("results", results.column_name(i), results.column_name(i));
  add("failures", "message", "failure");
}

bool ResultsReader::is_known(const std::string& name) const
{
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::vector<std::string> ResultsReader::chosen_columns()
{
  std::vector<std::string> chosen{"point"};
  chosen.insert(chosen.end(), header_.axes.begin(), header_.axes.end());
  for (const char* name : {"cycles", "ipc", "occupancy.theoretical", "occupancy.achieved", "top_stall.state"})
    if (is_known(name)) chosen.emplace_back(name);
  const Cell failures = database_.value("SELECT EXISTS (SELECT 1 FROM failures)");
  if (failures == Cell(std::int64_t{1})) chosen.emplace_back("failure");
  return chosen;
}

void ResultsReader::set_where(const std::string& text, ResultQuery& query, Diagnostics& diagnostics) const
{
  const std::size_t errors_before = diagnostics.count();
  query.where = Expression::parse(text, {make_source("--where", text), 1, 1}, "", diagnostics);
  if (diagnostics.count() != errors_before) return;
  for (const Expression::Name& name : query.where->names()) {
    const auto found = std::find(names_.begin(), names_.end(), name.name);
    if (found == names_.end())
      diagnostics.error(name.mark, "", "no column is named '" + name.name + "'",
                        allowed_words(name.name, names_));
    query.where_columns.push_back(static_cast<std::size_t>(found - names_.begin()));
  }
}

void ResultsReader::read(const ResultQuery& query, const std::function<void(const std::vector<Cell>&)>& row)
{
  const auto place_of = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  };
  std::string sql = "SELECT points.point";
  for (const std::string& name : query.columns)
    sql += ", " + sql_[place_of(name)];
  for (const std::size_t column : query.where_columns)
    sql += ", " + sql_[column];
  sql += " FROM points LEFT JOIN parameters ON parameters.point = points.point"
         " LEFT JOIN results ON results.point = points.point"
         " LEFT JOIN failures ON failures.point = points.point ORDER BY ";
  if (!query.sort_by.empty()) {
    const std::string& key = sql_[place_of(query.sort_by)];
    sql += key + " IS NULL, " + key + (query.descending ? " DESC, " : ", ");
  }
  Statement rows = database_.prepare(sql + "points.point");
  std::vector<Cell> cells(query.columns.size());
  std::vector<Cell> asked(query.where_columns.size());
  std::vector<ExpressionValue> values(asked.size());
  for (std::uint64_t given = 0; given < query.limit && rows.step();) {
    if (query.only && !std::binary_search(query.only->begin(), query.only->end(), rows.whole(0))) continue;
    int column = 1;
    for (Cell& cell : cells)
      cell = rows.cell(column++);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      asked[i] = rows.cell(column++);
      values[i] = expression_value(asked[i]);
    }
    try {
      if (query.where && !query.where->holds(values)) continue;
    } catch (const ExpressionError& error) {
      throw InputError("--where: point " + std::to_string(rows.whole(0)) + ": " + error.what() + "\n");
    }
    row(cells);
    ++given;
  }
}

}  // namespace smsim

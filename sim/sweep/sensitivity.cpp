#include "sweep/sensitivity.h"

#include "report/csv_text.h"
#include "report/table_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace smsim {
namespace {

constexpr std::size_t most_values = 20;
constexpr std::size_t bins = 10;

struct Group {
  std::string name;
  double sum = 0;
  std::uint64_t count = 0;

  [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
};

/// One axis's cells beside the results, point by point.
std::vector<Group> groups_of(const std::vector<Cell>& cells, const std::vector<double>& results,
                             std::uint64_t& values)
{
  std::map<Cell, Group, CellLess> by_value;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Group& group = by_value[cells[i]];
    group.sum += results[i];
    ++group.count;
  }
  values = by_value.size();
  std::vector<Group> groups;
  const bool numbers = std::all_of(by_value.begin(), by_value.end(),
                                   [](const auto& entry) { return cell_number(entry.first).has_value(); });
  if (!numbers || by_value.size() <= most_values) {
    for (auto& [value, group] : by_value) {
      group.name = cell_text(value);
      groups.push_back(group);
    }
    return groups;
  }
  // Neighbours together, until a bin has its part of the points.
  std::map<double, Group> ordered;
  for (const auto& [value, group] : by_value) {
    Group& place = ordered[*cell_number(value)];
    place.name = cell_text(value);
    place.sum += group.sum;
    place.count += group.count;
  }
  std::uint64_t seen = 0;
  std::string first;
  for (const auto& [value, group] : ordered) {
    const bool opens = groups.empty() || seen * bins >= groups.size() * cells.size();
    if (opens) {
      groups.emplace_back();
      first = group.name;
    }
    groups.back().sum += group.sum;
    groups.back().count += group.count;
    groups.back().name = first == group.name ? first : first + " to " + group.name;
    seen += group.count;
  }
  return groups;
}

}  // namespace

Sensitivity sensitivity_of(ResultsReader& reader, const ResultQuery& among, const std::string& result)
{
  const std::vector<std::string>& axes = reader.header().axes;
  ResultQuery query = among;
  query.sort_by.clear();
  query.limit = ~std::uint64_t{0};
  query.columns = axes;
  query.columns.push_back(result);
  std::vector<std::vector<Cell>> cells(axes.size());
  std::vector<double> results;
  reader.read(query, [&](const std::vector<Cell>& row) {
    const auto number = cell_number(row.back());
    if (!number) return;
    results.push_back(*number);
    for (std::size_t i = 0; i < axes.size(); ++i)
      cells[i].push_back(row[i]);
  });
  if (results.empty()) throw InputError("--sensitivity: no point has a number in '" + result + "'\n");

  Sensitivity found;
  found.result = result;
  found.points = results.size();
  const auto count = static_cast<double>(results.size());
  for (const double value : results)
    found.mean += value / count;
  double squares = 0;
  for (const double value : results)
    squares += (value - found.mean) * (value - found.mean);
  found.deviation = std::sqrt(squares / count);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    AxisEffect effect;
    effect.axis = axes[i];
    double between = 0;
    bool first = true;
    for (const Group& group : groups_of(cells[i], results, effect.values)) {
      const double mean = group.mean();
      between += static_cast<double>(group.count) * (mean - found.mean) * (mean - found.mean);
      if (first || mean < effect.least) {
        effect.least = mean;
        effect.least_at = group.name;
      }
      if (first || mean > effect.most) {
        effect.most = mean;
        effect.most_at = group.name;
      }
      first = false;
    }
    if (effect.values < 2) continue;  // `where` has left one: it moves nothing
    effect.share = squares > 0 ? std::min(between / squares, 1.0) : 0;
    found.axes.push_back(std::move(effect));
  }
  std::stable_sort(found.axes.begin(), found.axes.end(),
                   [](const AxisEffect& a, const AxisEffect& b) { return a.share > b.share; });
  return found;
}

std::string sensitivity_text(const Sensitivity& found)
{
  std::string out = found.result + " of " + std::to_string(found.points) + " points: mean " +
                    fixed(found.mean, 2) + ", standard deviation " + fixed(found.deviation, 2) + "\n\n";
  std::vector<std::vector<std::string>> rows{
      {"Axis", "Share %", "Values", "Least mean", "Most mean", "From", "To"}};
  for (const AxisEffect& axis : found.axes)
    rows.push_back({axis.axis, percent(axis.share), std::to_string(axis.values), fixed(axis.least, 2),
                    fixed(axis.most, 2), "at " + axis.least_at, "at " + axis.most_at});
  out += columns(rows, 1, 2);
  return out + "\nShare: of the variance of " + found.result +
         " that goes with the axis alone; what is left to 100 % is the axes'\n"
         "interplay. Means are over all points with that value.\n";
}

std::string sensitivity_csv(const Sensitivity& found)
{
  std::string out = csv_line({"axis", "share", "values", "least_mean", "least_at", "most_mean", "most_at"});
  for (const AxisEffect& axis : found.axes)
    out += csv_line({axis.axis, cell_text(axis.share), std::to_string(axis.values), cell_text(axis.least),
                     axis.least_at, cell_text(axis.most), axis.most_at});
  return out;
}

std::string sensitivity_json(const Sensitivity& found)
{
  using Json = nlohmann::ordered_json;
  Json out{{"schema_version", 1}, {"result", found.result},       {"points", found.points},
           {"mean", found.mean},  {"deviation", found.deviation}, {"axes", Json::array()}};
  for (const AxisEffect& axis : found.axes)
    out["axes"].push_back({{"axis", axis.axis},
                           {"share", axis.share},
                           {"values", axis.values},
                           {"least_mean", axis.least},
                           {"least_at", axis.least_at},
                           {"most_mean", axis.most},
                           {"most_at", axis.most_at}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace smsim

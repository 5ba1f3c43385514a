#include "sweep/dry_run.h"

#include "report/table_text.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace smsim {
namespace {

constexpr std::uint64_t timed_points = 20;
constexpr double longest_trial = 3;  // seconds

std::string cell_text(const ParameterValue& value)
{
  return value.is_number ? number_text(value.number) : value.text;
}

}  // namespace

std::string duration_text(double seconds)
{
  if (seconds < 10) return fixed(seconds, 1) + " s";
  const auto whole = static_cast<std::uint64_t>(std::min(seconds + 0.5, 1e15));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  if (whole < 86400) return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
  return std::to_string(whole / 86400) + " days " + std::to_string(whole / 3600 % 24) + " h";
}

std::string dry_run_text(const Sweep& sweep, std::uint64_t points, Shard shard, std::uint64_t listed,
                         std::uint32_t threads)
{
  const std::uint64_t here = shard.points_of(points);
  std::string out = sweep.name + ": " + std::to_string(points) + (points == 1 ? " point" : " points");
  if (const auto places = count_places(sweep); places && *places != points)
    out += " of " + std::to_string(*places) + ", the others are excluded by `when`";
  if (shard.count > 1) out += "; " + std::to_string(here) + " of them in shard " + shard.text();
  out += "\n\n";

  std::vector<std::string> header{"point"};
  for (const std::string& name : parameter_names(sweep))
    header.push_back(name);
  std::vector<std::vector<std::string>> rows{header};
  PointBuilder builder(sweep);
  PointCursor listing(sweep);
  for (std::uint64_t i = 0; i < std::min(listed, here); ++i) {
    listing.skip_to(shard.index + i * shard.count);
    const auto point = listing.next();
    std::vector<std::string> row{std::to_string(point->number)};
    for (const ParameterValue& value : builder.parameters(*point))
      row.push_back(cell_text(value));
    rows.push_back(std::move(row));
  }

  // In the middle of as many equal parts of the order.
  const std::uint64_t parts = std::min(here, timed_points);
  std::uint64_t timed = 0;
  double spent = 0;
  PointCursor cursor(sweep);
  for (; timed < parts && spent < longest_trial; ++timed) {
    const std::uint64_t place = here / parts * timed + here / parts / 2;
    cursor.skip_to(shard.index + place * shard.count);
    const auto point = cursor.next();
    const auto start = std::chrono::steady_clock::now();
    run_point(sweep, builder, *point, nullptr);
    spent += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  if (rows.size() > 1) out += columns(rows, 3, 0);
  if (rows.size() - 1 < here)
    out += "... and " + std::to_string(here - (rows.size() - 1)) + " more (--list all)\n";
  if (timed == 0) return out;
  const double each = spent / static_cast<double>(timed);
  out += "\nAbout " + duration_text(each * static_cast<double>(here) / threads) + " on " +
         std::to_string(threads) + (threads == 1 ? " thread" : " threads") + ": " + std::to_string(timed) +
         " timed points took " + fixed(each * 1000, 2) + " ms each\n";
  return out;
}

}  // namespace smsim

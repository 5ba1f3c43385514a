#include "sweep/plot_scale.h"

#include "base/portable_math.h"
#include "report/table_text.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace smsim {
namespace {

constexpr double log_from_ratio = 50;
constexpr std::size_t most_value_ticks = 9;
constexpr double wanted_ticks = 6;
constexpr double tick_room = 24;  // pixels for a label

/// 1, 2 or 5 times a power of ten.
double nice_step(double raw)
{
  double power = 1;
  while (power * 10 <= raw)
    power *= 10;
  while (power > raw)
    power /= 10;
  const double mantissa = raw / power;
  return power * (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10);
}

/// Powers of two, say: each at least twice the one before.
bool doubles(const std::vector<double>& sorted)
{
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i] < sorted[i - 1] * 2) return false;
  return sorted.size() > 2;
}

std::string plain(double number)
{
  std::string text = fixed(number, std::abs(number) >= 100 ? 1 : 3);
  while (text.ends_with('0'))
    text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

std::string tick_text(double number)
{
  constexpr double kibi = 1024;
  const double size = std::abs(number);
  if (size >= 10'000 && std::fmod(size, kibi * kibi) == 0) return plain(number / kibi / kibi) + "Mi";
  if (size >= 10'000 && std::fmod(size, kibi) == 0) return plain(number / kibi) + "Ki";
  if (size >= 1e9) return plain(number / 1e9) + "G";
  if (size >= 1e6) return plain(number / 1e6) + "M";
  if (size >= 10'000) return plain(number / 1e3) + "k";
  return plain(number);
}

PlotScale::PlotScale(const std::vector<Cell>& values, Marks marks, double from, double to)
    : from_(from), to_(to)
{
  const std::set<Cell, CellLess> different(values.begin(), values.end());
  const bool numbers = std::all_of(different.begin(), different.end(),
                                   [](const Cell& cell) { return cell_number(cell).has_value(); });
  if (marks == Marks::steps || !numbers) {
    steps_.assign(different.begin(), different.end());
    place_steps();
    return;
  }
  std::vector<double> sorted;
  sorted.reserve(different.size());
  for (const Cell& cell : different)
    sorted.push_back(*cell_number(cell));
  std::sort(sorted.begin(), sorted.end());
  least_ = sorted.front();
  most_ = sorted.back();
  log_ = least_ > 0 && (most_ / least_ >= log_from_ratio || doubles(sorted));
  // A few values are written out themselves, where there is room between them.
  bool room = marks == Marks::values && sorted.size() > 1 && sorted.size() <= most_value_ticks;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    room = room && std::abs(at_number(sorted[i]) - at_number(sorted[i - 1])) >= tick_room;
  if (!room) {
    place_numbers();
    return;
  }
  for (const double value : sorted)
    ticks_.push_back({at_number(value), tick_text(value)});
}

double PlotScale::step_width() const { return (to_ - from_) / static_cast<double>(steps_.size()); }

double PlotScale::at(const Cell& cell) const
{
  if (steps_.empty()) return at_number(cell_number(cell).value_or(least_));
  const auto found = std::lower_bound(steps_.begin(), steps_.end(), cell, CellLess{});
  return from_ + (static_cast<double>(found - steps_.begin()) + 0.5) * step_width();
}

double PlotScale::at_number(double number) const
{
  if (most_ == least_) return (from_ + to_) / 2;
  const double share = log_ ? portable_log(number / least_) / portable_log(most_ / least_)
                            : (number - least_) / (most_ - least_);
  return from_ + share * (to_ - from_);
}

void PlotScale::place_steps()
{
  const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(tick_room / std::abs(step_width()))));
  for (std::size_t i = 0; i < steps_.size(); i += every) {
    const auto number = cell_number(steps_[i]);
    ticks_.push_back({at(steps_[i]), number ? tick_text(*number) : cell_text(steps_[i])});
  }
}

void PlotScale::place_numbers()
{
  if (most_ == least_) {
    ticks_.push_back({at_number(least_), tick_text(least_)});
    return;
  }
  if (!log_) {
    // Round ends: the picture's edges are ticks too.
    const double step = nice_step((most_ - least_) / wanted_ticks);
    least_ = std::floor(least_ / step) * step;
    most_ = std::ceil(most_ / step) * step;
    const auto count = static_cast<int>((most_ - least_) / step + 1.5);
    for (int i = 0; i < count; ++i) {
      const double tick = least_ + i * step;
      ticks_.push_back({at_number(tick), tick_text(std::abs(tick) < step / 2 ? 0 : tick)});
    }
    return;
  }
  double power = 1;
  while (power > least_)
    power /= 10;
  while (power * 10 <= least_)
    power *= 10;
  const bool few = most_ / least_ < 1000;
  while (power <= most_) {
    for (const double factor : {1.0, 2.0, 5.0})
      if ((factor == 1 || few) && power * factor >= least_ && power * factor <= most_)
        ticks_.push_back({at_number(power * factor), tick_text(power * factor)});
    power *= 10;
  }
}

}  // namespace smsim

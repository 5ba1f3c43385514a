#include "report/html/schedule.h"

#include "report/html/elements.h"
#include "report/html/plot.h"

#include <algorithm>
#include <array>

namespace smsim::html {
namespace {

/// A block and the row of its SM that it is drawn in.
struct Placed {
  BlockSpan span;
  std::uint64_t end = 0;
  std::size_t lane = 0;
  std::uint64_t nth = 0;  ///< of its SM
};

/// Each block takes the first row of its SM that is free; `blocks` come in the order of SMs and launches.
std::vector<Placed> place(const std::vector<BlockSpan>& blocks, std::uint64_t end_of_run)
{
  std::vector<Placed> placed;
  std::vector<std::uint64_t> free_from;
  std::uint64_t nth = 0;
  for (const BlockSpan& span : blocks) {
    if (placed.empty() || placed.back().span.sm != span.sm) {
      free_from.clear();
      nth = 0;
    }
    const auto free = std::find_if(free_from.begin(), free_from.end(),
                                   [&](std::uint64_t from) { return from <= span.launched; });
    const auto lane = static_cast<std::size_t>(free - free_from.begin());
    if (free == free_from.end()) free_from.push_back(0);
    const std::uint64_t end = std::max(span.ended.value_or(end_of_run), span.launched);
    free_from[lane] = end;
    placed.push_back({span, end, lane, nth++});
  }
  return placed;
}

enum Kind { odd_wave, even_wave, in_tail };
struct KindInfo {
  std::string_view class_name;
  std::string_view name;
  std::string_view legend;
};
constexpr std::array<KindInfo, 3> kinds{
    {{"w-odd", "before the tail", "blocks of an odd wave of their SM"},
     {"w-even", "before the tail", "of an even wave"},
     {"w-tail", "still ran in the tail", "still running a tenth into the tail"}}};

std::string what_is_left_out(const PageInput& page)
{
  const Recording& recording = page.recording;
  const RunResult& result = page.run.result;
  std::uint64_t ended = 0;
  for (std::uint32_t sm = 0; sm < recording.sms_with_blocks(); ++sm)
    ended += result.sms[sm].blocks;
  std::string text;
  if (recording.sms_with_blocks() < result.sms.size())
    text = " Only SM" +
           (recording.sms_with_blocks() == 1 ? std::string(" 0")
                                             : "s 0 to " + std::to_string(recording.sms_with_blocks() - 1)) +
           " of " + std::to_string(result.sms.size()) + " are shown: the page holds at most " +
           grouped(std::to_string(Recording::most_blocks)) + " blocks.";
  if (recording.blocks().size() < ended)
    text += " Of the " + grouped(std::to_string(ended)) + " blocks that ended there, the " +
            grouped(std::to_string(recording.blocks().size())) + " that ended first are shown.";
  return text;
}

std::string schedule_table(const std::vector<Placed>& placed)
{
  constexpr std::size_t most_rows = 200;
  std::vector<std::vector<std::string>> rows{
      {"SM", "Blocks shown", "First launch", "Last end", "Shortest", "Longest"}};
  for (std::size_t i = 0; i < placed.size() && rows.size() <= most_rows;) {
    std::size_t next = i;
    std::uint64_t end = 0;
    std::uint64_t shortest = ~std::uint64_t{0};
    std::uint64_t longest = 0;
    for (; next < placed.size() && placed[next].span.sm == placed[i].span.sm; ++next) {
      const std::uint64_t length = placed[next].end - placed[next].span.launched;
      end = std::max(end, placed[next].end);
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
    }
    const auto number = [](std::uint64_t value) { return grouped(std::to_string(value)); };
    rows.push_back({std::to_string(placed[i].span.sm), number(next - i), number(placed[i].span.launched),
                    number(end), number(shortest), number(longest)});
    i = next;
  }
  const bool are_all = placed.empty() || std::to_string(placed.back().span.sm) == rows.back().front();
  return table(are_all ? "Blocks of each SM, in cycles"
                       : "Blocks of the first " + std::to_string(most_rows) + " SMs, in cycles",
               rows);
}

}  // namespace

std::string schedule_figure(const PageInput& page)
{
  const RunResult& result = page.run.result;
  const std::vector<Placed> placed = place(page.recording.blocks(), result.cycles);
  std::size_t lanes = 1;
  for (const Placed& block : placed)
    lanes = std::max(lanes, block.lane + 1);
  const std::uint32_t sms = std::max(1U, page.recording.sms_with_blocks());

  Plot plot;
  plot.name = "Blocks over time, by SM";
  plot.reader = "spans";
  while (static_cast<double>(result.cycles) / plot.unit > 1e6)
    plot.unit *= 10;
  plot.to = std::max(1.0, static_cast<double>(result.cycles)) / plot.unit;
  plot.rows = static_cast<double>(sms * lanes);
  plot.height = static_cast<int>(std::clamp<std::size_t>(sms * lanes * 12, 90, 480));
  plot.x_title = "cycles";
  plot.y_title = "SM";
  plot.zooms = true;
  plot.attributes =
      " data-row-name=\"SM\" data-place-name=\"place\" data-group=\"" + std::to_string(lanes) + "\"";
  for (const double sm : ticks(0, sms - 1, 9))
    plot.y_ticks.push_back({(sm + 0.5) * static_cast<double>(lanes), coordinate(sm)});

  // Bars of few pixels have no room for gaps and edges.
  const bool is_dense = plot.height < 6 * plot.rows;
  const double gap = is_dense ? 0 : 0.05;
  std::array<std::string, kinds.size()> shapes;
  std::array<std::string, kinds.size()> ids;
  const std::uint64_t per_wave = std::max<std::uint64_t>(1, result.occupancy.blocks_per_sm);
  // Blocks of the last full wave end a little after the last launch: they are not what makes the tail.
  const std::uint64_t well_into_tail = result.tail_start + result.tail_cycles() / 10;
  for (const Placed& block : placed) {
    const std::size_t kind = block.end > well_into_tail        ? in_tail
                             : (block.nth / per_wave) % 2 == 0 ? odd_wave
                                                               : even_wave;
    shapes[kind] += bar(static_cast<double>(block.span.launched) / plot.unit,
                        static_cast<double>(block.span.sm * lanes + block.lane) + gap,
                        static_cast<double>(block.end - block.span.launched) / plot.unit, 1 - 2 * gap);
    ids[kind] += (ids[kind].empty() ? "" : " ") + std::to_string(block.span.block);
  }
  std::string legend = "<ul class=\"legend\">";
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const std::string class_name(kinds[kind].class_name);
    if (shapes[kind].empty()) continue;
    plot.shapes += "<path class=\"" + std::string(is_dense ? "" : "block ") + class_name + "\" data-name=\"" +
                   std::string(kinds[kind].name) + "\" data-ids=\"" + ids[kind] + "\" d=\"" + shapes[kind] +
                   "\"/>";
    legend += "<li><svg viewBox=\"0 0 14 9\"><path class=\"" + class_name + "\" d=\"M0 0H14V9H0z\"/></svg>" +
              std::string(kinds[kind].legend) + "</li>";
  }
  const double tail = static_cast<double>(result.tail_start) / plot.unit;
  plot.labels.push_back({tail, "<b>tail</b>", "tail edge"});
  return figure(
      {"schedule", "Which block ran where",
       "A bar is a block, from its launch to its end; an SM has a row for each block that it holds at the "
       "same time. Gaps are room that nobody used. Long bars at the right edge with nothing beside them "
       "are what makes a tail." +
           what_is_left_out(page),
       legend + "</ul>\n" + plot.html(), schedule_table(placed)});
}

}  // namespace smsim::html

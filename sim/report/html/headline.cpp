#include "report/advice.h"
#include "report/html/elements.h"
#include "report/html/sections.h"
#include "report/table_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace smsim::html {
namespace {

std::string tile(std::string_view class_name, const std::string& what, const std::string& number,
                 const std::string& more)
{
  return "<div class=\"tile " + std::string(class_name) + "\"><dt>" + what + "</dt><dd><strong>" + number +
         "</strong> <span>" + more + "</span></dd></div>\n";
}

/// One bar for the warp slots of an SM: how many fit, how many were there.
std::string slots_bar(const PageInput& page)
{
  const RunResult& result = page.run.result;
  const auto line = [](std::string_view class_name, double share, const std::string& text) {
    return "<div class=\"" + std::string(class_name) + "\" style=\"--share:" + fixed(100 * share, 2) +
           "%\"><span>" + text + "</span></div>\n";
  };
  return "<div class=\"slots\" aria-hidden=\"true\">\n" + line("all", 1, "warp slots of an SM") +
         line("theory", result.occupancy.ratio(), "theoretical") +
         line("achieved", result.achieved_occupancy(), "achieved") + "</div>\n";
}

std::string what_binds(const PageInput& page)
{
  std::string out = "<div class=\"binds\"><h3>What binds</h3>\n<ul>\n";
  for (const std::string& sentence : advice(page.run))
    out += "<li>" + escaped(sentence) + "</li>\n";
  return out + "</ul></div>\n";
}

std::string limits_table(const PageInput& page)
{
  const Numbers numbers(page.result);
  const Occupancy& occupancy = page.run.result.occupancy;
  std::uint64_t most = 1;
  for (const BlockLimit& limit : occupancy.limits)
    most = std::max(most, limit.value_or(0));
  std::vector<std::vector<std::string>> rows{{"Resource", "Blocks per SM that it allows"}};
  for (const LimiterInfo& info : limiter_table) {
    const BlockLimit& limit = occupancy.limit(info.limiter);
    const bool binds = std::find(occupancy.limiters.begin(), occupancy.limiters.end(), info.limiter) !=
                       occupancy.limiters.end();
    const std::string key = std::string("/occupancy/limits/") + info.key;
    rows.push_back({info.label, limit
                                    ? bar_cell(static_cast<double>(*limit) / static_cast<double>(most),
                                               numbers.count(key) + (binds ? " <strong>limits</strong>" : ""),
                                               binds ? "binding" : "")
                                    : "<td>no limit</td>"});
  }
  return table("The smallest limit decides how many blocks are resident", rows);
}

}  // namespace

std::string headline_section(const PageInput& page)
{
  const Numbers numbers(page.result);
  const RunResult& result = page.run.result;
  const double max_warps = static_cast<double>(result.occupancy.max_warps_per_sm);
  const double clock = static_cast<double>(page.run.arch.clock_khz);
  std::string tiles =
      tile("main theory", "Theoretical occupancy", numbers.percent("/occupancy/theoretical"),
           numbers.count("/occupancy/warps_per_sm") + " of " + numbers.count("/occupancy/max_warps_per_sm") +
               " warps fit, limited by " + escaped(limiters_text(result.occupancy.limiters))) +
      tile("main achieved", "Achieved occupancy", numbers.percent("/occupancy/achieved"),
           fixed(result.achieved_occupancy() * max_warps, 1) + " warps on average, while an SM had any; " +
               numbers.percent("/occupancy/achieved_elapsed") + " of all cycles and SMs") +
      tile("", "Cycles", numbers.count("/cycles"),
           fixed(static_cast<double>(result.cycles) * 1000 / clock, 2) + " µs at " +
               grouped(std::to_string(page.run.arch.clock_khz / 1000)) + " MHz") +
      tile("", "Instructions per cycle", numbers.ratio("/ipc"),
           numbers.count("/instructions") + " warp instructions") +
      tile("", "Waves", numbers.ratio("/launch/waves"),
           numbers.count("/launch/grid") + (result.grid == 1 ? " block, " : " blocks, ") +
               numbers.count("/occupancy/blocks_per_sm") + " on an SM at a time") +
      tile("", "Tail", numbers.percent("/tail/share_of_runtime"),
           numbers.count("/tail/cycles") + (result.tail_cycles() == 1 ? " cycle" : " cycles") +
               " after the last block was launched");
  std::string early;
  if (result.stopped_early)
    early = "<p class=\"warning\"><strong>Stopped early</strong> after " + numbers.count("/cycles") +
            " cycles: the kernel had not ended. All that follows is of the part that was run.</p>\n";
  return section("headline", "At a glance",
                 early + "<dl class=\"tiles\">\n" + tiles + "</dl>\n" + slots_bar(page) + what_binds(page) +
                     "<h3>Why so many fit</h3>\n" + limits_table(page));
}

std::string loss_figure(const PageInput& page)
{
  struct Part {
    const char* key;
    const char* name;
    const char* why;
  };
  constexpr Part parts[] = {
      {"exited_warps", "Warps that left early", "their block still held their slots"},
      {"before_tail", "Slots without a block before the tail", "although more blocks were to come"},
      {"partial_wave", "Partial last wave", "what equal blocks would lose"},
      {"uneven_blocks", "Uneven blocks", "the longest block outlasts every launch order"},
      {"launch_order", "Launch order", "the rest of the tail: uneven blocks in this order"}};
  const Numbers numbers(page.result);
  const double total = std::max(1.0, numbers.value("/tail/loss/total"));
  std::vector<std::vector<std::string>> rows{{"Lost to", "Warp-cycles", "Why"}};
  for (const Part& part : parts) {
    const std::string key = std::string("/tail/loss/") + part.key;
    rows.push_back({part.name, bar_cell(numbers.value(key) / total, numbers.count(key)), part.why});
  }
  rows.push_back({"<strong>Together</strong>", "<td>" + numbers.count("/tail/loss/total") + "</td>",
                  "what theory allows less what was there, in all cycles of all SMs"});
  return "<h3>Where the difference between theory and the run went</h3>\n" +
         table("Warp slots that theory fills and that had no warp, in warp-cycles", rows);
}

}  // namespace smsim::html

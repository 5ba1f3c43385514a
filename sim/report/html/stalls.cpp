#include "report/html/elements.h"
#include "report/html/sections.h"
#include "report/table_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace smsim::html {

std::string stall_section(const PageInput& page)
{
  constexpr const char* active = "/active_warp_cycles";
  const Numbers numbers(page.result);
  const RunResult& result = page.run.result;
  const StateCycles states = result.states();
  const std::size_t schedulers = page.run.arch.sm.sub_partitions;
  std::vector<const WarpStateInfo*> order;
  for (const WarpStateInfo& state : warp_state_table)
    if (states[index_of(state.state)] > 0) order.push_back(&state);
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) {
    return states[index_of(a->state)] > states[index_of(b->state)];
  });

  std::vector<std::vector<std::string>> rows{{"State of a warp", "All"}};
  for (std::size_t p = 0; p < schedulers && schedulers > 1; ++p)
    rows[0].push_back("<abbr title=\"Scheduler of sub-partition " + std::to_string(p) + "\">S" +
                      std::to_string(p) + "</abbr>");
  for (const WarpStateInfo* state : order) {
    const std::string key = "/warp_states/" + std::string(state->key);
    const std::string_view class_name = state->state == WarpState::selected ? "issued" : "";
    rows.push_back({escaped(state->label) + "<small>" + escaped(state->doc) + "</small>",
                    bar_cell(numbers.share(key, active), numbers.percent(key, active), class_name)});
    for (std::size_t p = 0; p < schedulers && schedulers > 1; ++p)
      rows.back().push_back(bar_cell(numbers.scheduler_share(p, key, active),
                                     numbers.scheduler_percent(p, key, active), class_name));
  }
  const std::uint64_t issued = result.instructions();
  const double per_issue =
      issued == 0 ? 0 : static_cast<double>(result.active_warp_cycles()) / static_cast<double>(issued);
  return section(
      "stalls", "Where the warps' time went",
      "<p>In each cycle each resident warp is in one state. The bars are shares of the time of all warps; "
      "each column adds up to 100\u202F%. <em>Selected</em> is the work: the warp issued an instruction. "
      "<em>Stall Not Selected</em> means that there were more ready warps than issue slots. All others are "
      "waits; the longest bar is the first thing to shorten. A warp took " +
          fixed(per_issue, 2) + " cycles for each instruction that it issued.</p>\n" +
          table("Share of the warps' time in each state, %, for all schedulers and for each", rows));
}

}  // namespace smsim::html

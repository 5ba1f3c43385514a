#include "report/html/elements.h"
#include "report/html/plot.h"
#include "report/html/sections.h"
#include "report/table_text.h"

#include <algorithm>
#include <array>

namespace smsim::html {
namespace {

/// What a warp does, in few enough kinds that their colours can be told apart; also told apart by height.
struct KindInfo {
  std::string_view class_name;
  std::string_view meaning;
  double height;
};
constexpr std::array<KindInfo, 8> kinds{{{"s-issued", "issued an instruction", 0.96},
                                         {"s-ready", "ready, another was chosen", 0.72},
                                         {"s-memory", "waits for global or local memory", 0.4},
                                         {"s-shared", "waits for shared memory or a special function", 0.5},
                                         {"s-fixed", "waits out a fixed latency or a branch", 0.28},
                                         {"s-throttle", "waits for a busy pipe, queue or port", 0.6},
                                         {"s-barrier", "waits at a barrier, or sleeps", 0.18},
                                         {"s-fetch", "waits for its instruction or a constant", 0.34}}};

std::size_t kind_of(WarpState state)
{
  switch (state) {
  case WarpState::selected:
    return 0;
  case WarpState::not_selected:
    return 1;
  case WarpState::long_scoreboard:
  case WarpState::membar:
  case WarpState::drain:
    return 2;
  case WarpState::short_scoreboard:
    return 3;
  case WarpState::wait:
  case WarpState::branch_resolving:
    return 4;
  case WarpState::math_pipe_throttle:
  case WarpState::mio_throttle:
  case WarpState::lg_throttle:
  case WarpState::dispatch_stall:
    return 5;
  case WarpState::barrier:
  case WarpState::sleeping:
    return 6;
  case WarpState::no_instruction:
  case WarpState::imc_miss:
    return 7;
  }
  return 7;
}

struct Span {
  Window::Step step;  ///< cycles from the window's start
  std::uint64_t end = 0;
};

std::vector<Span> spans_of(const Window& window)
{
  std::vector<Span> spans;
  std::vector<Window::Step> now = window.before;
  for (Window::Step& step : now)
    step.cycle = window.start;
  const auto close = [&](const Window::Step& step, std::uint64_t end) {
    if (!step.state || step.cycle >= end) return;
    spans.push_back({step, end - window.start});
    spans.back().step.cycle -= window.start;
  };
  for (const Window::Step& step : window.steps) {
    close(now[step.slot], step.cycle);
    now[step.slot] = step;
  }
  for (const Window::Step& step : now)
    close(step, window.end);
  return spans;
}

/// What each warp slot did, for those who cannot see the drawing.
std::string window_table(const std::vector<Span>& spans, std::size_t slots, double cycles)
{
  std::vector<std::array<std::uint64_t, warp_state_count>> sums(slots);
  for (const Span& span : spans)
    sums[span.step.slot][index_of(*span.step.state)] += span.end - span.step.cycle;
  std::vector<std::vector<std::string>> rows{{"Warp slot", "Instructions issued", "Most of its cycles in"}};
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const auto top = std::max_element(sums[slot].begin(), sums[slot].end());
    const WarpStateInfo& state = warp_state_table[static_cast<std::size_t>(top - sums[slot].begin())];
    rows.push_back({std::to_string(slot), std::to_string(sums[slot][index_of(WarpState::selected)]),
                    *top == 0
                        ? "no warp"
                        : escaped(state.label) + " (" + percent(static_cast<double>(*top) / cycles) + " %)"});
  }
  return table("Warps of the window", rows);
}

struct Drawing {
  std::string shapes;
  std::string legend;
};

/// A path for each state, the legend in the order of the kinds.
Drawing draw(const std::vector<Span>& spans)
{
  std::array<std::string, warp_state_count> paths;
  std::array<std::string, warp_state_count> ids;
  for (const Span& span : spans) {
    const std::size_t state = index_of(*span.step.state);
    const double height = kinds[kind_of(*span.step.state)].height;
    paths[state] +=
        bar(static_cast<double>(span.step.cycle), static_cast<double>(span.step.slot) + 0.98 - height,
            static_cast<double>(span.end - span.step.cycle), height);
    ids[state] += (ids[state].empty() ? "" : " ") + std::to_string(span.step.block) + "." +
                  std::to_string(span.step.warp);
  }
  Drawing drawing;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    bool seen = false;
    for (const WarpStateInfo& state : warp_state_table) {
      const std::size_t i = index_of(state.state);
      if (kind_of(state.state) != kind || paths[i].empty()) continue;
      seen = true;
      drawing.shapes += "<path class=\"" + std::string(kinds[kind].class_name) + "\" data-name=\"" +
                        escaped(state.label) + "\" data-ids=\"" + ids[i] + "\" d=\"" + paths[i] + "\"/>";
    }
    if (seen)
      drawing.legend += "<li><svg viewBox=\"0 0 14 10\"><path class=\"" +
                        std::string(kinds[kind].class_name) + "\" d=\"M0 10V" +
                        coordinate(10 - 10 * kinds[kind].height) + "H14V10z\"/></svg>" +
                        std::string(kinds[kind].meaning) + "</li>";
  }
  return drawing;
}

}  // namespace

std::string window_section(const PageInput& page)
{
  const WindowChoice& choice = page.recording.choice();
  const Window& window = page.recording.window();
  const std::string where =
      "scheduler " + std::to_string(choice.sub_partition) + " of SM " + std::to_string(choice.sm);
  if (window.end <= window.start)
    return section("window", "Warp by warp",
                   "<p>Nothing to show: the run ended before cycle " + grouped(std::to_string(window.start)) +
                       ".</p>\n");
  const std::vector<Span> spans = spans_of(window);
  std::size_t slots = 1;
  for (const Span& span : spans)
    slots = std::max<std::size_t>(slots, span.step.slot + 1);
  const Drawing drawing = draw(spans);
  Plot plot;
  plot.name = "States of the warps of " + where;
  plot.reader = "spans";
  plot.to = static_cast<double>(window.end - window.start);
  plot.origin = static_cast<double>(window.start);
  plot.rows = static_cast<double>(slots);
  plot.height = static_cast<int>(std::clamp<std::size_t>(slots * 22, 80, 560));
  plot.x_title = "cycles";
  plot.y_title = "warp slot";
  plot.zooms = true;
  plot.attributes = " data-row-name=\"warp slot\"";
  for (const double slot : ticks(0, static_cast<double>(slots) - 1, 16))
    plot.y_ticks.push_back({slot + 0.5, coordinate(slot)});
  plot.shapes = drawing.shapes;
  std::string note;
  if (const std::size_t all = window.before.size(); slots < all)
    note = slots + 1 == all
               ? " Slot " + std::to_string(slots) + " is empty."
               : " Slots " + std::to_string(slots) + " to " + std::to_string(all - 1) + " are empty.";
  if (window.is_full)
    note += " The window ends early: the page holds at most " + grouped(std::to_string(Window::most_steps)) +
            " changes of state.";
  return section(
      "window", "Warp by warp",
      figure({"timeline",
              "What the warps of " + where + " did from cycle " + grouped(std::to_string(window.start)) +
                  " to " + grouped(std::to_string(window.end - 1)),
              "A row is a warp slot, a bar what its warp did; tall bars are work. In any cycle at most one "
              "warp of a "
              "scheduler issues: cycles without a tall bar are lost. Hovering names the state and the warp. "
              "Another window: <code>--window-start</code>, <code>--window-cycles</code>, "
              "<code>--window-sm</code>, <code>--window-scheduler</code>." +
                  note,
              "<ul class=\"legend\">" + drawing.legend + "</ul>\n" + plot.html(),
              window_table(spans, slots, plot.to)}));
}

}  // namespace smsim::html

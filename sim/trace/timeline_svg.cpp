#include "trace/state_style.h"
#include "trace/timeline.h"

#include <algorithm>
#include <array>

namespace smsim {
namespace {

constexpr std::uint64_t cycle_width = 8;
constexpr std::uint64_t row_height = 14;
constexpr std::uint64_t left = 130;
constexpr std::uint64_t top = 40;
constexpr std::string_view issue_fill = "#555555";
constexpr std::string_view block_fill = "#444444";

std::string escaped(std::string_view text)
{
  std::string out;
  for (const char c : text)
    out += c == '<'   ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '&' ? "&amp;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  return out;
}

class Picture {
 public:
  explicit Picture(const Timeline& timeline)
      : timeline_(timeline), from_(timeline.choice().from),
        cycles_(timeline.choice().until > from_ ? timeline.choice().until - from_ : 0)
  {
  }

  std::string svg()
  {
    const TraceRun& run = timeline_.run();
    text(4, 16,
         run.kernel + " on " + run.arch + ", " + run.policy + ": SM " +
             std::to_string(timeline_.choice().sm));
    for (std::uint64_t cycle = (from_.value() + 9) / 10 * 10; cycle < from_.value() + cycles_; cycle += 10)
      tick(Cycle{cycle});
    text(4, top - 6, "cycle");
    for (const std::uint32_t part : timeline_.choice().sub_partitions)
      add_scheduler(part);
    add_legend();
    const std::string width = std::to_string(left + std::max<std::uint64_t>(cycles_ * cycle_width, 400) + 10);
    const std::string height = std::to_string(y_ + 10);
    return R"(<svg xmlns="http://www.w3.org/2000/svg" width=")" + width + R"(" height=")" + height +
           R"(" viewBox="0 0 )" + width + " " + height +
           "\" font-family=\"monospace\" font-size=\"10\">\n"
           R"(<rect width="100%" height="100%" fill="white"/>)"
           "\n" +
           body_ + "</svg>\n";
  }

 private:
  [[nodiscard]] std::uint64_t x(Cycle cycle) const { return left + (cycle - from_) * cycle_width; }

  void text(std::uint64_t x, std::uint64_t y, const std::string& what)
  {
    body_ += "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\">" + escaped(what) +
             "</text>\n";
  }

  /// A cycle's number above its left edge.
  void tick(Cycle cycle)
  {
    const std::string at = std::to_string(x(cycle));
    body_ += "<path d=\"M" + at + " " + std::to_string(top - 5) + "v4\" stroke=\"#555555\"/>\n";
    text(x(cycle), top - 7, std::to_string(cycle.value()));
  }

  void box(Cycle begin, Cycle end, std::string_view fill, const std::string& title,
           std::uint64_t height = row_height - 2)
  {
    body_ += "<rect x=\"" + std::to_string(x(begin)) + "\" y=\"" + std::to_string(y_) + "\" width=\"" +
             std::to_string((end - begin) * cycle_width) + "\" height=\"" + std::to_string(height) +
             "\" fill=\"" + std::string(fill) + "\"><title>" + escaped(title) + "</title></rect>\n";
  }

  void label(const std::string& what, std::uint64_t indent) { text(4 + indent, y_ + row_height - 4, what); }

  void add_scheduler(std::uint32_t part)
  {
    label("scheduler " + std::to_string(part) + " issues", 0);
    for (const InstructionIssue& issue : timeline_.issues(part))
      if (issue.cycle < from_ + cycles_)
        box(issue.cycle, issue.cycle + 1, issue_fill,
            "cycle " + std::to_string(issue.cycle.value()) + ": block " +
                std::to_string(issue.warp.block.value()) + " warp " + std::to_string(issue.warp.warp) + ", " +
                std::to_string(issue.pc) + ": " + timeline_.run().instructions[issue.pc]);
    y_ += row_height;
    const Timeline::Block* block = nullptr;
    for (const Timeline::Warp* warp : timeline_.warps(part)) {
      const Timeline::Block& own = timeline_.block(warp->warp.block);
      if (&own != block) add_block(own);
      block = &own;
      label("slot " + std::to_string(warp->warp.slot) + " warp " + std::to_string(warp->warp.warp), 20);
      for (const WarpSpan& span : warp->spans) {
        seen_[index_of(span.state)] = true;
        box(span.from, span.until, style(span.state).picture,
            std::string(info(span.state).key) + ", cycles " + std::to_string(span.from.value()) + " to " +
                std::to_string(span.until.value() - 1));
      }
      for (const Cycle arrival : warp->arrivals)
        text(x(arrival) + 1, y_ + row_height - 4, "A");
      y_ += row_height;
    }
    y_ += row_height / 2;
  }

  void add_block(const Timeline::Block& block)
  {
    label("block " + std::to_string(block.block.value()), 10);
    const Cycle begin = std::max(block.launched, from_);
    const Cycle end = block.ended.value_or(from_ + cycles_);
    y_ += 4;
    box(begin, std::max(end, begin), block_fill,
        "block " + std::to_string(block.block.value()) + ", launched in cycle " +
            std::to_string(block.launched.value()) +
            (block.ended ? ", ended in cycle " + std::to_string(block.ended->value()) : ""),
        4);
    y_ -= 4;
    for (const Cycle opening : block.openings) {
      y_ += 1;
      box(opening, opening + 1, style(WarpState::barrier).picture,
          "a barrier opens in cycle " + std::to_string(opening.value()), 10);
      y_ -= 1;
    }
    y_ += row_height;
  }

  void add_legend()
  {
    const auto entry = [&](std::string_view fill, std::uint64_t height, const std::string& what) {
      body_ += "<rect x=\"4\" y=\"" + std::to_string(y_ + (10 - height) / 2) + "\" width=\"10\" height=\"" +
               std::to_string(height) + "\" fill=\"" + std::string(fill) + "\"/>\n";
      text(20, y_ + 9, what);
      y_ += row_height;
    };
    entry(issue_fill, 10, "the scheduler issues");
    entry(block_fill, 4, "the block is resident; its warps are the rows below");
    for (const WarpStateInfo& state : warp_state_table)
      if (seen_[index_of(state.state)])
        entry(style(state.state).picture, 10, std::string(state.key) + ": " + std::string(state.doc));
  }

  const Timeline& timeline_;
  const Cycle from_;
  const std::uint64_t cycles_;
  std::uint64_t y_ = top;
  std::array<bool, warp_state_count> seen_{};
  std::string body_;
};

}  // namespace

std::string timeline_svg(const Timeline& timeline) { return Picture(timeline).svg(); }

}  // namespace smsim

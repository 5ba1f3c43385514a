#include "trace/state_style.h"
#include "trace/timeline.h"

#include <algorithm>
#include <array>

namespace smsim {
namespace {

/// Columns that are alike and kept on each side of a fold.
constexpr std::size_t kept_beside_fold = 4;

/// One line of the picture, a character a cycle.
struct Row {
  std::string label;
  std::string cells;
};

/// What stands in a column of the page: a cycle, or several that are folded.
struct Column {
  std::size_t cycle = 0;   ///< of the window, the first
  std::size_t folded = 1;  ///< cycles
  std::size_t width = 1;
};

/// A warp slot as one character: 0 to 9, a to z, A to Z, then two more.
char symbol(std::uint32_t slot)
{
  constexpr std::string_view symbols = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-";
  return symbols[slot];
}

class Page {
 public:
  Page(const Timeline& timeline, const TimelineTextOptions& options)
      : timeline_(timeline), options_(options), from_(timeline.choice().from),
        cycles_(timeline.choice().until > from_ ? timeline.choice().until - from_ : 0)
  {
  }

  std::string text()
  {
    for (const std::uint32_t part : timeline_.choice().sub_partitions)
      add_scheduler(part);
    add_title();
    if (!has_warps_) return page_ + "no warp was here in these cycles\n";
    fold();
    for (const Row& row : rows_)
      label_width_ = std::max(label_width_, row.label.size() + 2);
    const std::size_t width = std::max<std::size_t>(options_.width, label_width_ + 20) - label_width_;
    for (std::size_t first = 0; first < columns_.size();) {
      std::size_t last = first;
      for (std::size_t used = 0; last < columns_.size() && used + columns_[last].width <= width; ++last)
        used += columns_[last].width;
      page_ += "\n";
      add_ruler(first, last);
      for (const Row& row : rows_)
        add_line(row, first, last);
      first = last;
    }
    add_legend();
    return page_;
  }

 private:
  void add_title()
  {
    const TraceRun& run = timeline_.run();
    page_ += run.kernel + " on " + run.arch + ", " + run.policy + ": SM " +
             std::to_string(timeline_.choice().sm) + ", cycles " + std::to_string(from_.value()) + " to " +
             std::to_string(from_.value() + cycles_ - 1) + "\n";
  }

  [[nodiscard]] std::size_t column_of(Cycle cycle) const { return static_cast<std::size_t>(cycle - from_); }

  void add_scheduler(std::uint32_t part)
  {
    std::string issues(cycles_, '.');
    for (const InstructionIssue& issue : timeline_.issues(part))
      if (issue.cycle < from_ + cycles_) issues[column_of(issue.cycle)] = symbol(issue.warp.slot);
    rows_.push_back({"scheduler " + std::to_string(part) + " issues", issues});
    const Timeline::Block* block = nullptr;
    for (const Timeline::Warp* warp : timeline_.warps(part)) {
      has_warps_ = true;
      const Timeline::Block& own = timeline_.block(warp->warp.block);
      if (&own != block) add_block(own);
      block = &own;
      Row row{std::string("  ") + symbol(warp->warp.slot) + " warp " + std::to_string(warp->warp.warp),
              std::string(cycles_, ' ')};
      for (const WarpSpan& span : warp->spans) {
        seen_[index_of(span.state)] = true;
        for (Cycle cycle = span.from; cycle < span.until; ++cycle)
          row.cells[column_of(cycle)] = style(span.state).letter;
      }
      for (const Cycle arrival : warp->arrivals)
        row.cells[column_of(arrival)] = arrival_mark;
      has_arrivals_ |= !warp->arrivals.empty();
      rows_.push_back(std::move(row));
    }
  }

  /// From its launch to its end, and where its barriers open.
  void add_block(const Timeline::Block& block)
  {
    Row row{" block " + std::to_string(block.block.value()), std::string(cycles_, ' ')};
    const Cycle end = block.ended.value_or(from_ + cycles_);
    for (Cycle cycle = std::max(block.launched, from_); cycle < end; ++cycle)
      row.cells[column_of(cycle)] = '-';
    for (const Cycle opening : block.openings)
      row.cells[column_of(opening)] = '^';
    has_openings_ |= !block.openings.empty();
    if (block.launched >= from_) row.cells[column_of(block.launched)] = '[';
    if (block.ended && *block.ended > from_) row.cells[column_of(*block.ended) - 1] = ']';
    rows_.push_back(std::move(row));
  }

  [[nodiscard]] bool is_like_before(std::size_t cycle) const
  {
    return std::all_of(rows_.begin(), rows_.end(),
                       [&](const Row& row) { return row.cells[cycle] == row.cells[cycle - 1]; });
  }

  void fold()
  {
    for (std::size_t first = 0; first < cycles_;) {
      std::size_t last = first + 1;
      while (last < cycles_ && is_like_before(last))
        ++last;
      const std::size_t alike = last - first;
      const std::size_t folded = alike > 2 * kept_beside_fold ? alike - 2 * kept_beside_fold : 0;
      const std::size_t width = std::to_string(folded).size() + 2;
      const bool folds = options_.fold > 0 && alike >= options_.fold && folded > width;
      for (std::size_t cycle = first; cycle < last; ++cycle) {
        if (folds && cycle == first + kept_beside_fold) {
          columns_.push_back({cycle, folded, width});
          cycle += folded - 1;
        } else {
          columns_.push_back({cycle, 1, 1});
        }
      }
      first = last;
    }
  }

  /// Every tenth cycle's number stands where the cycle does.
  void add_ruler(std::size_t first, std::size_t last)
  {
    std::string ruler;
    std::size_t width = 0;
    for (std::size_t i = first; i < last; ++i) {
      const Column& column = columns_[i];
      const std::uint64_t cycle = from_.value() + column.cycle;
      const bool is_free = ruler.empty() || ruler.size() < width;
      if (column.folded > 1) {
        ruler.resize(std::max(ruler.size(), width), ' ');
        if (ruler.size() == width) ruler += "~" + std::to_string(column.folded) + "~";
      } else if (is_free && (i == first || cycle % 10 == 0)) {
        ruler.resize(width, ' ');
        ruler += std::to_string(cycle);
      }
      width += column.width;
    }
    page_ += std::string("cycle").append(label_width_ - 5, ' ') + ruler + "\n";
  }

  void add_line(const Row& row, std::size_t first, std::size_t last)
  {
    std::string line = row.label + std::string(label_width_ - row.label.size(), ' ');
    std::string_view colour;
    for (std::size_t i = first; i < last; ++i) {
      const Column& column = columns_[i];
      const char cell = row.cells[column.cycle];
      const std::string_view wanted = row.label.starts_with("  ") ? colour_of(cell) : std::string_view{};
      if (options_.colour && wanted != colour) {
        if (!colour.empty()) line += "\x1b[0m";
        if (!wanted.empty()) line += "\x1b[" + std::string(wanted) + "m";
        colour = wanted;
      }
      line += column.folded == 1 ? std::string(1, cell) : std::string(column.width, cell == ' ' ? ' ' : '~');
    }
    if (!colour.empty() && options_.colour) line += "\x1b[0m";
    while (line.ends_with(' '))
      line.pop_back();
    page_ += line + "\n";
  }

  static std::string_view colour_of(char cell)
  {
    if (cell == arrival_mark) return style(WarpState::selected).terminal;
    for (const StateStyle& one : state_styles)
      if (one.letter == cell) return one.terminal;
    return {};
  }

  void add_legend()
  {
    page_ += "\n";
    for (const WarpStateInfo& state : warp_state_table) {
      if (!seen_[index_of(state.state)]) continue;
      const StateStyle& look = style(state.state);
      page_ += options_.colour ? "\x1b[" + std::string(look.terminal) + "m" + look.letter + "\x1b[0m"
                               : std::string(1, look.letter);
      page_ += " " + std::string(state.key) + ": " + std::string(state.doc) + "\n";
    }
    if (has_arrivals_) page_ += std::string(1, arrival_mark) + " issued a barrier instruction\n";
    page_ += has_openings_ ? "[ launch of a block, ] its end, ^ a barrier of it opens; "
                           : "[ launch of a block, ] its end; ";
    page_ += "issues: the slot of the warp that issued, a for 10, b for 11 and so on; . nobody\n";
    if (std::any_of(columns_.begin(), columns_.end(), [](const Column& column) { return column.folded > 1; }))
      page_ += "~n~ n cycles in which nothing changes\n";
  }

  static constexpr char arrival_mark = 'A';

  const Timeline& timeline_;
  const TimelineTextOptions& options_;
  const Cycle from_;
  const std::size_t cycles_;
  std::vector<Row> rows_;
  std::vector<Column> columns_;
  std::size_t label_width_ = 0;
  std::array<bool, warp_state_count> seen_{};
  bool has_warps_ = false;
  bool has_arrivals_ = false;
  bool has_openings_ = false;
  std::string page_;
};

}  // namespace

std::string timeline_text(const Timeline& timeline, const TimelineTextOptions& options)
{
  return Page(timeline, options).text();
}

}  // namespace smsim

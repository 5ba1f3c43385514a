// What the page's drawings over time need of a run, in bounded memory however long the run is: gives itself
// to run_kernel as a listener and keeps
//
// - of all SMs, active warps, resident blocks and launches in a fixed number of columns; a column doubles its
//   width when the run outgrows them;
// - when each block was launched and ended; of the first SMs only, where there are too many blocks;
// - the states of one scheduler's warps in a window of cycles; of the run's middle, if the user names none;
// - how often each instruction was issued.
#pragma once

#include "trace/listener.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace smsim::html {

/// Sums over columns of equal width, as many as the run needs so far.
class Columns {
 public:
  static constexpr std::size_t most = 512;

  struct Column {
    std::uint64_t active_warp_cycles = 0;
    std::uint64_t block_cycles = 0;  ///< of resident blocks
    std::uint64_t launches = 0;
  };

  /// From `from` until `until` there were so many.
  void add(Cycle from, Cycle until, std::uint64_t active_warps, std::uint64_t blocks);
  void add_launch(Cycle at);

  [[nodiscard]] std::uint64_t width() const { return width_; }
  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }

 private:
  Column& column_of(std::uint64_t cycle);

  std::uint64_t width_ = 1;
  std::vector<Column> columns_;
};

/// Of one block.
struct BlockSpan {
  std::uint32_t sm = 0;
  std::uint64_t block = 0;
  std::uint64_t launched = 0;
  std::optional<std::uint64_t> ended;  ///< nothing where the run was cut short
};

/// Which scheduler's warps the timeline shows, and when.
struct WindowChoice {
  std::uint32_t sm = 0;
  std::uint32_t sub_partition = 0;
  std::uint64_t cycles = 1000;
  std::optional<std::uint64_t> start;  ///< nothing: somewhere in the middle of the run
};

/// The states of a scheduler's warps from `start` until `end`.
struct Window {
  static constexpr std::size_t most_steps = 20'000;

  std::uint64_t start = 0;
  std::uint64_t end = 0;
  bool is_full = false;  ///< it ends early: it holds as many steps as the page may
  struct Step {
    std::uint64_t cycle = 0;
    std::uint32_t slot = 0;
    std::optional<WarpState> state;
    std::uint64_t block = 0;
    std::uint32_t warp = 0;
  };
  std::vector<Step> before;  ///< what holds at `start`, by slot
  std::vector<Step> steps;   ///< in the order of time
};

class Recording : public TraceListener {
 public:
  static constexpr std::size_t most_blocks = 4'000;

  explicit Recording(const WindowChoice& choice) : choice_(choice) {}

  void begin(const TraceRun& run) override;
  void on(const CounterSample& sample) override;
  void on(const BlockLaunch& launch) override;
  void on(const BlockEnd& end) override;
  void on(const InstructionIssue& issue) override;
  void on(const WarpStep& step) override;
  void end(Cycle end) override;

  [[nodiscard]] const Columns& columns() const { return columns_; }
  /// Of SMs below sms_with_blocks(), in the order of SMs and launches. If even those of one SM are too many,
  /// its first.
  [[nodiscard]] const std::vector<BlockSpan>& blocks() const { return blocks_; }
  [[nodiscard]] std::uint32_t sms_with_blocks() const { return sm_limit_; }
  [[nodiscard]] const WindowChoice& choice() const { return choice_; }
  [[nodiscard]] const Window& window() const { return windows_.front(); }
  /// Of each instruction, by pc.
  [[nodiscard]] const std::vector<std::uint64_t>& issues() const { return issues_; }
  [[nodiscard]] const std::vector<std::string>& instructions() const { return instructions_; }

 private:
  void next_window();
  void keep(BlockSpan span);

  WindowChoice choice_;
  Columns columns_;
  struct Open {
    Cycle since{0};
    std::uint32_t active = 0;
    std::uint32_t blocks = 0;
  };
  std::vector<Open> open_;  ///< by SM: the last sample
  std::vector<BlockSpan> blocks_;
  std::vector<std::vector<BlockSpan>> resident_;  ///< by SM: launched, not ended
  std::uint32_t sm_limit_ = 0;
  std::vector<Window> windows_;        ///< up to three, the oldest first; at the end the one that is shown
  std::vector<Window::Step> current_;  ///< by slot
  std::vector<std::uint64_t> issues_;
  std::vector<std::string> instructions_;
};

}  // namespace smsim::html

// What the schedulers of one SM did in a window of cycles, gathered to be drawn: as text in a terminal
// (timeline_text) or as a picture (timeline_svg). It keeps the window only, whatever the run's length.
#pragma once

#include "trace/listener.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace smsim {

struct TimelineChoice {
  std::uint32_t sm = 0;
  std::vector<std::uint32_t> sub_partitions;  ///< in order
  std::vector<std::uint32_t> slots;           ///< warp slots of each; empty: all
  Cycle from{0};
  Cycle until{0};  ///< not included
};

class Timeline final : public TraceListener {
 public:
  explicit Timeline(TimelineChoice choice) : choice_(std::move(choice)) {}

  struct Warp {
    TracedWarp warp;
    std::vector<WarpSpan> spans;  ///< cut at the window, in order
    std::vector<Cycle> arrivals;  ///< at barriers
  };
  struct Block {
    BlockId block{0};
    Cycle launched{0};
    std::optional<Cycle> ended;   ///< none: not before the window's end
    std::vector<Cycle> openings;  ///< of its barriers
  };

  using TraceListener::on;
  void begin(const TraceRun& run) override { run_ = run; }
  [[nodiscard]] bool wants(std::uint32_t sm) const override { return sm == choice_.sm; }
  void on(const WarpSpan& span) override;
  void on(const InstructionIssue& issue) override;
  void on(const BlockLaunch& launch) override;
  void on(const BlockEnd& end) override;
  void on(const BarrierArrival& arrival) override;
  void on(const BarrierOpening& opening) override;
  /// The window ends with the run.
  void end(Cycle end) override { choice_.until = std::min(choice_.until, end); }

  [[nodiscard]] const TraceRun& run() const { return run_; }
  [[nodiscard]] const TimelineChoice& choice() const { return choice_; }
  /// Those of a sub-partition, block by block.
  [[nodiscard]] std::vector<const Warp*> warps(std::uint32_t sub_partition) const;
  [[nodiscard]] const Block& block(BlockId block) const { return blocks_.at(block); }
  /// Every issue of the sub-partition in the window, in order.
  [[nodiscard]] const std::vector<InstructionIssue>& issues(std::uint32_t sub_partition) const;

 private:
  [[nodiscard]] bool shows(const TracedWarp& warp) const;
  [[nodiscard]] bool is_inside(Cycle cycle) const { return cycle >= choice_.from && cycle < choice_.until; }
  Warp& warp_of(const TracedWarp& warp);

  TimelineChoice choice_;
  TraceRun run_;
  std::map<std::tuple<std::uint32_t, BlockId, std::uint32_t>, Warp> warps_;  ///< sub-partition, block, warp
  std::map<BlockId, Block> blocks_;  ///< that were resident in the window, or may be
  std::map<std::uint32_t, std::vector<InstructionIssue>> issues_;
};

struct TimelineTextOptions {
  std::uint32_t width = 120;  ///< columns of a line; a longer window goes on below
  std::uint32_t fold = 16;    ///< so many columns that are alike are folded; 0: none are
  bool colour = false;
};

/// One row a warp, one column a cycle.
std::string timeline_text(const Timeline& timeline, const TimelineTextOptions& options);

/// The same as a picture.
std::string timeline_svg(const Timeline& timeline);

}  // namespace smsim

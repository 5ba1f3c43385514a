// Traces of slices and counters, whatever the format: a process for each SM; in it a row for the kernel, one
// for each warp slot and one for each block that is resident at a time, and counters.
//
//   kernel row    the kernel's name, from the first cycle to the last
//   warp slot     "block 3 warp 2" from its launch until it leaves, and in that its states
//   block         "block 3" from its launch to its end, and in that "launch" until a warp of it has issued
#pragma once

#include "trace/trace_file.h"
#include "trace/trace_writer.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace smsim {

/// How slices and counters are written. Of two slices of a row that begin in one cycle the outer comes first;
/// of two that end in one the inner.
class SliceFormat {
 public:
  SliceFormat() = default;
  SliceFormat(const SliceFormat&) = delete;
  SliceFormat& operator=(const SliceFormat&) = delete;
  virtual ~SliceFormat() = default;

  virtual void begin(TraceFile& file, const TraceRun& run) = 0;
  virtual void name_sm(TraceFile& file, std::uint32_t sm) = 0;
  virtual void name_row(TraceFile& file, std::uint32_t sm, std::uint32_t row, std::string_view name) = 0;
  virtual void open(TraceFile& file, std::uint32_t sm, std::uint32_t row, std::string_view name,
                    Cycle at) = 0;
  virtual void close(TraceFile& file, std::uint32_t sm, std::uint32_t row, Cycle at) = 0;
  virtual void state(TraceFile& file, std::uint32_t sm, std::uint32_t row, WarpState state, Cycle from,
                     Cycle until) = 0;
  virtual void counter(TraceFile& file, std::uint32_t sm, std::size_t which, Cycle at,
                       std::uint32_t value) = 0;
  virtual void end(TraceFile& file) = 0;
};

/// Of SmCounters, in this order: what is counted of what.
struct CounterName {
  std::string_view name;
  std::string_view unit;
};
inline constexpr std::array<CounterName, 6> counter_names{{{"active", "warps"},
                                                           {"eligible", "warps"},
                                                           {"issued", "warps"},
                                                           {"resident", "blocks"},
                                                           {"queued", "accesses"},
                                                           {"in flight", "accesses"}}};

class SliceTrace final : public TraceWriter {
 public:
  SliceTrace(const TraceOptions& options, std::unique_ptr<SliceFormat> format);

  using TraceListener::on;
  void begin(const TraceRun& run) override;
  [[nodiscard]] bool is_done(std::uint32_t sm) const override
  {
    return sms_[sm].stage == Stage::behind || is_cut();
  }
  void on(const WarpStep& step) override;
  void on(const WarpSpan& span) override;
  void on(const InstructionIssue& issue) override;
  void on(const BlockLaunch& launch) override;
  void on(const BlockEnd& end) override;
  void on(const CounterSample& sample) override;
  void reached(std::uint32_t sm, Cycle now) override;
  void end(Cycle end) override;

 private:
  /// A row that is not a warp slot: of a resident block.
  struct Lane {
    bool used = false;
    bool launching = false;
    BlockId block{0};
  };
  struct Slot {
    bool used = false;
    TracedWarp warp;
    std::uint32_t lane = 0;
  };
  enum class Stage : std::uint8_t { before, inside, behind };  ///< the window
  struct SmView {
    Stage stage = Stage::before;
    Cycle now{0};
    std::vector<Slot> slots;
    std::vector<Lane> lanes;
    std::size_t named_lanes = 0;
    SmCounters counters;
  };

  [[nodiscard]] std::uint32_t slot_of(const TracedWarp& warp) const
  {
    return warp.sub_partition * run_.slots + warp.slot;
  }
  [[nodiscard]] std::uint32_t row_of_slot(std::uint32_t slot) const { return 1 + slot; }
  [[nodiscard]] std::uint32_t row_of_lane(std::uint32_t lane) const
  {
    return 1 + run_.sub_partitions * run_.slots + lane;
  }
  bool advance(std::uint32_t sm, Cycle now);
  void enter_window(std::uint32_t sm);
  void leave_window(std::uint32_t sm, Cycle at);
  void open_block(std::uint32_t sm, std::uint32_t lane, Cycle at);
  void open_warp(std::uint32_t sm, std::uint32_t slot, Cycle at);
  void open(std::uint32_t sm, std::uint32_t row, std::string_view name, Cycle at);
  void write_counters(std::uint32_t sm, const SmCounters& counters, Cycle at, bool all);

  std::unique_ptr<SliceFormat> format_;
  TraceFile file_;
  TraceRun run_;
  std::vector<SmView> sms_;
};

}  // namespace smsim

// The log of the Konata pipeline viewer (Kanata 0004), of one SM: a row for each instruction of each warp.
//
//   lane 0   W, the warp waits to issue it; I, it issues; X, its result is on its way
//   lane 1   what the warp is charged while it waits, by the names of the states
//
// A row that ends without an issue (R with type 1, as for a flushed instruction) is what a warp waited for
// that then left, or that was still waiting at the end.
// Source: docs/kanata-log-format.md of github.com/shioyadan/Konata.
#pragma once

#include "trace/trace_file.h"
#include "trace/trace_writer.h"

#include <string>
#include <vector>

namespace smsim {

class KonataTrace final : public TraceWriter {
 public:
  explicit KonataTrace(const TraceOptions& options);

  using TraceListener::on;
  void begin(const TraceRun& run) override;
  [[nodiscard]] bool wants(std::uint32_t sm) const override { return sm == sm_; }
  [[nodiscard]] bool is_done(std::uint32_t /*sm*/) const override { return stage_ == Stage::behind; }
  void on(const WarpStep& step) override;
  void on(const InstructionIssue& issue) override;
  void reached(std::uint32_t sm, Cycle now) override;
  void end(Cycle end) override;

 private:
  struct Slot {
    TracedWarp warp;
    std::optional<WarpState> state;
    bool has_row = false;  ///< of the instruction that it waits to issue
    std::uint64_t row = 0;
    bool in_lane = false;  ///< `state` stands in lane 1
  };
  /// What is to be written of an instruction that has issued.
  struct Later {
    Cycle cycle;
    std::uint64_t order;
    std::uint64_t row;
    bool retires;  ///< else its issue is over
    Cycle ready;
    friend auto operator<=>(const Later& a, const Later& b)
    {
      return std::pair(a.cycle, a.order) <=> std::pair(b.cycle, b.order);
    }
  };

  [[nodiscard]] std::size_t slot_of(const TracedWarp& warp) const
  {
    return std::size_t{warp.sub_partition} * run_.slots + warp.slot;
  }
  bool advance(Cycle now);
  void go_to(Cycle cycle);
  void finish_until(Cycle now);
  void add_later(Cycle cycle, std::uint64_t row, bool retires, Cycle ready);
  void close_all(Cycle at);
  bool open_row(Slot& slot, Cycle now);
  void open_lane(Slot& slot);
  void close_lane(Slot& slot);
  void line(char command, std::uint64_t row, std::string_view rest);
  void stage(char command, std::uint64_t row, char lane, std::string_view name);
  void retire(std::uint64_t row, bool issued);

  std::uint32_t sm_;
  TraceFile file_;
  TraceRun run_;
  enum class Stage : std::uint8_t { before, inside, behind };  ///< the window
  Stage stage_ = Stage::before;
  Cycle now_{0};      ///< in the model
  Cycle written_{0};  ///< in the file
  std::vector<Slot> slots_;
  std::vector<Later> later_;  ///< a heap
  std::uint64_t order_ = 0;
  std::uint64_t rows_ = 0;
  std::uint64_t retired_ = 0;
};

}  // namespace smsim

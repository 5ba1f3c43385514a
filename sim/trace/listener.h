// Who wants to know what happens in a run derives from this and gives itself to run_kernel (RunOptions).
//
// Events of one SM come in the order of their cycles (a span at its end). In a cycle they come in this order:
// warps that leave, ends of blocks, launches, barriers that open, new states of warps, issues, accesses,
// arrivals at barriers, the counters. SMs take turns, always in the same way, each some way ahead: a
// run with a listener is simulated on one thread. Nothing that a listener does changes a result; what it
// throws ends the run.
#pragma once

#include "trace/sm_events.h"

namespace smsim {

class TraceListener {
 public:
  TraceListener() = default;
  TraceListener(const TraceListener&) = delete;
  TraceListener& operator=(const TraceListener&) = delete;
  virtual ~TraceListener() = default;

  /// Before anything else.
  virtual void begin(const TraceRun&) {}
  /// Whether it wants this SM's events; one that it does not want costs nothing.
  [[nodiscard]] virtual bool wants(std::uint32_t /*sm*/) const { return true; }
  /// Whether it has heard enough of this SM. It is asked now and then; the SM's last spans are cut then, and
  /// from there on it costs nothing.
  [[nodiscard]] virtual bool is_done(std::uint32_t /*sm*/) const { return false; }

  /// The same twice: as a warp goes on, and when it is known how long it was in a state. A run that is cut
  /// short has its last spans cut.
  virtual void on(const WarpStep&) {}
  virtual void on(const WarpSpan&) {}
  virtual void on(const InstructionIssue&) {}
  virtual void on(const MemoryAccess&) {}
  virtual void on(const BlockLaunch&) {}
  virtual void on(const BlockEnd&) {}
  virtual void on(const BarrierArrival&) {}
  virtual void on(const BarrierOpening&) {}
  virtual void on(const CounterSample&) {}

  /// All events of the SM before `now` have come.
  virtual void reached(std::uint32_t /*sm*/, Cycle /*now*/) {}
  /// After everything else, when the run has ended at `end` or was cut short there.
  virtual void end(Cycle /*end*/) {}
};

}  // namespace smsim

// What happens on an SM, as plain values: the model emits them, listeners read them (listener.h).
//
// Every event names its SM, and its cycle or its first. A warp slot is known by (sub-partition, slot).
#pragma once

#include "base/ids.h"
#include "stats/warp_states.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace smsim {

/// What a listener may want to know of a run before it starts.
struct TraceRun {
  std::string kernel;
  std::string arch;
  std::string policy;
  std::uint64_t grid = 0;
  std::uint32_t sms = 0;
  std::uint32_t sub_partitions = 0;       ///< of an SM
  std::uint32_t slots = 0;                ///< warp slots of a sub-partition
  std::uint64_t blocks_per_sm = 0;        ///< that theory allows
  std::vector<std::string> instructions;  ///< by pc: mnemonic and operands
};

/// A warp slot of an SM, and the warp in it.
struct TracedWarp {
  std::uint32_t sm = 0;
  std::uint32_t sub_partition = 0;
  std::uint32_t slot = 0;
  BlockId block{0};
  std::uint32_t warp = 0;  ///< of its block
};

/// The warp comes into another state at `cycle`; no state: it has left, its last active cycle was the one
/// before.
struct WarpStep {
  TracedWarp warp;
  Cycle cycle{0};
  std::optional<WarpState> state;
};

/// The warp was in `state` from `from` until (not including) `until`, and in another one, or none, before and
/// after.
struct WarpSpan {
  TracedWarp warp;
  WarpState state = WarpState::wait;
  Cycle from{0};
  Cycle until{0};
};

/// The warp issued the instruction at `pc` for `lanes` lanes; its result is readable at `ready`.
struct InstructionIssue {
  TracedWarp warp;
  Cycle cycle{0};
  std::uint32_t pc = 0;
  std::uint32_t lanes = 0;
  Cycle ready{0};
};

/// The same for an instruction that went through the memory queue: it left at `departure`.
struct MemoryAccess {
  TracedWarp warp;
  Cycle cycle{0};
  std::uint32_t pc = 0;
  Cycle departure{0};
  Cycle ready{0};
  bool shared = false;  ///< shared memory; else global or local
};

/// A block came at `cycle`; warp w of it is in warps[w].
struct BlockLaunch {
  std::uint32_t sm = 0;
  BlockId block{0};
  Cycle cycle{0};
  std::span<const TracedWarp> warps;  ///< only during the call
};

/// A block that was launched at `launched` has ended at `cycle`: its slots are free then.
struct BlockEnd {
  std::uint32_t sm = 0;
  BlockId block{0};
  Cycle launched{0};
  Cycle cycle{0};
};

/// The warp arrived at a barrier; with `waits`, it goes on when that opens.
struct BarrierArrival {
  TracedWarp warp;
  Cycle cycle{0};
  std::uint32_t barrier = 0;
  bool waits = true;
};

/// A block's barrier opens: from `cycle` on its warps may issue.
struct BarrierOpening {
  std::uint32_t sm = 0;
  BlockId block{0};
  std::uint32_t barrier = 0;
  Cycle cycle{0};
};

/// What holds on an SM from `cycle` on, until the next sample of the SM: one of them has changed.
struct SmCounters {
  std::uint32_t active = 0;    ///< warps
  std::uint32_t eligible = 0;  ///< warps: selected or not_selected
  std::uint32_t issued = 0;    ///< warps: selected
  std::uint32_t resident_blocks = 0;
  std::uint32_t queued = 0;     ///< accesses in the memory queues of its sub-partitions
  std::uint32_t in_flight = 0;  ///< global and local accesses that are not done
  friend bool operator==(const SmCounters&, const SmCounters&) = default;
};
struct CounterSample {
  std::uint32_t sm = 0;
  Cycle cycle{0};
  SmCounters counters;
};

}  // namespace smsim

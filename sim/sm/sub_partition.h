// One sub-partition: its warps, its scheduler, its math pipes, its register ports and its memory queue.
//
// In a cycle the SM calls, in this order: retire (wake-ups and exits due now), launch (for each warp that the
// dispatcher places), issue. Between two calls nothing happens that it would have to see, except that a unit
// of the SM becomes busy: the SM then tells it (unit_taken). It never reads another sub-partition.
//
// A warp is in exactly one place: in an issue group (only a unit or the scheduler keeps it from issuing), in
// the wake queue (its own results or stall count do), at a barrier, or leaving.
#pragma once

#include "sm/bound_program.h"
#include "sm/global_memory.h"
#include "sm/instruction_cache.h"
#include "sm/issue_group.h"
#include "sm/memory_queue.h"
#include "sm/program_walk.h"
#include "sm/register_ports.h"
#include "sm/resources.h"
#include "sm/scoreboard.h"
#include "sm/wake_queue.h"
#include "sm/warp.h"
#include "sm/warp_scheduler/warp_scheduler.h"
#include "trace/sm_recorder.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace smsim {

/// What the sub-partitions of an SM share, as one of them sees it.
class SmUnits {
 public:
  SmUnits(const SmUnits&) = delete;
  SmUnits& operator=(const SmUnits&) = delete;
  virtual ~SmUnits() = default;

  /// A warp arrives at its block's barrier at `now`; the SM resumes every warp that this frees.
  virtual void arrive_at_barrier(Warp& warp, const BoundOp& op, Cycle now) = 0;
  /// A unit that the sub-partitions share will be busy until `free_at`.
  virtual void take_shared_unit(std::uint8_t group, Cycle free_at, SubPartitionIndex taker, Cycle now) = 0;

  /// The last access has changed L1: the SM tells the sub-partitions whose warps it concerns.
  virtual void tell_l1_changes(Cycle now) = 0;

  MemoryStage memory_stage;
  GlobalMemory memory;
  OutstandingLimit outstanding;
  std::unique_ptr<SmRecorder> trace;  ///< null where nobody listens

 protected:
  SmUnits(GlobalMemory sm_memory, const MemoryConfig& config, std::unique_ptr<SmRecorder> recorder)
      : memory(std::move(sm_memory)), outstanding(config.max_outstanding), trace(std::move(recorder))
  {
  }
};

class SubPartition {
 public:
  SubPartition(const ArchConfig& arch, const BoundProgram& program, std::uint64_t seed,
               SubPartitionIndex index, SmUnits& sm, std::unique_ptr<WarpScheduler> scheduler);

  /// Launches a warp of `lanes` threads into a free slot at `now`; it may issue from `may_issue` on. `trace`
  /// is what the block's warps execute, where that was traced.
  WarpSlot launch(BlockId block, std::uint32_t warp_in_block, std::uint32_t lanes, std::uint32_t block_slot,
                  Cycle now, Cycle may_issue, const std::shared_ptr<const TraceBlock>& trace);

  /// Retire phase: takes the wake-ups due at `now`. Warps that leave are appended to `left`.
  void retire(Cycle now, std::vector<WarpSlot>& left);

  /// Issue phase: lets at most one warp issue. If that is a memory access, complete_access must follow in
  /// this cycle, when all sub-partitions have been visited.
  void issue(Cycle now);
  [[nodiscard]] bool has_pending_access() const { return pending_.has_value(); }
  /// When the pending access could leave the queue as far as this sub-partition decides.
  [[nodiscard]] Cycle access_ready() const { return queue_.earliest(pending_->allocated); }
  void complete_access(Cycle now);

  /// Frees the slot of a warp that has left.
  void free_slot(WarpSlot slot) { used_ &= ~bit(slot); }

  /// The barrier that a warp waits at opens: it may issue from `opens` on. `now` is the cycle in which that
  /// became known; in its retire phase (`retiring`) the warp may still issue in `now`.
  void leave_barrier(WarpSlot slot, Cycle opens, Cycle now, bool retiring);

  /// Another sub-partition took a shared unit; this one's warps see it busy from `from` on, until `free_at`.
  void unit_taken(std::uint8_t group, Cycle free_at, Cycle from);

  /// An access changed a line of L1 that one of this one's warps had brought, or brings.
  void l1_changed(const L1Change& change, Cycle now);

  /// Charges every warp for the cycles up to (not including) `end`: at the end of a run, and when a listener
  /// is to know of them.
  void charge_all(Cycle end);
  void stop_tracing() { trace_ = nullptr; }

  /// The next cycle in which retire or issue has something to do, seen from the end of `now`.
  [[nodiscard]] Cycle next_event() const { return next_event_; }

  [[nodiscard]] Warp& warp(WarpSlot slot) { return warps_[slot.value()]; }
  [[nodiscard]] const Warp& warp(WarpSlot slot) const { return warps_[slot.value()]; }
  [[nodiscard]] const StateCycles& states() const { return states_; }
  [[nodiscard]] std::uint64_t eligible_cycles() const { return eligible_cycles_; }
  /// Instructions times their active lanes.
  [[nodiscard]] std::uint64_t thread_instructions() const { return thread_instructions_; }
  /// By math pipe, for how long its instructions took it.
  [[nodiscard]] const std::vector<std::uint64_t>& pipe_cycles() const { return pipe_cycles_; }

 private:
  WarpSlot pick(WarpMask eligible, Cycle now);
  void end_rest(Cycle now);
  void execute(WarpSlot slot, Cycle now);
  void use_pipe(const BoundOp& op, Cycle now, Cycle allocated);
  /// The rest of an issue, when it is known that the result is readable at `ready` and the sources have been
  /// read.
  void after_issue(WarpSlot slot, const BoundOp& op, Cycle now, Cycle ready, Cycle sources_read);
  Cycle access_global(WarpSlot slot, const BoundOp& op, Cycle departure, Cycle now);
  void tell_wait(WarpSlot slot, Cycle now);
  void hold_back(Warp& warp, const BoundOp& op, Cycle now);
  void fetch(Warp& warp, Cycle at);
  void update_memory_groups(Cycle now);
  void set_free_at(std::uint8_t group, Cycle free_at, Cycle from);
  void leave(WarpSlot slot, Cycle now);
  void recheck(Cycle now);

  /// How a warp that may issue from `from` on comes into its group: now, or by a wake-up at `from`.
  enum class Entry { at_once, by_wake_up };
  /// Puts a running warp where it belongs, given its holds and what its next instruction waits for. It does
  /// not issue before `from`.
  void settle(WarpSlot slot, Cycle from, Entry entry = Entry::at_once);
  /// The same behind an issue at `now`, out of group `number`, where only results can hold the warp back.
  void settle_plain(WarpSlot slot, std::uint8_t number, Cycle now);
  Verdict holds_of(const Warp& warp) const;
  ReadyKey add_results(Warp& warp, Cycle from, Verdict& verdict);
  /// The same for a warp with several paths.
  void settle_paths(WarpSlot slot, Cycle from, Entry entry);
  void weigh(Warp& warp, Cycle from);
  void choose_path(WarpSlot slot, Cycle from, Entry entry);
  bool draw_constant_miss(Warp& warp, const BoundOp& op);
  void enter_group(WarpSlot slot, Cycle from);
  void leave_group(WarpSlot slot, std::uint8_t number, Cycle from);
  void hold_issue(Cycle until, Cycle now);
  void charge(IssueGroup& group, Cycle until)
  {
    if (group.charged >= until) return;
    if (trace_) [[unlikely]]
      return charge_traced(group, until);
    group.charge(until, dispatch_free_, states_);
  }
  void charge_groups(Cycle until);
  void charge_verdict(Warp& warp, Cycle end);
  /// The rest of these where somebody listens (sub_partition_trace.cpp).
  [[gnu::cold]] void charge_traced(IssueGroup& group, Cycle until);
  [[gnu::cold]] void charge_traced(Warp& warp, Cycle end);
  void trace_charge(WarpSlot slot, WarpState state, Cycle from, Cycle until);
  [[gnu::cold]] void trace_selected(WarpSlot slot, Cycle now);
  [[gnu::cold]] void trace_issue(WarpSlot slot, Cycle now, Cycle ready, Cycle departure);

  void schedule_next(Cycle now);

  const ArchConfig& arch_;
  const BoundProgram& program_;
  const IssueGroups numbers_;
  const std::uint64_t seed_;
  const SubPartitionIndex index_;
  SmUnits& sm_;
  SmRecorder* trace_;  ///< null where nobody listens
  std::unique_ptr<WarpScheduler> scheduler_;
  std::uint64_t declines_ = 0;  ///< of the scheduler, in a row
  bool may_rest_ = false;       ///< who declines is asked again when other warps can issue than before
  std::optional<Cycle> resting_since_;  ///< cycles from here on are counted when the scheduler is asked again

  std::vector<Warp> warps_;
  std::vector<std::uint64_t> scoreboards_;
  std::vector<std::uint64_t> repetitions_;
  ProgramWalk walk_;
  WarpMask used_ = 0;  ///< slots that are allocated
  WarpMask all_slots_;
  AgeOrder age_;

  std::vector<IssueGroup> groups_;
  std::uint64_t occupied_groups_ = 0;  ///< bit g: groups_[g] has warps
  WakeQueue wake_;
  RegisterPorts ports_;
  MemoryQueue queue_;
  InstructionCache instructions_;
  /// Warps in a group that lose their turn in the next even, odd cycle: a counter becomes visible to them.
  std::array<WarpMask, 2> recheck_{};
  struct PendingAccess {
    WarpSlot slot;
    Cycle allocated;
  };
  std::optional<PendingAccess> pending_;
  Cycle outstanding_free_{0};
  Cycle dispatch_free_{0};        ///< nothing issues before
  std::optional<WarpSlot> last_;  ///< the warp that issued last, if a switch costs; no_warp: it has left
  Cycle next_event_ = never;

  StateCycles states_{};
  std::uint64_t eligible_cycles_ = 0;
  std::uint64_t thread_instructions_ = 0;
  std::vector<std::uint64_t> pipe_cycles_;
};

}  // namespace smsim

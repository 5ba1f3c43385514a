// One SM of the plain engine: every cycle, every warp, every rule of docs/model.md in its order.
//
// It shares with the event engine what is only asked when an instruction issues (register ports, memory queue
// and levels), the placement of blocks and the policies. Time, eligibility, states, barriers, loops and
// accounting are written again, as simply as can be: nothing is kept from one cycle to the next that the
// rules do not name.
#pragma once

#include "engine/run_plan.h"
#include "sm/scoreboard.h"

#include <deque>
#include <optional>

namespace smsim {

/// A loop or a split that a path is in.
struct PlainRegion {
  std::uint32_t region;
  std::uint64_t left = 0;        ///< loop: runs of the body still to come, the present one included
  bool reached = false;          ///< loop: an instruction was issued in the present run
  bool in_else = false;          ///< split
  std::uint32_t else_lanes = 0;  ///< split, stack: lanes that take the other side later
  std::uint32_t through = 0;     ///< split, stack: lanes that are through
};

/// Lanes that go together.
struct PlainPath {
  std::uint64_t id = 0;  ///< of its warp's paths
  std::uint32_t pc = 0;
  std::uint32_t last_place = 0;  ///< of its last instruction in the code
  std::uint32_t lanes = 0;
  std::vector<PlainRegion> regions;
  bool at_join = false;         ///< behind the innermost split, waiting for others
  bool moved = false;           ///< in the present cycle
  std::vector<ReadyKey> ready;  ///< by dense register: when it is readable, what is charged until then
  Cycle fence_until{0};
  Cycle sleeps_until{0};
  Cycle fetched{0};  ///< launch latency, instruction cache
  Cycle branch_until{0};
  Cycle stalled_until{0};
  WarpState stall_state = WarpState::wait;
  DependenceCounters counters;
  bool constant_misses = false;  ///< drawn for the next instruction, and not yet waited for
  Cycle constant_there{0};
};

struct PlainWarp {
  TraceCursor trace;  ///< of a traced program
  bool allocated = false;
  bool active = false;
  BlockId block{0};
  std::uint32_t warp_in_block = 0;
  std::uint32_t resident_block = 0;
  std::vector<PlainPath> paths;  ///< one; more if it has diverged; none when its program is over
  std::size_t on = 0;            ///< the path that it is on
  std::uint64_t last_id = 0;
  bool lanes_changed = false;        ///< in the last walk: others are active than before
  std::vector<std::uint64_t> drawn;  ///< by draw site
  int barrier = -1;                  ///< that it has arrived at
  Cycle opens{0};
  Cycle may_issue{0};  ///< launch latency
  bool ended = false;  ///< its program is over
  Cycle leaves{0};
  Cycle accesses_done{0};
  std::uint64_t issued = 0;
};

struct PlainBarrier {
  std::uint32_t arrived = 0;
  std::uint32_t expected = 0;
  Cycle last_arrival{0};
  std::uint32_t latency = 0;
};

struct WarpPlace {
  SubPartitionIndex part;
  WarpSlot slot;
};

struct PlainBlock {
  bool resident = false;
  BlockId id{0};
  Cycle launched{0};
  std::vector<WarpPlace> warps;
  std::vector<PlainBarrier> barriers;
  std::uint32_t live = 0;
};

struct PlainPart {
  explicit PlainPart(const RunInputs& in)
      : warps(in.arch.warps_per_sub_partition()), pipe_free(in.arch.pipes.size(), Cycle{0}),
        pipe_cycles(in.arch.pipes.size()), ports(in.arch.register_file), queue(in.arch.memory),
        instructions(in.arch.instruction_supply), scheduler(in.make_scheduler())
  {
  }

  std::vector<PlainWarp> warps;
  std::vector<Cycle> pipe_free;
  std::vector<std::uint64_t> pipe_cycles;
  RegisterPorts ports;
  MemoryQueue queue;
  InstructionCache instructions;
  std::shared_ptr<WarpScheduler> scheduler;  ///< a copy of an SM asks the same one
  std::uint64_t declines = 0;                ///< of the scheduler, in a row
  AgeOrder age;
  Cycle dispatch_free{0};
  std::optional<WarpSlot> last;       ///< the warp that issued last; no_warp: it has left
  std::vector<WarpState> this_cycle;  ///< by slot, what each active warp was in this cycle
  StateCycles states{};
  std::uint64_t eligible_cycles = 0;
  std::uint64_t thread_instructions = 0;
  struct PendingAccess {
    WarpSlot slot;
    Cycle allocated;
  };
  std::optional<PendingAccess> access;  ///< issued in this cycle, not yet in the queue
};

class PlainSm {
 public:
  explicit PlainSm(const RunInputs& inputs);

  SmResult result;

  /// Phase 1 of a cycle: retire.
  void retire(Cycle now);

  /// Phase 2 of a cycle: dispatch.
  [[nodiscard]] bool may_launch(Cycle now) const { return now >= next_launch_; }
  /// Blocks that fit at once, up to `most`.
  [[nodiscard]] std::uint32_t room(std::uint32_t most) const;
  void launch(BlockId id, Cycle now);

  /// Phase 3 of a cycle: issue.
  bool issue(Cycle now);

  /// Phase 4 of a cycle: account.
  void account();

  [[nodiscard]] bool empty() const { return resident_ == 0; }

  /// Whether something can still happen by itself: a warp goes on unless it is at a barrier.
  [[nodiscard]] bool alive() const;

  /// The last block of the grid was launched in this cycle.
  void start_tail();
  void finish();

  [[nodiscard]] std::vector<WarpReport> waiting_warps() const;

  // plain_key.cpp, for the search of the best schedule
  /// How far a warp is, and before which cycle it does not issue again, or leave.
  struct Progress {
    BlockId block;
    std::uint32_t warp_in_block;
    std::uint64_t issued;
    bool ended;
    Cycle earliest;
  };
  [[nodiscard]] std::vector<Progress> progress(Cycle now) const;
  /// What the future depends on, at the issue phase of the key's cycle. `exchangeable`: it does not matter
  /// which of several equal warps is which.
  void append_to(StateKey& key, bool exchangeable) const;

 private:
  PlainWarp& warp_at(const WarpPlace& place) { return parts_[place.part].warps[place.slot.value()]; }

  void after_exit(const WarpPlace& place, Cycle now);

  WarpPlace launch_warp(SubPartitionIndex p, BlockId id, std::uint32_t warp_in_block,
                        std::uint32_t resident_block, Cycle now,
                        const std::shared_ptr<const TraceBlock>& trace);

  bool visit_sub_partition(SubPartitionIndex p, Cycle now);

  /// Why a warp cannot issue in this cycle; not_selected if it can. Lets it turn to another path.
  [[nodiscard]] WarpState state_of(PlainPart& part, WarpSlot slot, Cycle now);
  /// What a path waits for of its own accord.
  [[nodiscard]] std::optional<WarpState> own_wait(PlainPath& path, Cycle now) const;
  [[nodiscard]] std::optional<WarpState> unit_wait(const PlainPart& part, const BoundOp& op, Cycle now);
  [[nodiscard]] ReadyKey last_result(const PlainPath& path, const BoundOp& op, Cycle now) const;
  /// Draws whether the next instruction's immediate constant misses.
  void draw_constant(PlainWarp& warp, PlainPath& path) const;
  /// Fetches and draws for the paths that have come to another instruction.
  void arrive_at_instructions(PlainPart& part, PlainWarp& warp, Cycle at);

  void execute(SubPartitionIndex p, WarpSlot slot, Cycle now);
  void complete_access(SubPartitionIndex p, Cycle now);
  void tell_l1_changes(Cycle now);
  /// Tells the policy what the warp that issued at `now` waits for, of its stall count and of results.
  void tell_wait(PlainPart& part, WarpSlot slot, Cycle now) const;
  void after_issue(SubPartitionIndex p, WarpSlot slot, Cycle now, Cycle ready, Cycle sources_read);

  void end(PlainWarp& warp, Cycle earliest);

  void arrive(PlainWarp& warp, const BoundOp& op, Cycle now);

  void open_if_complete(PlainBlock& block, int number, Cycle now);

  // plain_walk.cpp
  /// Brings a path of the warp to a position of the program; regions that end there repeat or are left, those
  /// that begin there are entered. What becomes of it is appended to the warp's paths.
  /// `next`: the first region that may be entered there.
  void walk(PlainWarp& warp, PlainPath path, std::uint32_t position, std::uint32_t next = 0);
  /// The same where the path is traced: to where the warp's trace is.
  void follow_trace(PlainWarp& warp, PlainPath path);
  bool leave_region(PlainWarp& warp, PlainPath& path, std::uint32_t& position);
  void enter_region(PlainWarp& warp, PlainPath& path, std::uint32_t region, std::uint32_t& position);
  /// The lanes of the path leave; others may go on.
  void exit_lanes(PlainWarp& warp, PlainPath path);
  /// The path that the warp is on goes on behind its instruction. True if other lanes are active now.
  bool advance(PlainWarp& warp, bool exits);

  const RunInputs& in_;
  Resources resources_;
  std::deque<PlainPart> parts_;
  std::deque<PlainBlock> blocks_;
  std::vector<Cycle> sm_pipe_free_;
  MemoryStage stage_;
  GlobalMemory memory_;
  OutstandingLimit outstanding_;
  Cycle next_launch_{0};
  std::uint64_t resident_ = 0;
  bool in_tail_ = false;
};

}  // namespace smsim

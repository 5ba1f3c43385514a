#include "engine/best_schedule.h"

#include "engine/issue_trace.h"
#include "engine/schedule_bound.h"
#include "sm/register_cap.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

namespace smsim {
namespace {

/// Whether it does not matter which of two warps in the same state is which.
bool warps_are_alike(const BoundProgram& program)
{
  return program.draw_sites == 0 && !program.uses_cache &&
         std::all_of(program.regions.begin(), program.regions.end(), [](const Region& region) {
           return region.kind == Region::Kind::loop && region.count.per == Varying::Per::all &&
                  !region.count.drawn;
         });
}

/// Whether an instruction that issues earlier delays none, in whatever order they issue: with one scheduler,
/// where nobody looks at what has just been raised and no warp turns to another path.
bool earlier_is_no_worse(const RunInputs& inputs)
{
  const std::vector<Region>& regions = inputs.program.regions;
  const bool splits = std::any_of(regions.begin(), regions.end(),
                                  [](const Region& r) { return r.kind == Region::Kind::split; });
  return inputs.arch.sm.sub_partitions == 1 && !inputs.program.uses_counters && !splits;
}

/// Lets in turn and writes down which positions each warp issues.
class StreamRecorder final : public WarpScheduler {
 public:
  using Streams = std::vector<std::vector<std::uint32_t>>;
  StreamRecorder(std::size_t positions, std::uint32_t warps_per_block, Streams& streams)
      : positions_(positions), warps_per_block_(warps_per_block), streams_(streams)
  {
  }
  [[nodiscard]] WarpSlot pick(const PickView& view) const override { return view.age.oldest(view.eligible); }
  void on_launch(WarpSlot slot, const LaunchInfo& info) override
  {
    warp_[slot.value()] = info.block.value() * warps_per_block_ + info.warp_in_block;
  }
  void on_issue(WarpSlot slot, const IssueInfo& info) override
  {
    streams_[warp_[slot.value()]].push_back(static_cast<std::uint32_t>(positions_ - 1 - info.remaining));
  }

 private:
  std::size_t positions_;
  std::uint32_t warps_per_block_;
  Streams& streams_;
  std::array<std::size_t, max_slots_per_sub_partition> warp_{};
};

/// Does what a list says.
class ScriptedPolicy final : public WarpScheduler {
 public:
  explicit ScriptedPolicy(std::vector<Issue> script) : script_(std::move(script)) {}
  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    const bool due = next_ < script_.size() && script_[next_].cycle == view.now.value();
    return due ? WarpSlot{script_[next_].slot} : no_warp;
  }
  void on_issue(WarpSlot, const IssueInfo&) override { ++next_; }

 private:
  std::vector<Issue> script_;
  std::size_t next_ = 0;
};

class Search {
 public:
  Search(const RunPlan& plan, const std::vector<std::vector<std::uint32_t>>& streams,
         const SearchLimits& limits)
      : inputs_(plan.inputs), order_(plan.launch_order()), grid_(plan.grid), limits_(limits),
        bound_(inputs_, streams), alike_(warps_are_alike(plan.inputs.program)),
        monotone_(earlier_is_no_worse(plan.inputs))
  {
    std::uint32_t next_part = 0;
    inputs_.make_scheduler = [this, next_part]() mutable {
      return std::make_unique<Chooser>(*this, next_part++);
    };
  }

  /// Improves on `best`, a schedule of so many cycles. The answer is a proved lower bound.
  std::uint64_t run(std::uint64_t& best_cycles, std::vector<Issue>& best)
  {
    const PlainSm start(inputs_);
    std::uint64_t lower = bound_.end(start, Cycle{0}, std::vector<bool>(grid_, false)).value();
    for (std::uint64_t step = 1; lower < best_cycles && !exhausted_; step *= 2) {
      const std::uint64_t tried = std::min(best_cycles - 1, lower + step - 1);
      allowed_ = tried;
      found_ = false;
      explore(std::make_unique<PlainSm>(start), Cycle{0}, std::vector<bool>(grid_, false), 0);
      if (found_) {
        best_cycles = allowed_ + 1;
        best = found_path_;
      }
      if (!exhausted_) lower = found_ ? best_cycles : tried + 1;
    }
    return std::min(lower, best_cycles);
  }

  std::uint64_t states = 0;
  std::uint64_t steps = 0;

 private:
  /// Answers from the script of the present cycle; behind its end it notes who could issue, and lets nobody.
  class Chooser final : public WarpScheduler {
   public:
    Chooser(Search& search, std::uint32_t part) : search_(search), part_(part) {}
    [[nodiscard]] WarpSlot pick(const PickView& view) const override
    {
      return search_.choose(part_, view.eligible);
    }

   private:
    Search& search_;
    std::uint32_t part_;
  };

  struct Choice {
    std::uint32_t part;
    WarpSlot slot;
  };

  WarpSlot choose(std::uint32_t part, WarpMask eligible)
  {
    if (answered_ < script_.size()) return script_[answered_++].slot;
    if (open_ == 0) {
      open_ = eligible;
      open_part_ = part;
    }
    return no_warp;
  }

  void issue(PlainSm& sm, Cycle now)
  {
    answered_ = 0;
    open_ = 0;
    sm.issue(now);
  }

  void dispatch(PlainSm& sm, Cycle now, std::vector<bool>& launched)
  {
    while (true) {
      const auto count = static_cast<std::uint64_t>(std::count(launched.begin(), launched.end(), true));
      if (count == grid_ || !sm.may_launch(now) || sm.room(1) == 0) return;
      const std::uint64_t block = order_[count];
      sm.launch(BlockId{block}, now);
      launched[block] = true;
    }
  }

  /// From the retire phase of `now` on. `passed_over`: since the last issue nobody issued while these could.
  /// To go on with one of them would be the same schedule, later; the wait was for another.
  void explore(std::unique_ptr<PlainSm> sm, Cycle now, std::vector<bool> launched, WarpMask passed_over)
  {
    for (;; ++now) {
      if (exhausted_ || now.value() > allowed_) return;
      exhausted_ = ++steps > limits_.steps;
      sm->retire(now);
      if (sm->empty() && std::find(launched.begin(), launched.end(), false) == launched.end()) {
        found_ = true;
        found_path_ = path_;
        allowed_ = now.value() - 1;
        return;
      }
      dispatch(*sm, now, launched);
      script_.clear();
      issue(*sm, now);
      if (open_ != 0) break;
      if (!sm->alive()) return;
    }
    // Nobody issued: the SM stands at this cycle's issue phase as before.
    if (bound_.end(*sm, now, launched).value() > allowed_) return;
    StateKey key(now);
    sm->append_to(key, alike_);
    if (!alike_ || grid_ > 1)
      key.number(static_cast<std::uint64_t>(std::count(launched.begin(), launched.end(), true)));
    if (passed_over != 0) key.number(passed_over);
    const auto known = refuted_.find(key.bytes());
    if (known != refuted_.end() && allowed_ - now.value() <= known->second) return;
    ++states;
    branch(*sm, now, launched, passed_over, {});
    if (exhausted_) return;
    // Nothing from here ends by now + this.
    std::uint64_t& cycles = refuted_[key.bytes()];
    if (allowed_ >= now.value()) cycles = std::max(cycles, allowed_ - now.value());
  }

  /// All ways to go on from a part of this cycle's choices.
  void branch(const PlainSm& before, Cycle now, const std::vector<bool>& launched, WarpMask passed_over,
              std::vector<Choice> script)
  {
    auto sm = std::make_unique<PlainSm>(before);
    script_ = script;
    issue(*sm, now);
    if (open_ == 0) {
      const std::size_t length = path_.size();
      for (const Choice& choice : script)
        if (choice.slot != no_warp) path_.push_back({now.value(), choice.part, choice.slot.value()});
      if (path_.size() > length) passed_over = 0;
      explore(std::move(sm), now + 1, launched, passed_over);
      path_.resize(length);
      return;
    }
    sm.reset();
    const WarpMask open = open_;
    script.push_back({open_part_, no_warp});
    for (WarpMask rest = open & ~passed_over; rest != 0; rest &= rest - 1) {
      script.back().slot = WarpSlot{static_cast<std::uint32_t>(std::countr_zero(rest))};
      branch(before, now, launched, passed_over, script);
    }
    script.back().slot = no_warp;
    branch(before, now, launched, monotone_ ? passed_over | open : 0, script);
  }

  RunInputs inputs_;
  LaunchOrder order_;
  std::uint64_t grid_;
  SearchLimits limits_;
  ScheduleBound bound_;
  bool alike_;
  bool monotone_;

  std::vector<Choice> script_;  ///< of the present cycle
  std::size_t answered_ = 0;    ///< of the script
  WarpMask open_ = 0;           ///< who could issue behind the script's end
  std::uint32_t open_part_ = 0;

  std::uint64_t allowed_ = 0;  ///< the last cycle that is still of interest
  bool found_ = false;
  bool exhausted_ = false;
  std::vector<Issue> path_;
  std::vector<Issue> found_path_;
  std::unordered_map<std::string, std::uint64_t>
      refuted_;  ///< by state: it does not end within so many cycles
};

/// The shortest run of the policies that come with smsim.
IssueTrace best_policy_trace(const ArchConfig& arch, const Workload& workload, std::uint64_t max_cycles,
                             std::uint64_t seed, std::string& name)
{
  IssueTrace best;
  for (const PolicyInfo& policy : policy_registry()) {
    TraceOptions options;
    options.max_cycles = max_cycles;
    options.seed = seed;
    IssueTrace found = trace_issues(arch, workload, policy, options);
    if (!found.ended || (best.ended && best.cycles <= found.cycles)) continue;
    best = std::move(found);
    name = policy.name;
  }
  if (!best.ended)
    throw RunError("best_of: no policy ends the kernel within " + std::to_string(max_cycles) + " cycles\n");
  return best;
}

}  // namespace

BestSchedule find_best_schedule(const ArchConfig& given, const Workload& as_read, const RunOptions& options,
                                const SearchLimits& limits)
{
  if ((options.sms ? options.sms : given.sms) != 1)
    throw RunError("best_of searches the schedules of one SM: run it with --sms 1\n");
  if (as_read.traced) throw RunError("best_of does not search traced kernels\n");
  if (as_read.kernel.cluster > 1) throw RunError("best_of does not search kernels with clusters\n");
  ArchConfig arch = given;
  arch.scheduler.policy = search_policy;
  arch.scheduler.parameters = {};

  BestSchedule best;
  IssueTrace trace = best_policy_trace(arch, as_read, options.max_cycles, options.seed, best.best_policy);
  best.policy_cycles = trace.cycles;

  Diagnostics diagnostics;
  const Workload workload = with_register_cap(arch, as_read, diagnostics);
  const BoundProgram program =
      bind_program(workload.program, arch, workload.kernel, options.seed, diagnostics);
  throw_if_errors(diagnostics);
  const Occupancy occupancy = calculate_occupancy(arch, workload.kernel);
  StreamRecorder::Streams streams;
  const auto record = [&] {
    return std::make_unique<StreamRecorder>(program.ops.size(),
                                            static_cast<std::uint32_t>(occupancy.warps_per_block), streams);
  };
  const RunPlan plan{{arch, workload.kernel, program, occupancy, record, options.seed},
                     1,
                     {1},
                     workload.kernel.blocks(),
                     1,
                     Cycle{options.max_cycles}};
  if (trace.cycles <= limits.cycles) {
    streams.resize(plan.grid * occupancy.warps_per_block);
    run_by_events(plan);
    Search search(plan, streams, limits);
    best.lower_bound = search.run(trace.cycles, trace.issues);
    best.states = search.states;
    best.steps = search.steps;
  }
  std::uint32_t next_part = 0;
  const auto replay = [&] {
    std::vector<Issue> own = trace.issues;
    std::erase_if(own, [&](const Issue& issue) { return issue.sub_partition != next_part; });
    ++next_part;
    return std::make_unique<ScriptedPolicy>(std::move(own));
  };
  RunOptions once = options;
  once.threads = 1;
  once.policy.clear();
  best.result = run_with(arch, as_read, once, replay);
  if (best.result.cycles != trace.cycles)
    throw std::logic_error("best_of: the engines disagree on a schedule's cycles");
  return best;
}

std::string describe(const BestSchedule& best)
{
  const std::string cycles = std::to_string(best.result.cycles);
  const std::string policy =
      "the best policy, " + best.best_policy + ", takes " + std::to_string(best.policy_cycles);
  if (best.exact())
    return "best_of: " + cycles + " cycles are the least over all schedules (exact; " +
           std::to_string(best.states) + " states); " + policy;
  if (best.states == 0) return "best_of: NOT SEARCHED, the kernel is too long; " + policy;
  return "best_of: NOT PROVED, the search became too long after " + std::to_string(best.states) +
         " states: the least cycles over all schedules are between " + std::to_string(best.lower_bound) +
         " (proved) and " + cycles + " (a schedule that was found); " + policy;
}

}  // namespace smsim

#include "engine/issue_trace.h"

#include "engine/run_plan.h"
#include "sm/register_cap.h"

#include <algorithm>
#include <bit>

namespace smsim {
namespace {

/// How long warps that can issue in every cycle are passed over, in issues of others.
class WaitCounter {
 public:
  void launched(WarpSlot slot) { present_ |= bit(slot); }
  void left(WarpSlot slot) { present_ &= ~bit(slot); }

  void picked(const PickView& view, WarpSlot chosen, IssueTrace& trace)
  {
    // In a cycle in which it was not asked nobody could issue.
    if (view.now != next_) waits_ = {};
    next_ = view.now + 1;
    for (std::uint32_t s = 0; s < max_slots_per_sub_partition; ++s) {
      Wait& wait = waits_[s];
      if ((view.eligible & bit(WarpSlot{s})) == 0) {
        wait = {};
        continue;
      }
      wait.seen |= present_;
      if (chosen == no_warp) continue;
      ++wait.issues;
      trace.longest_wait = std::max(trace.longest_wait, wait.issues);
      if (wait.issues == static_cast<std::uint64_t>(std::popcount(wait.seen)) + 1) ++trace.waits_too_long;
      if (chosen == WarpSlot{s}) wait = {};
    }
  }

 private:
  struct Wait {
    std::uint64_t issues = 0;
    WarpMask seen = 0;  ///< slots that have had a warp since
  };
  WarpMask present_ = 0;
  Cycle next_{0};
  std::array<Wait, max_slots_per_sub_partition> waits_{};
};

/// Who is passed over can only be told by who is asked.
PolicyWants asked_in_each_cycle(PolicyWants wants)
{
  wants.rest = false;
  return wants;
}

class Recorder final : public WarpScheduler {
 public:
  Recorder(std::unique_ptr<WarpScheduler> policy, std::string_view name, std::uint32_t part,
           std::uint32_t extra_asks, IssueTrace& trace)
      : WarpScheduler(asked_in_each_cycle(policy->wants)), policy_(std::move(policy)), name_(name),
        part_(part), extra_asks_(extra_asks), trace_(trace)
  {
  }
  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    // Not always as often, and an odd number of times too, or a policy that counts could come out as before.
    const std::uint64_t extra = extra_asks_ == 0 ? 0 : 1 + trace_.asked % extra_asks_;
    for (std::uint64_t i = 0; i < extra; ++i) {
      PickView asked = view;
      asked.now += i;
      static_cast<void>(policy_->pick(asked));
    }
    const WarpSlot slot = policy_->pick(view);
    ++trace_.asked;
    waits_.picked(view, slot, trace_);
    if (slot == no_warp) {
      ++trace_.declined;
      return slot;
    }
    if (slot.value() >= max_slots_per_sub_partition || (view.eligible & bit(slot)) == 0)
      throw RunError("policy '" + std::string(name_) + "' picked slot " + std::to_string(slot.value()) +
                     " in cycle " + std::to_string(view.now.value()) + ", whose warp cannot issue\n");
    trace_.issues.push_back({view.now.value(), part_, slot.value()});
    return slot;
  }
  void on_issue(WarpSlot slot, const IssueInfo& info) override { policy_->on_issue(slot, info); }
  void on_launch(WarpSlot slot, const LaunchInfo& info) override
  {
    waits_.launched(slot);
    policy_->on_launch(slot, info);
  }
  void on_exit(WarpSlot slot) override
  {
    waits_.left(slot);
    policy_->on_exit(slot);
  }
  void on_stall(WarpSlot slot, WarpState state) override { policy_->on_stall(slot, state); }
  void on_l1_miss(WarpSlot slot, std::uint64_t line, Cycle now) override
  {
    policy_->on_l1_miss(slot, line, now);
  }
  void on_l1_evict(WarpSlot slot, std::uint64_t line) override { policy_->on_l1_evict(slot, line); }

 private:
  std::unique_ptr<WarpScheduler> policy_;
  std::string_view name_;
  std::uint32_t part_;
  std::uint32_t extra_asks_;
  IssueTrace& trace_;
  mutable WaitCounter waits_;
};

}  // namespace

IssueTrace trace_issues(const ArchConfig& arch, const Workload& as_read, const PolicyInfo& policy,
                        const TraceOptions& options)
{
  const std::uint64_t seed = options.seed;
  Diagnostics diagnostics;
  const Workload workload = with_register_cap(arch, as_read, diagnostics);
  const BoundProgram program = bind_program(workload.program, arch, workload.kernel, seed, diagnostics);
  throw_if_errors(diagnostics);
  const Occupancy occupancy = calculate_occupancy(arch, workload.kernel);
  if (occupancy.blocks_per_sm == 0)
    throw RunError(workload.name + ": no block can launch: " + occupancy.not_launchable + "\n");
  const PolicySetup setup = setup_of(policy, arch.scheduler.parameters, seed);
  IssueTrace trace;
  std::uint32_t next_part = 0;
  const auto make = [&] {
    return std::make_unique<Recorder>(policy.make(setup), policy.name, next_part++, options.extra_asks,
                                      trace);
  };
  const RunPlan plan{{arch, workload.kernel, program, occupancy, make, seed},
                     1,
                     {1},
                     workload.kernel.blocks(),
                     1,
                     Cycle{options.max_cycles}};
  const EngineResult result = options.engine == Engine::event ? run_by_events(plan) : run_every_cycle(plan);
  trace.cycles = result.cycles;
  trace.ended = !result.stopped_early;
  return trace;
}

}  // namespace smsim

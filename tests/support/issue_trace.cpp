#include "support/issue_trace.h"

#include "engine/run_plan.h"
#include "sm/warp_scheduler/registry.h"

#include <memory>
#include <stdexcept>

namespace smsim::test {
namespace {

class Recorder final : public WarpScheduler {
 public:
  Recorder(std::unique_ptr<WarpScheduler> policy, std::uint32_t part, std::vector<Issue>& issues)
      : WarpScheduler(policy->wants), policy_(std::move(policy)), part_(part), issues_(issues)
  {
  }
  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    const WarpSlot slot = policy_->pick(view);
    if (slot != no_warp && (view.eligible & bit(slot)) == 0)
      throw std::logic_error("picked who cannot issue");
    if (slot != no_warp) issues_.push_back({view.now.value(), part_, slot.value()});
    return slot;
  }
  void on_issue(WarpSlot slot, const IssueInfo& info) override { policy_->on_issue(slot, info); }
  void on_launch(WarpSlot slot, const LaunchInfo& info) override { policy_->on_launch(slot, info); }
  void on_exit(WarpSlot slot) override { policy_->on_exit(slot); }
  void on_stall(WarpSlot slot, WarpState state) override { policy_->on_stall(slot, state); }
  void on_l1_miss(WarpSlot slot, std::uint64_t line, Cycle now) override
  {
    policy_->on_l1_miss(slot, line, now);
  }
  void on_l1_evict(WarpSlot slot, std::uint64_t line) override { policy_->on_l1_evict(slot, line); }

 private:
  std::unique_ptr<WarpScheduler> policy_;
  std::uint32_t part_;
  std::vector<Issue>& issues_;
};

}  // namespace

std::vector<Issue> issues_of(const ArchConfig& arch, const Workload& workload, const std::string& policy)
{
  Diagnostics diagnostics;
  const PolicyInfo* info = find_policy(policy, {}, diagnostics);
  const BoundProgram program = bind_program(workload.program, arch, workload.kernel, 1, diagnostics);
  throw_if_errors(diagnostics);
  const Occupancy occupancy = calculate_occupancy(arch, workload.kernel);
  const PolicySetup setup = setup_of(*info, arch.scheduler.parameters, 1);
  std::vector<Issue> issues;
  std::uint32_t next_part = 0;
  const auto make = [&] { return std::make_unique<Recorder>(info->make(setup), next_part++, issues); };
  const RunPlan plan{{arch, workload.kernel, program, occupancy, make, 1},
                     1,
                     {1},
                     workload.kernel.blocks(),
                     1,
                     Cycle{1'000'000}};
  run_by_events(plan);
  return issues;
}

}  // namespace smsim::test

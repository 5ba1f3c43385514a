#include "support/issue_trace.h"

#include "engine/run_plan.h"
#include "sm/warp_scheduler/registry.h"

#include <memory>

namespace smsim::test {
namespace {

class Recorder final : public WarpScheduler {
 public:
  Recorder(std::unique_ptr<WarpScheduler> policy, std::uint32_t part, std::vector<Issue>& issues)
      : policy_(std::move(policy)), part_(part), issues_(issues)
  {
  }
  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    const WarpSlot slot = policy_->pick(view);
    issues_.push_back({view.now.value(), part_, slot.value()});
    return slot;
  }
  void on_issue(WarpSlot slot) override { policy_->on_issue(slot); }
  void on_launch(WarpSlot slot) override { policy_->on_launch(slot); }
  void on_exit(WarpSlot slot) override { policy_->on_exit(slot); }

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
  std::vector<Issue> issues;
  std::uint32_t next_part = 0;
  const auto make = [&] { return std::make_unique<Recorder>(info->make(), next_part++, issues); };
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

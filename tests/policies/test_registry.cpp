// Every policy of the registry: what all of them promise, and that registry, folder and parameters hold
// together.
#include "config/policy_parameters.h"
#include "differential/random_case.h"
#include "engine/policy_check.h"
#include "engine/run_plan.h"
#include "report/run_reports.h"
#include "sm/warp_scheduler/registry.h"
#include "support/issue_trace.h"
#include "support/program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

using namespace smsim;
using namespace smsim::test;

namespace {

namespace fs = std::filesystem;
const fs::path folder = fs::path(SMSIM_SOURCE_DIR) / "sim" / "sm" / "warp_scheduler";

/// A random case whose policy is this one, with its default parameters.
RandomCase with_policy(RandomCase c, const std::string& policy)
{
  std::erase_if(c.arch_overrides, [](const std::string& option) {
    return option.starts_with("scheduler.") && !option.starts_with("scheduler.switch_penalty");
  });
  c.policy = policy;
  return c;
}

/// The result as JSON, or the error that the run ended in.
std::string outcome(const RandomCase& c, Engine engine)
{
  RunOptions options = c.options(20'000);
  options.engine = engine;
  const ArchConfig sm = arch("h100", c.arch_overrides);
  const Workload w = workload(c.workload_yaml());
  try {
    const RunResult result = run_kernel(sm, w, options);
    return json_report({sm, w, result});
  } catch (const RunError& error) {
    return error.what();
  }
}

class Never final : public WarpScheduler {
 public:
  explicit Never(bool rests) : WarpScheduler({.rest = rests}) {}
  [[nodiscard]] WarpSlot pick(const PickView&) const override { return no_warp; }
};

}  // namespace

TEST_CASE("each policy is a row with a name of its own and a file of that name, of at most 80 lines")
{
  std::set<std::string> names;
  for (const PolicyInfo& row : policy_registry()) {
    CAPTURE(row.name);
    CHECK(names.insert(std::string(row.name)).second);
    CHECK_FALSE(row.summary.empty());
    const std::string text = read_file((folder / (std::string(row.name) + ".cpp")).string());
    CHECK(std::count(text.begin(), text.end(), '\n') <= 80);
  }
  std::set<std::string> files;
  for (const auto& file : fs::directory_iterator(folder))
    if (file.path().extension() == ".cpp") files.insert(file.path().stem().string());
  files.erase("registry");
  CHECK(files == names);
}

TEST_CASE("each parameter is of a policy that there is, and its default is allowed")
{
  std::set<std::string> keys;
  std::map<std::string_view, std::size_t> parameters;
  for (const PolicyParameter& parameter : policy_parameters) {
    CAPTURE(parameter.key);
    CHECK(keys.insert(std::string(parameter.key)).second);
    CHECK(std::any_of(policy_registry().begin(), policy_registry().end(),
                      [&](const PolicyInfo& row) { return row.name == parameter.policy; }));
    CHECK(parameter.least >= 1);  // 0 stands for a parameter that is not given
    CHECK(parameter.default_value >= parameter.least);
    CHECK(parameter.default_value <= parameter.most);
    CHECK(++parameters[parameter.policy] <= PolicySetup{}.parameters.size());
  }
}

TEST_CASE("a policy gives the same in both engines and in every run: 50 random cases for each")
{
  for (const PolicyInfo& row : policy_registry())
    for (std::uint64_t number = 20'001; number <= 20'000 + share_of_cases(50); ++number) {
      const RandomCase c = with_policy(draw_case(number), std::string(row.name));
      CAPTURE(row.name);
      CAPTURE(number);
      const std::string by_events = outcome(c, Engine::event);
      CHECK(by_events == outcome(c, Engine::every_cycle));
      CHECK(by_events == outcome(c, Engine::event));
    }
}

TEST_CASE("every policy holds what `smsim policy-check` checks")
{
  std::size_t promises = 0;
  for (const PolicyInfo& row : policy_registry()) {
    if (row.starves_nobody) ++promises;
    CAPTURE(row.name);
    for (const PolicyCheck& check : check_policy(row, {.cycles = 400})) {
      CAPTURE(check.promise);
      CAPTURE(check.seen);
      CHECK(check.outcome == PolicyCheck::Outcome::held);
    }
  }
  CHECK(promises == 2);
}

TEST_CASE(
    "the longest wait of a ready warp is counted in issues: one a round in turn, all of the others with gto")
{
  constexpr std::size_t warps = 8;
  const Workload w = kernel(warps, 32, "  - loop: {count: 100, body: [nop]}\n");
  const auto trace = [&](const char* policy) {
    Diagnostics diagnostics;
    return trace_issues(one_scheduler(), w, *find_policy(policy, {}, diagnostics));
  };
  CHECK(trace("lrr").longest_wait == warps);
  CHECK(trace("lrr").waits_too_long == 0);
  CHECK(trace("gto").longest_wait == 7 * 100 + 1);
  CHECK(trace("gto").waits_too_long > 0);
}

TEST_CASE("a policy that never picks ends the run with an error that names it, in both engines")
{
  ArchConfig sm = one_scheduler();
  sm.scheduler.policy = "never";
  const Workload w = kernel(1, 32, "  - nop\n");
  Diagnostics diagnostics;
  const BoundProgram program = bind_program(w.program, sm, w.kernel, 1, diagnostics);
  const Occupancy occupancy = calculate_occupancy(sm, w.kernel);
  constexpr const char* text =
      "policy 'never' has picked no warp in 1000000 cycles in a row in which one could issue\n";
  for (const bool rests : {false, true}) {
    const auto make = [rests] { return std::make_unique<Never>(rests); };
    const RunPlan plan{{sm, w.kernel, program, occupancy, make, 1}, 1, {1}, 1, 1, Cycle{20'000'000}};
    CHECK_THROWS_WITH_AS(run_by_events(plan), text, RunError);
    CHECK_THROWS_WITH_AS(run_every_cycle(plan), text, RunError);
    // Up to there it has been asked in each cycle, or would have been.
    RunPlan shorter = plan;
    shorter.bound = Cycle{999'999};
    CHECK(run_by_events(shorter).sms[0].sub_partitions[0].eligible_cycles == 999'999);
    shorter.bound = Cycle{1'000'001};
    CHECK_THROWS_AS(run_by_events(shorter), RunError);
  }
}

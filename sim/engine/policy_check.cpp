#include "engine/policy_check.h"

#include "config/arch_loader.h"
#include "engine/issue_trace.h"

#include <algorithm>
#include <array>
#include <functional>

namespace smsim {
namespace {

struct Case {
  std::string name;
  ArchConfig arch;
  Workload workload;
};

Case make_case(const std::string& kernel, const std::vector<std::string>& of_arch,
               const std::vector<std::string>& of_workload = {})
{
  Diagnostics diagnostics;
  Case made{kernel + (of_arch.empty() ? "" : " with one scheduler"), load_arch("a100", of_arch, diagnostics),
            load_workload(kernel, of_workload, diagnostics)};
  throw_if_errors(diagnostics);
  // Parameters have their defaults, or stand behind a library's path.
  made.arch.scheduler.parameters = {};
  return made;
}

std::vector<Case> cases()
{
  const std::vector<std::string> one_scheduler{"sm.sub_partitions=1"};
  std::vector<Case> all;
  for (const char* kernel : {"convoy", "barrier_heavy", "mixed_kernels", "divergent", "phases",
                             "imbalanced_warps", "cache_thrashing", "memory_saturated"})
    for (const std::vector<std::string>& parts : {std::vector<std::string>{}, one_scheduler})
      all.push_back(make_case(kernel, parts));
  return all;
}

std::string where(const Issue& issue)
{
  return "slot " + std::to_string(issue.slot) + " of scheduler " + std::to_string(issue.sub_partition) +
         " in cycle " + std::to_string(issue.cycle);
}

/// Where two traces part; empty if they do not.
std::string difference(const IssueTrace& first, const IssueTrace& second)
{
  const auto [a, b] =
      std::mismatch(first.issues.begin(), first.issues.end(), second.issues.begin(), second.issues.end());
  const auto text = [](auto at, const IssueTrace& trace) {
    return at == trace.issues.end() ? "nobody" : where(*at);
  };
  if (a != first.issues.end() || b != second.issues.end())
    return "issue " + std::to_string(a - first.issues.begin() + 1) + " is " + text(a, first) + ", then " +
           text(b, second);
  if (first.cycles != second.cycles)
    return std::to_string(first.cycles) + " cycles, then " + std::to_string(second.cycles);
  return {};
}

std::string without_line_end(std::string text)
{
  while (text.ends_with('\n'))
    text.pop_back();
  return text;
}

class Checker {
 public:
  Checker(const PolicyInfo& policy, const PolicyCheckOptions& options)
      : policy_(policy), options_(options), cases_(cases())
  {
  }

  std::vector<PolicyCheck> run()
  {
    add("eligible", "picks only warps that can issue, and fails in no call",
        [&](std::string& seen) { return eligible(seen); });
    add("progress", "brings every kernel to its end", [&](std::string& seen) { return progress(seen); });
    add("engines", "does the same in both engines", [&](std::string& seen) {
      return same_again(seen, "by the engine of every cycle",
                        {.engine = Engine::every_cycle, .max_cycles = options_.cycles});
    });
    add("deterministic", "does the same in every run and on two threads",
        [&](std::string& seen) { return deterministic(seen); });
    add("idle_cycles", "is not changed by being asked, nor by time", [&](std::string& seen) {
      return same_again(seen, "asked one to six times more in each cycle, for this and later ones",
                        {.max_cycles = options_.cycles, .extra_asks = 6});
    });
    add("starvation", "passes over no warp that can issue for longer than a round",
        [&](std::string& seen) { return starvation(seen); });
    return std::move(checks_);
  }

 private:
  using Body = std::function<bool(std::string&)>;

  void add(std::string_view key, std::string_view promise, const Body& body)
  {
    PolicyCheck check{key, promise, PolicyCheck::Outcome::held, {}};
    if (!checks_.empty() && checks_.front().outcome == PolicyCheck::Outcome::failed) {
      check.outcome = PolicyCheck::Outcome::not_tried;
      check.seen = "the runs before ended in an error";
    } else {
      try {
        if (!body(check.seen)) check.outcome = PolicyCheck::Outcome::failed;
      } catch (const RunError& error) {
        check.outcome = PolicyCheck::Outcome::failed;
        check.seen = running_ + ": " + without_line_end(error.what());
      }
    }
    checks_.push_back(std::move(check));
  }

  IssueTrace trace(const Case& one, const TraceOptions& options)
  {
    running_ = one.name;
    return trace_issues(one.arch, one.workload, policy_, options);
  }

  bool eligible(std::string& seen)
  {
    std::uint64_t picks = 0;
    std::uint64_t declined = 0;
    for (const Case& one : cases_) {
      traces_.push_back(trace(one, {.max_cycles = options_.cycles}));
      picks += traces_.back().issues.size();
      declined += traces_.back().declined;
    }
    seen = std::to_string(cases_.size()) + " kernels, " + std::to_string(picks) +
           " picks, all of warps that could issue; " + std::to_string(declined) + " times it picked none";
    return true;
  }

  /// Small grids to their ends, against the number of instructions that another policy issues.
  bool progress(std::string& seen)
  {
    Diagnostics diagnostics;
    const PolicyInfo& other = *find_policy("lrr", {}, diagnostics);
    constexpr std::uint64_t most_cycles = 2'000'000;
    std::uint64_t issued = 0;
    for (const char* kernel : {"barrier_heavy", "divergent"}) {
      const Case one = make_case(kernel, {"sm.sub_partitions=1"}, {"launch.grid=3"});
      const IssueTrace right = trace_issues(one.arch, one.workload, other);
      const IssueTrace found = trace(one, {.max_cycles = most_cycles});
      issued += found.issues.size();
      if (!found.ended || found.issues.size() != right.issues.size()) {
        seen = one.name + ": after " + std::to_string(found.cycles) + " cycles " +
               std::to_string(found.issues.size()) + " of " + std::to_string(right.issues.size()) +
               " instructions have issued; " + std::to_string(found.declined) + " times it picked none";
        return false;
      }
    }
    seen = "2 kernels with barriers and branches ended, " + std::to_string(issued) + " instructions";
    return true;
  }

  /// Every case once more, with other options, against what it did first.
  bool same_again(std::string& seen, const std::string& how, const TraceOptions& options)
  {
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const std::string differs = difference(traces_[i], trace(cases_[i], options));
      if (differs.empty()) continue;
      seen.assign(cases_[i].name).append(", ").append(how).append(": ").append(differs);
      return false;
    }
    seen = std::to_string(cases_.size()) + " kernels " + how + ": the same issues";
    return true;
  }

  bool deterministic(std::string& seen)
  {
    if (!same_again(seen, "run again", {.max_cycles = options_.cycles})) return false;
    for (const Case& one : cases_) {
      const auto states = [&](std::uint32_t threads) {
        RunOptions run;
        run.policy = policy_.name;
        run.sms = 4;
        run.threads = threads;
        run.max_cycles = options_.cycles;
        return run_kernel(one.arch, one.workload, run).states();
      };
      if (states(1) == states(2)) continue;
      seen = one.name + ", on 4 SMs: two threads give other warp states than one";
      return false;
    }
    seen += "; on 4 SMs and two threads the warp states of one";
    return true;
  }

  bool starvation(std::string& seen)
  {
    std::uint64_t longest = 0;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      longest = std::max(longest, traces_[i].longest_wait);
      if (!policy_.starves_nobody || traces_[i].waits_too_long == 0) continue;
      seen = cases_[i].name + ": " + std::to_string(traces_[i].waits_too_long) +
             " times a warp that could issue in every cycle was passed over for more issues than there were "
             "warps, at most " +
             std::to_string(traces_[i].longest_wait);
      return false;
    }
    const std::string most =
        "at most " + std::to_string(longest) + " issues to a pick of a warp that could issue in every cycle";
    seen = policy_.starves_nobody ? most + ", never more than there were warps" : "not promised; " + most;
    return true;
  }

  const PolicyInfo& policy_;
  const PolicyCheckOptions options_;
  const std::vector<Case> cases_;
  std::vector<IssueTrace> traces_;  ///< of the cases, as they were run first
  std::string running_;
  std::vector<PolicyCheck> checks_;
};

}  // namespace

std::vector<PolicyCheck> check_policy(const PolicyInfo& policy, const PolicyCheckOptions& options)
{
  return Checker(policy, options).run();
}

bool all_held(const std::vector<PolicyCheck>& checks)
{
  return std::all_of(checks.begin(), checks.end(),
                     [](const PolicyCheck& check) { return check.outcome == PolicyCheck::Outcome::held; });
}

}  // namespace smsim

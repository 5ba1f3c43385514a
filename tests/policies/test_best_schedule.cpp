// The least cycles over all schedules: against every schedule of tiny kernels, one by one, and against every
// policy.
#include "base/random.h"
#include "engine/best_schedule.h"
#include "engine/run_plan.h"
#include "sm/warp_scheduler/registry.h"
#include "support/kernels.h"
#include "support/program.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <bit>

using namespace smsim;
using namespace smsim::test;
using Json = nlohmann::ordered_json;

namespace {

/// Which option is taken each time that somebody could issue: one of the warps, the last stands for nobody.
struct Choices {
  std::vector<std::size_t> taken;
  std::vector<std::size_t> options;
  std::size_t next = 0;

  WarpSlot choose(WarpMask eligible)
  {
    const auto warps = static_cast<std::size_t>(std::popcount(eligible));
    if (next == taken.size()) taken.push_back(0);
    options.resize(taken.size());
    options[next] = warps + 1;
    std::size_t skip = taken[next++];
    if (skip == warps) return no_warp;
    for (; skip > 0; --skip)
      eligible &= eligible - 1;
    return WarpSlot{static_cast<std::uint32_t>(std::countr_zero(eligible))};
  }
  /// The next in order; false behind the last.
  bool advance()
  {
    while (!taken.empty() && taken.back() + 1 == options[taken.size() - 1])
      taken.pop_back();
    if (taken.empty()) return false;
    ++taken.back();
    next = 0;
    return true;
  }
};

class Enumerated final : public WarpScheduler {
 public:
  explicit Enumerated(Choices& choices) : choices_(choices) {}
  [[nodiscard]] WarpSlot pick(const PickView& view) const override { return choices_.choose(view.eligible); }

 private:
  Choices& choices_;
};

/// Every schedule in turn, cut where it is no better than the best.
std::uint64_t by_brute_force(const ArchConfig& sm, const Workload& w, std::uint64_t best)
{
  Choices choices;
  RunOptions options;
  options.sms = 1;
  do {
    options.max_cycles = best - 1;
    const RunResult result = run_with(sm, w, options, [&] { return std::make_unique<Enumerated>(choices); });
    if (!result.stopped_early) best = result.cycles;
  } while (choices.advance());
  return best;
}

/// Latencies of two cycles, a pipe that is busy for two.
ArchConfig small_sm(std::uint32_t schedulers)
{
  return arch("a100", {"sm.sub_partitions=" + std::to_string(schedulers), "pipes.fma.lanes=32",
                       "opcodes.ffma.latency=2", "opcodes.dfma.latency=2", "opcodes.dfma.interval=2",
                       "dispatch.launch_latency=0"});
}

BestSchedule best_of_all(const ArchConfig& sm, const Workload& w, const SearchLimits& limits = {})
{
  RunOptions options;
  options.sms = 1;
  return find_best_schedule(sm, w, options, limits);
}

}  // namespace

TEST_CASE("the search finds the least cycles of all schedules: every one of 30 tiny kernels is tried")
{
  const std::vector<std::string> items{"ffma r4, r4, r5, r6", "ffma r7, r4, r5, r6", "dfma r8, r8, r8, r8",
                                       "nop", "{op: nop, stall: 2}"};
  // With more cycles there are too many schedules.
  constexpr std::uint64_t most_cycles = 8;
  std::size_t tried = 0;
  for (std::uint32_t number = 1; number <= 200 && tried < 30; ++number) {
    std::uint32_t drawn = 0;
    const auto draw = [&](std::uint32_t below) { return draw_u32({77, number, 0, drawn++, 0}) % below; };
    const std::uint32_t warps = 2 + draw(2);
    std::string program;
    for (std::uint32_t i = 0; i < 2; ++i)
      program += "  - " + items[draw(static_cast<std::uint32_t>(items.size()))] + "\n";
    if (draw(2) == 0)
      program += "  - loop:\n      count: {per: warp, values: [0, 1" + std::string(warps == 3 ? ", 0" : "") +
                 "]}\n      body: [\"dfma r8, r8, r8, r8\"]\n";
    const Workload w = kernel(1, 32 * std::uint64_t{warps}, program);
    const ArchConfig sm = small_sm(1 + draw(2));
    CAPTURE(number);
    CAPTURE(program);
    const BestSchedule best = best_of_all(sm, w);
    REQUIRE(best.exact());
    CHECK(best.result.cycles <= best.policy_cycles);
    if (best.policy_cycles > most_cycles) continue;
    ++tried;
    CHECK(best.result.cycles == by_brute_force(sm, w, best.policy_cycles + 1));
  }
  CHECK(tried == 30);
}

TEST_CASE("no policy takes fewer cycles than the proved bound, which no schedule undercuts")
{
  for (const char* program :
       {"  - ld.global r4, [r2]\n  - ffma r5, r4, r4, r4\n  - dfma r8, r6, r6, r6\n",
        "  - loop: {count: 3, body: [\"ffma r4, r4, r5, r6\", \"dfma r8, r6, r6, r6\"]}\n",
        "  - ld.shared r4, [r2]\n  - bar.sync 0\n  - ffma r5, r4, r4, r4\n"}) {
    const Workload w = kernel(2, 64, program, "  barriers: 1\n");
    const ArchConfig sm = arch("a100", {"sm.sub_partitions=1"});
    const BestSchedule best = best_of_all(sm, w);
    CAPTURE(program);
    CAPTURE(describe(best));
    CHECK(best.exact());
    for (const PolicyInfo& policy : policy_registry()) {
      CAPTURE(policy.name);
      CHECK(run(sm, w, std::string(policy.name)).cycles >= best.lower_bound);
    }
  }
}

TEST_CASE("the search is exact for drawn programs of 2 warps x 12 instructions, 3 x 8 and 4 x 5, on A100's "
          "scheduler")
{
  const std::vector<std::string> items{"ffma r4, r4, r5, r6", "ffma r7, r4, r5, r6",  "dfma r8, r8, r6, r6",
                                       "mufu r9, r7",         "iadd3 r2, r2, r3, r3", "ld.shared r5, [r2]"};
  struct Size {
    std::uint32_t warps, instructions;
  };
  for (const Size size : {Size{2, 12}, Size{3, 8}, Size{4, 5}})
    for (std::uint32_t number = 0; number < 3; ++number) {
      std::string program;
      for (std::uint32_t i = 0; i < size.instructions; ++i)
        program += "  - " + items[draw_u32({99, number, size.warps, i, 0}) % items.size()] + "\n";
      const BestSchedule best = best_of_all(arch("a100", {"sm.sub_partitions=1"}),
                                            kernel(1, 32 * std::uint64_t{size.warps}, program));
      CAPTURE(program);
      CAPTURE(describe(best));
      CHECK(best.exact());
    }
}

TEST_CASE("where the search gives up it says so, with the bound that is proved and the schedule that it has")
{
  const Workload w =
      kernel(4, 96, "  - loop: {count: 4, body: [\"ffma r4, r4, r5, r6\", \"dfma r8, r6, r6, r6\"]}\n");
  const ArchConfig sm = arch("a100", {"sm.sub_partitions=1"});
  const BestSchedule cut = best_of_all(sm, w, {.steps = 50});
  CHECK_FALSE(cut.exact());
  CHECK(cut.lower_bound > 0);
  CHECK(cut.result.cycles == cut.policy_cycles);
  CHECK(describe(cut).find("NOT PROVED") != std::string::npos);
  const BestSchedule none = best_of_all(sm, w, {.cycles = 10});
  CHECK(none.lower_bound == 0);
  CHECK(describe(none).find("NOT SEARCHED") != std::string::npos);
}

TEST_CASE("best_of stands where a policy's name may stand, in run and compare")
{
  const std::string small = "--arch a100 --set sm.sub_partitions=1 --sms 1 ";
  const ProgramRun run = smsim::test::smsim("run best_of_pipes --policy best_of --format json " + small);
  REQUIRE(run.status == 0);
  const Json report = Json::parse(run.out);
  CHECK(report["best_of"]["exact"] == true);
  CHECK(report["best_of"]["lower_bound"] == report["cycles"]);
  CHECK(report["cycles"] < report["best_of"]["best_policy_cycles"]);
  const ProgramRun compared = smsim::test::smsim(
      "compare --policies gto,best_of --workloads best_of_pipes --sms 1 --set sm.sub_partitions=1");
  CHECK(compared.status == 0);
  CHECK(compared.out.find("cycles are the least over all schedules (exact; ") != std::string::npos);
  CHECK(smsim::test::smsim("run best_of_pipes --policy best_of --sms 2").err.find("run it with --sms 1") !=
        std::string::npos);
  CHECK(smsim::test::smsim("explain best_of_pipes --policy best_of --sms 1")
            .err.find("no policy but a search") != std::string::npos);
}

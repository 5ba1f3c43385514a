// Work that is drawn for each block or warp, in whole runs.
#include "sm/bound_program.h"
#include "support/kernels.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace smsim;
using namespace smsim::test;

namespace {

const char* const uneven = R"(
  - loop:
      count: {per: block, distribution: lognormal, median: 6, sigma: 1}
      body:
        - fadd r1, r2, r3
        - loop: {count: {per: warp, distribution: pareto, least: 1, alpha: 1.5, most: 50}, body: [nop]}
  - if:
      fraction: {per: warp, distribution: normal, mean: 0.5, deviation: 0.3}
      then: [nop, nop]
)";

/// Instructions that the warps of `uneven` issue, from what each of them draws.
std::uint64_t instructions_drawn(const Workload& w, std::uint64_t seed)
{
  std::vector<Region> regions = w.program.regions;
  seed_draws(regions, seed);
  std::uint64_t sum = 0;
  for (std::uint64_t block = 0; block < w.kernel.blocks(); ++block)
    for (std::uint32_t warp = 0; warp < w.kernel.threads_per_block() / 32; ++warp)
      sum += regions[0].count.of(block, warp) * (1 + regions[1].count.of(block, warp)) +
             (regions[2].lanes.of(block, warp, 32) > 0 ? 2 : 0);
  return sum;
}

}  // namespace

TEST_CASE("drawn work is a matter of the seed: no policy, number of SMs or engine changes it")
{
  const Workload w = kernel(40, 128, uneven);
  const ArchConfig sm = arch("h100");
  const std::uint64_t right = instructions_drawn(w, 1);
  CHECK(right != instructions_drawn(w, 2));
  for (const char* policy : {"gto", "lrr", "cggty"})
    for (const std::uint32_t sms : {1U, 3U})
      for (const Engine engine : {Engine::event, Engine::every_cycle}) {
        RunOptions options;
        options.policy = policy;
        options.sms = sms;
        options.engine = engine;
        CHECK(run_kernel(sm, w, options).instructions() == right);
        options.seed = 2;
        CHECK(run_kernel(sm, w, options).instructions() == instructions_drawn(w, 2));
      }
}

TEST_CASE("a warp that comes to a drawn loop again runs it as often as before")
{
  const Workload w = kernel(1, 32,
                            "  - loop:\n      count: 10\n      body:\n        - loop: {count: {per: warp, "
                            "distribution: uniform, least: 1, most: 1000}, body: [nop]}\n");
  std::vector<Region> regions = w.program.regions;
  seed_draws(regions, 1);
  CHECK(run(arch("h100"), w).instructions() == 10 * regions[1].count.of(0, 0));
}

TEST_CASE("a list that names what was drawn runs as the draws did")
{
  const std::string before = "  - loop:\n      branch: true\n      count: {per: block, ";
  const std::string behind = "}\n      body: [\"mufu r1, r1\", \"ld.global r2, [r1]\"]\n";
  const Workload drawn = kernel(20, 96, before + "distribution: normal, mean: 8, deviation: 3" + behind);
  std::vector<Region> regions = drawn.program.regions;
  seed_draws(regions, 1);
  std::string values;
  for (std::uint64_t block = 0; block < 20; ++block)
    values += (block ? ", " : "") + std::to_string(regions[0].count.of(block, 0));
  const Workload listed = kernel(20, 96, before + "values: [" + values + "]" + behind);
  const RunResult a = run(arch("h100"), drawn);
  const RunResult b = run(arch("h100"), listed);
  CHECK(a.cycles == b.cycles);
  CHECK(a.states() == b.states());
}

TEST_CASE("a barrier on a side that warps take as a whole or not at all, as drawn, holds the block together")
{
  // Per block: all warps of a block meet at the barrier or none.
  const std::string program =
      "  - if: {fraction: {per: block, distribution: bimodal, low: 0, high: 1, high_share: "
      "0.5}, then: [bar.sync 0]}\n  - nop\n";
  const Workload w = kernel(64, 64, program, "  barriers: 1\n");
  std::vector<Region> regions = w.program.regions;
  seed_draws(regions, 1);
  std::uint64_t with_barrier = 0;
  for (std::uint64_t block = 0; block < 64; ++block)
    with_barrier += regions[0].lanes.of(block, 0, 32) == 32 ? 1 : 0;
  CHECK(with_barrier > 10);
  CHECK(with_barrier < 54);
  CHECK(run(arch("h100"), w).instructions() == 2 * (64 + with_barrier));
}

TEST_CASE("uneven blocks leave SMs idle at full theoretical occupancy: the shipped example")
{
  Diagnostics diagnostics;
  const Workload w = load_workload("uneven_blocks", {}, diagnostics);
  throw_if_errors(diagnostics);
  const RunResult result = run(arch("h100"), w, {}, RunOptions{}.max_cycles, 4);
  CHECK(result.occupancy.ratio() == 1);
  CHECK(result.achieved_occupancy() < 0.5);
  std::uint64_t shortest = result.cycles;
  for (const SmResult& sm : result.sms)
    shortest = std::min(shortest, sm.active_cycles);
  CHECK(shortest < result.cycles / 2);
}

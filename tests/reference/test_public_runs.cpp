// Waves, tails and achieved occupancy of public reports (public_cases.yaml), by counting and by running.
#include "reference/public_cases.h"

#include <cmath>

using namespace smsim;
using namespace smsim::test;

namespace {

/// A run's figures that only its counts decide.
RunResult waves_of(std::uint64_t grid, std::uint64_t blocks_per_sm, std::uint64_t sms)
{
  RunResult result;
  result.grid = grid;
  result.occupancy.blocks_per_sm = blocks_per_sm;
  result.max_active_clusters = blocks_per_sm * sms;
  result.sms.resize(sms);
  return result;
}

/// Blocks of one length, at most one per SM because of their shared memory.
Workload equal_blocks(std::uint64_t grid, std::uint64_t threads, const std::string& shared)
{
  return kernel(grid, threads, "  - repeat: {compute: 20, stall: 50, rounds: 20}\n",
                "  shared_memory: {dynamic: " + shared + "}\n");
}

}  // namespace

TEST_CASE("waves of public rows")
{
  CHECK(rows_of("waves").size() == 4);
  for (const std::string kind : {"waves", "achieved_occupancy"})
    for (const YAML::Node& row : rows_of(kind)) {
      CAPTURE(row["id"].as<std::string>());
      const YAML::Node inputs = row["inputs"];
      const YAML::Node expected = row["expected"];
      const std::uint64_t grid = number(inputs, "grid");
      const std::uint64_t sms = number(inputs, "num_sms");
      const std::uint64_t blocks = number(inputs, "blocks_per_sm");
      const RunResult result = waves_of(grid, blocks, sms);
      if (expected["waves"])
        CHECK(result.waves() ==
              doctest::Approx(expected["waves"].as<double>()).epsilon(0.0001 + 0.00005 / result.waves()));
      if (expected["full_waves"]) CHECK(result.full_waves() == number(expected, "full_waves"));
      const std::uint64_t last_wave = grid - result.full_waves() * blocks * sms;
      if (expected["partial_wave_blocks"]) CHECK(last_wave == number(expected, "partial_wave_blocks"));
      if (expected["second_wave_idle_sms"])
        CHECK(sms - last_wave == number(expected, "second_wave_idle_sms"));
      if (expected["last_wave_fill"])
        CHECK(static_cast<double>(last_wave) / static_cast<double>(blocks * sms) ==
              doctest::Approx(expected["last_wave_fill"].as<double>()));
    }
}

TEST_CASE("the 109th block on 108 SMs doubles the time")
{
  const YAML::Node row = row_named("tail-a100-109");
  const ArchConfig a100 = arch("a100");
  const RunResult fits = run(a100, equal_blocks(108, 32, "100 KiB"), {}, RunOptions{}.max_cycles, 108);
  const RunResult tail = run(a100, equal_blocks(109, 32, "100 KiB"), {}, RunOptions{}.max_cycles, 108);
  REQUIRE(tail.occupancy.blocks_per_sm == number(row["inputs"], "blocks_per_sm"));
  CHECK(static_cast<double>(tail.cycles) ==
        row["expected"]["relative_time_vs_108"].as<double>() * static_cast<double>(fits.cycles));
  CHECK(tail.full_waves() + 1 == number(row["expected"], "waves_ceil"));
  const double efficiency = 100 * tail.waves() / static_cast<double>(tail.full_waves() + 1);
  CHECK(efficiency == doctest::Approx(row["expected"]["efficiency_pct"].as<double>()).epsilon(0.0001));
}

TEST_CASE("one block of one warp: SMs without a warp do not count in achieved occupancy, but do in the "
          "elapsed variant")
{
  const YAML::Node row = row_named("tail-3060ti-1block");
  const ArchConfig arch = test::arch("rtx3090");
  REQUIRE(arch.sm.max_warps == number(row["inputs"], "max_warps"));
  REQUIRE(arch.sm.max_blocks == number(row["inputs"], "blocks_per_sm"));
  const RunResult result = run(arch, equal_blocks(1, 32, "0"), {}, RunOptions{}.max_cycles, 38);
  CHECK(100 * result.achieved_occupancy() ==
        doctest::Approx(row["expected"]["achieved_pct_active_sms_only"].as<double>()).epsilon(0.001));
  CHECK(100 * result.achieved_occupancy_elapsed() ==
        doctest::Approx(row["expected"]["achieved_pct_all_sms"].as<double>()).epsilon(0.001));
}

TEST_CASE("measured occupancy of public reports: equal blocks reach theoretical, and the last wave costs "
          "what it did there")
{
  {
    const YAML::Node row =
        row_named("tail-4060-trial");  // a dummy shared array keeps the kernel at one block per SM
    const RunResult result =
        run(arch("rtx4090"), equal_blocks(256, 256, "60 KiB"), {}, RunOptions{}.max_cycles, 24);
    REQUIRE(result.occupancy.blocks_per_sm == number(row["inputs"], "blocks_per_sm"));
    CHECK(100 * result.achieved_occupancy() ==
          doctest::Approx(row["expected"]["measured_pct"].as<double>()).epsilon(0.01));
    const double warps_per_scheduler = result.achieved_occupancy() * 48 / 4;
    CHECK(warps_per_scheduler ==
          doctest::Approx(row["expected"]["active_warps_per_scheduler"].as<double>()).epsilon(0.01));
  }
  {
    const YAML::Node row = row_named("tail-l4");
    const RunResult result =
        run(arch("rtx4090"), equal_blocks(2048, 256, "25 KiB"), {}, RunOptions{}.max_cycles, 58);
    REQUIRE(result.occupancy.blocks_per_sm == number(row["inputs"], "blocks_per_sm"));
    CHECK(percent_of(result.occupancy) == row["expected"]["theoretical_pct"].as<double>());
    for (const YAML::Node& measured : row["expected"]["measured_pct"])
      CHECK(std::abs(100 * result.achieved_occupancy() - measured.as<double>()) < 1.25);
  }
  {
    const YAML::Node row =
        row_named("tail-gb200-cublaslt");  // its measured 15.53 % needs that kernel's own block lengths
    const RunResult result =
        run(arch("b200"), equal_blocks(288, 384, "200 KiB"), {}, RunOptions{}.max_cycles, 152);
    REQUIRE(result.occupancy.blocks_per_sm == number(row["inputs"], "blocks_per_sm"));
    CHECK(percent_of(result.occupancy) == row["expected"]["theoretical_pct"].as<double>());
    CHECK(100.0 / static_cast<double>(1 + result.full_waves()) ==
          row["expected"]["ncu_tail_speedup_pct"].as<double>());
  }
  CHECK(rows_of("achieved_occupancy").size() == 4);
}

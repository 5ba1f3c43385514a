// Public launches, suggestions and device tables (public_cases.yaml): every row is equal, or it is said here
// in words why not.
#include "reference/public_cases.h"

#include <cmath>
#include <set>

using namespace smsim;
using namespace smsim::test;

namespace {

KernelConfig kernel_of(const YAML::Node& inputs)
{
  KernelConfig kernel;
  kernel.block = {static_cast<std::uint32_t>(number(inputs, "threads_per_block", 32)), 1, 1};
  kernel.registers_per_thread = static_cast<std::uint32_t>(number(inputs, "regs_per_thread"));
  kernel.static_shared_bytes = number(inputs, "static_smem_bytes");
  kernel.dynamic_shared_bytes = number(inputs, "dynamic_smem_bytes");
  kernel.barriers = static_cast<std::uint32_t>(number(inputs, "named_barriers", 1));
  if (inputs["carveout_percent"])
    kernel.carveout = {Carveout::Kind::percent, number(inputs, "carveout_percent")};
  return kernel;
}

}  // namespace

TEST_CASE("every public launch has the blocks, warps, limits, binding limits and allocations of NVIDIA's "
          "calculator")
{
  int rows = 0;
  for (const YAML::Node& row : rows_of("theoretical_occupancy")) {
    CAPTURE(row["id"].as<std::string>());
    const YAML::Node expected = row["expected"];
    const Occupancy occupancy = calculate_occupancy(arch_of(row["inputs"]), kernel_of(row["inputs"]));
    CHECK(occupancy.blocks_per_sm == number(expected, "blocks_per_sm"));
    CHECK(occupancy.warps_per_sm == number(expected, "warps_per_sm"));
    CHECK(occupancy.max_warps_per_sm == number(expected, "max_warps"));
    CHECK(percent_of(occupancy) == doctest::Approx(expected["occupancy_pct"].as<double>()).epsilon(0.0001));
    CHECK(occupancy.registers_per_block == number(expected, "regs_allocated_per_block"));
    CHECK(occupancy.shared_bytes_per_block == number(expected, "smem_allocated_per_block"));
    CHECK(occupancy.launchable() == (!expected["launchable"] || expected["launchable"].as<bool>()));
    CHECK(occupancy.launchable() == (occupancy.blocks_per_sm > 0));
    for (const LimiterInfo& info : limiter_table) {
      CAPTURE(info.key);
      const YAML::Node limit = expected["limits"][info.key];
      CHECK(occupancy.limit(info.limiter) ==
            (limit.IsNull() ? BlockLimit{} : BlockLimit{limit.as<std::uint64_t>()}));
    }
    std::set<std::string> binding;
    for (const Limiter limiter : occupancy.limiters)
      binding.insert(limiter_table[static_cast<std::size_t>(limiter)].key);
    const auto words = expected["binding"].as<std::vector<std::string>>();
    CHECK(binding == std::set<std::string>(words.begin(), words.end()));
    ++rows;
  }
  CHECK(rows == 50);
}

TEST_CASE("what public sources claimed is right exactly where NVIDIA's calculator says so")
{
  for (const YAML::Node& row : rows_of("theoretical_occupancy")) {
    if (!row["claimed"] || !row["agrees_with_header"]) continue;
    CAPTURE(row["id"].as<std::string>());
    const YAML::Node claimed = row["claimed"];
    const Occupancy occupancy = calculate_occupancy(arch_of(row["inputs"]), kernel_of(row["inputs"]));
    bool agrees = true;
    if (claimed["blocks_per_sm"])
      agrees = agrees && occupancy.blocks_per_sm == number(claimed, "blocks_per_sm");
    if (claimed["occupancy_pct"])
      agrees = agrees && std::abs(percent_of(occupancy) - claimed["occupancy_pct"].as<double>()) < 0.05;
    CHECK(agrees == row["agrees_with_header"].as<bool>());
  }
}

TEST_CASE("public rows older than NVIDIA's calculator agree, but for a block counted as half a warp")
{
  REQUIRE(rows_of("theoretical_occupancy_pre_header").size() == 2);
  const YAML::Node fermi = row_named("occ-occucal-20");
  const Occupancy occupancy = calculate_occupancy(arch_of(fermi["inputs"]), kernel_of(fermi["inputs"]));
  CHECK(occupancy.blocks_per_sm == number(fermi["expected"], "blocks_per_sm"));
  CHECK(occupancy.warps_per_sm == number(fermi["expected"], "warps_per_sm"));
  CHECK(percent_of(occupancy) ==
        doctest::Approx(fermi["expected"]["occupancy_pct"].as<double>()).epsilon(0.0001));

  const YAML::Node tutorial = row_named("occ-3dgep-16x16");
  const ArchConfig arch = arch_of("1.3", tutorial["inputs"]);
  CHECK(arch.sm.max_warps * arch.sm.warp_size == number(tutorial["inputs"], "max_threads"));
  CHECK(arch.sm.max_blocks == number(tutorial["inputs"], "max_blocks"));
  for (const auto& block : tutorial["inputs"]["blocks"]) {
    const auto name = block.first.as<std::string>();
    CAPTURE(name);
    KernelConfig kernel;
    kernel.block = {block.second.as<std::uint32_t>(), 1, 1};
    const double got = percent_of(calculate_occupancy(arch, kernel));
    const bool equal = got == tutorial["expected"][name].as<double>();
    CHECK(equal == (name != "4x4"));
    if (name == "4x4")
      CHECK_MESSAGE(got == 25,
                    "the text counts a block of 16 threads as half a warp; a block has whole warps");
  }
}

TEST_CASE("the suggested block size and grid of public rows")
{
  for (const char* id : {"occ-kokkos-5739-suggest", "occ-kokkos-5624-r43"}) {
    CAPTURE(id);
    const YAML::Node row = row_named(id);
    const Suggestion suggestion = suggest_launch(arch_of(row["inputs"]), kernel_of(row["inputs"]));
    CHECK(suggestion.block_size == number(row["expected"], "block_size"));
    CHECK(suggestion.min_grid == number(row["expected"], "min_grid"));
  }
  const YAML::Node range = row_named("occ-brian2cuda-266");
  REQUIRE(range["inputs"]["regs_per_thread"].as<std::string>() == "41..48");
  const ArchConfig arch = arch_of(range["inputs"]);
  for (std::uint32_t registers = 41; registers <= 48; ++registers) {
    CAPTURE(registers);
    KernelConfig kernel;
    kernel.registers_per_thread = registers;
    CHECK(suggest_launch(arch, kernel).block_size == number(range["expected"], "block_size"));
    kernel.block = {640, 1, 1};
    CHECK(calculate_occupancy(arch, kernel).blocks_per_sm ==
          number(range["expected"], "blocks_per_sm_at_640"));
    CHECK(percent_of(calculate_occupancy(arch, kernel)) ==
          range["expected"]["occupancy_at_640"].as<double>());
    kernel.block = {1024, 1, 1};
    CHECK(percent_of(calculate_occupancy(arch, kernel)) ==
          range["expected"]["occupancy_at_1024"].as<double>());
  }
  CHECK(rows_of("block_size_suggestion").size() == 3);
}

TEST_CASE("without opting in, a block's dynamic shared memory ends where the public row says")
{
  const YAML::Node row = row_named("occ-rocm-899");
  ArchConfig arch = arch_of(row["inputs"]);
  arch.shared_memory.max_per_block = arch.shared_memory.default_max_per_block;
  KernelConfig kernel = kernel_of(row["inputs"]);
  kernel.dynamic_shared_bytes = number(row["expected"], "dynamic_smem_available");
  CHECK(calculate_occupancy(arch, kernel).launchable());
  ++kernel.dynamic_shared_bytes;
  CHECK(calculate_occupancy(arch, kernel).not_launchable ==
        "49153 B of shared memory per block; the architecture allows 48 KiB");
}

TEST_CASE("how much static shared memory a block may have is a key of the architecture, not a constant")
{
  // The compiler accepts more than 48 KiB for targets such as sm_120a and sm_90a.
  for (const auto& ceiling : row_named("ptxas-atlas-903")["inputs"]["static_smem_ceiling"]) {
    const auto target = ceiling.first.as<std::string>();
    const auto bytes = ceiling.second.as<std::string>();
    CAPTURE(target);
    KernelConfig kernel;
    kernel.static_shared_bytes = ceiling.second.as<std::uint64_t>();
    const std::string preset = target.starts_with("sm_120") ? "rtx5080" : "h100";
    const bool suffixed = target.ends_with('a');
    CHECK(calculate_occupancy(arch(preset), kernel).launchable() == !suffixed);
    const ArchConfig raised = arch(preset, {"shared_memory.default_max_per_block=" + bytes});
    CHECK(calculate_occupancy(raised, kernel).launchable());
    ++kernel.static_shared_bytes;
    CHECK_FALSE(calculate_occupancy(raised, kernel).launchable());
  }
}

TEST_CASE("published device tables: the presets have the right sizes, and a table with the wrong ones does "
          "not load")
{
  const YAML::Node tables = row_named("occ-hip-tables");
  for (const auto& expected : tables["expected"]) {
    const auto capability = expected.first.as<std::string>();
    CAPTURE(capability);
    CHECK(arch_of(capability, tables["inputs"]).max_shared_memory() == expected.second.as<std::uint64_t>());
  }
  // 101376 B are what a block may have, not what the SM has: with the reserve they do not fit themselves.
  CHECK_THROWS_WITH_AS(arch("rtx4090", {"shared_memory.carveouts=[0 B, 101376 B]"}),
                       doctest::Contains("99 KiB and the reserve exceed the largest carveout"), InputError);

  const YAML::Node orin = row_named("occ-tmcdonell-77");
  const ArchConfig arch = arch_of(orin["inputs"]);
  CHECK(arch.sm.max_warps * arch.sm.warp_size == number(orin["inputs"], "max_threads_per_sm"));
  CHECK(arch.sm.max_blocks == number(orin["expected"], "max_blocks"));
  CHECK(arch.register_file.registers == number(orin["expected"], "regs_per_sm"));
  CHECK(test::arch("orin").sms == number(orin["inputs"], "num_sms"));
  CHECK(rows_of("device_table").size() == 2);
}

TEST_CASE("a third of the SM is one block of 700 threads, not none")
{
  const YAML::Node row = row_named("occ-kokkos-3379");
  const ArchConfig arch = test::arch("a100");
  KernelConfig kernel;
  kernel.block = {row["inputs"]["block"].as<std::uint32_t>(), 1, 1};
  const Occupancy occupancy = calculate_occupancy(arch, kernel);
  REQUIRE(arch.sm.max_warps * arch.sm.warp_size == number(row["inputs"], "max_threads"));
  std::uint64_t blocks = 1;
  while (100 * blocks * occupancy.warps_per_block <
         number(row["inputs"], "desired_occupancy_pct") * arch.sm.max_warps)
    ++blocks;
  CHECK(blocks == number(row["expected"], "blocks_per_sm"));
  CHECK(occupancy.warps_per_block == 22);
}

TEST_CASE("no public row is left out")
{
  const std::set<std::string> walked{"theoretical_occupancy",
                                     "theoretical_occupancy_pre_header",
                                     "block_size_suggestion",
                                     "waves",
                                     "achieved_occupancy",
                                     "dynamic_smem_available",
                                     "limits",
                                     "device_table",
                                     "integer_arithmetic",
                                     "file_format"};
  std::set<std::string> ids;
  for (const YAML::Node& row : public_cases()) {
    CAPTURE(row["id"].as<std::string>());
    CHECK(walked.contains(row["kind"].as<std::string>()));
    CHECK(ids.insert(row["id"].as<std::string>()).second);
  }
  CHECK(ids.size() == 71);
}

// The calculator's rules one by one, and what must hold for every launch.
#include "base/random.h"
#include "occupancy/calculator.h"
#include "support/kernels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace smsim;

namespace {

std::uint64_t draw(std::uint32_t index, std::uint32_t which) { return draw_u32({7, index, 0, which, 0}); }

KernelConfig launch(std::uint32_t threads, std::uint32_t registers, std::uint64_t static_shared = 0,
                    std::uint64_t dynamic_shared = 0)
{
  KernelConfig kernel;
  kernel.block = {threads, 1, 1};
  kernel.registers_per_thread = registers;
  kernel.static_shared_bytes = static_shared;
  kernel.dynamic_shared_bytes = dynamic_shared;
  return kernel;
}

const std::vector<ArchConfig>& all_presets()
{
  static const std::vector<ArchConfig> archs = [] {
    std::vector<ArchConfig> loaded;
    for (const PresetInfo& preset : list_arch_presets())
      loaded.push_back(test::arch(preset.name));
    return loaded;
  }();
  return archs;
}

/// Launches that users could ask for, some of them impossible, over every preset.
struct RandomLaunch {
  const ArchConfig* arch;
  KernelConfig kernel;
};

RandomLaunch random_launch(std::uint32_t index)
{
  const auto below = [&](std::uint32_t which, std::uint64_t bound) { return draw(index, which) % bound; };
  const ArchConfig& arch = all_presets()[below(0, all_presets().size())];
  KernelConfig kernel =
      launch(static_cast<std::uint32_t>(1 + below(1, 1100)), static_cast<std::uint32_t>(below(2, 256)));
  if (below(3, 2) == 0) kernel.static_shared_bytes = below(4, 49 * 1024);
  if (below(5, 2) == 0) kernel.dynamic_shared_bytes = below(6, arch.shared_memory.max_per_block + 2000);
  if (below(7, 3) == 0) kernel.carveout = {Carveout::Kind::percent, below(8, 101)};
  if (below(9, 3) == 0) kernel.barriers = static_cast<std::uint32_t>(below(10, 18));
  return {&arch, kernel};
}

std::string described(const RandomLaunch& launch)
{
  const KernelConfig& kernel = launch.kernel;
  return launch.arch->name + ", " + std::to_string(kernel.threads_per_block()) + " threads, " +
         std::to_string(kernel.registers_per_thread) + " registers, " +
         std::to_string(kernel.static_shared_bytes) + " + " + std::to_string(kernel.dynamic_shared_bytes) +
         " B, " + std::to_string(kernel.barriers) + " barriers";
}

constexpr std::uint32_t random_launches = 3000;

}  // namespace

TEST_CASE("a warp's registers are rounded up to the unit, and shared out by sub-partition, not pooled")
{
  const ArchConfig h100 = test::arch("h100");
  const Occupancy at33 = calculate_occupancy(h100, launch(32, 33));
  CHECK(at33.registers_per_warp == 1280);
  CHECK(at33.limit(Limiter::registers) == BlockLimit{48});  // pooled: 65536 / 1280 = 51
  const Occupancy at32 = calculate_occupancy(h100, launch(32, 32));
  CHECK(at32.registers_per_warp == 1024);
  CHECK(at32.limit(Limiter::registers) == BlockLimit{64});
  CHECK_FALSE(calculate_occupancy(h100, launch(32, 0)).limit(Limiter::registers).has_value());
}

TEST_CASE("a block's warps are whole, and its last may be partly empty")
{
  const ArchConfig a100 = test::arch("a100");
  CHECK(calculate_occupancy(a100, launch(1, 16)).warps_per_block == 1);
  CHECK(calculate_occupancy(a100, launch(33, 16)).warps_per_block == 2);
  CHECK(calculate_occupancy(a100, launch(1024, 16)).warps_per_block == 32);
  CHECK(calculate_occupancy(a100, launch(1024, 16)).launchable());
  CHECK_FALSE(calculate_occupancy(a100, launch(1025, 16)).launchable());
}

TEST_CASE("a block of three dimensions counts its threads")
{
  KernelConfig kernel = launch(16, 32);
  kernel.block = {16, 4, 4};
  CHECK(calculate_occupancy(test::arch("a100"), kernel).warps_per_block == 8);
}

TEST_CASE("shared memory carries the reserve and is rounded up to its unit")
{
  const auto allocated = [](const char* arch, std::uint64_t bytes) {
    return calculate_occupancy(test::arch(arch), launch(32, 16, bytes)).shared_bytes_per_block;
  };
  CHECK(allocated("a100", 0) == 1024);
  CHECK(allocated("a100", 1) == 1152);
  CHECK(allocated("v100", 0) == 0);
  CHECK(allocated("v100", 1) == 256);
  CHECK_FALSE(
      calculate_occupancy(test::arch("v100"), launch(32, 16)).limit(Limiter::shared_memory).has_value());
}

TEST_CASE("the launch check of registers per block rounds warps up, on the two sub-partitions of a P100 too")
{
  const Occupancy p100 = calculate_occupancy(test::arch("p100"), launch(320, 169));
  CHECK_FALSE(p100.launchable());
  CHECK(p100.limit(Limiter::registers) == BlockLimit{0});
  CHECK(calculate_occupancy(test::arch("p100"), launch(256, 169)).launchable());
}

TEST_CASE(
    "the carveout is the smallest that holds the preference and one block, without a preference the largest")
{
  const ArchConfig a100 = test::arch("a100");  // 0, 8, 16, 32, 64, 100, 132, 164 KiB
  KernelConfig kernel = launch(128, 32, 4096);
  const auto with = [&](Carveout carveout) {
    kernel.carveout = carveout;
    return chosen_carveout(a100, kernel) / 1024;
  };
  using Kind = Carveout::Kind;
  CHECK(with({}) == 164);
  CHECK(with({Kind::percent, 0}) == 8);
  CHECK(with({Kind::percent, 25}) == 64);
  CHECK(with({Kind::percent, 39}) == 64);
  CHECK(with({Kind::percent, 40}) == 100);
  CHECK(with({Kind::percent, 100}) == 164);
  CHECK(with({Kind::bytes, 32 * 1024}) == 32);
  CHECK(with({Kind::bytes, 32 * 1024 + 1}) == 64);
  CHECK(with({Kind::bytes, 1U << 30U}) == 164);
  kernel.dynamic_shared_bytes = 120 * 1024;
  CHECK(with({Kind::percent, 0}) == 132);
}

TEST_CASE(
    "more barriers than a block may name cannot launch, whether or not barriers limit the blocks of an SM")
{
  KernelConfig kernel = launch(64, 32);
  for (const char* arch : {"a100", "h100"}) {
    kernel.barriers = 16;
    CHECK(calculate_occupancy(test::arch(arch), kernel).launchable());
    kernel.barriers = 17;
    CHECK(calculate_occupancy(test::arch(arch), kernel).not_launchable ==
          "17 named barriers per block; the architecture allows 16");
    CHECK(calculate_occupancy(test::arch(arch), kernel).limiters == std::vector<Limiter>{Limiter::barriers});
  }
}

TEST_CASE("an SM too small for one block says which limit is 0")
{
  const ArchConfig small = test::arch("h100", {"sm.max_warps=4", "sm.max_threads_per_block=1024"});
  CHECK(calculate_occupancy(small, launch(256, 16)).not_launchable ==
        "not one block fits an empty SM: Block Limit Warps is 0");
}

TEST_CASE(
    "for every launch: the blocks are the least limit, all that equal it bind, and warps follow from blocks")
{
  int impossible = 0;
  for (std::uint32_t i = 0; i < random_launches; ++i) {
    const RandomLaunch random = random_launch(i);
    INFO(described(random));
    const Occupancy o = calculate_occupancy(*random.arch, random.kernel);
    std::uint64_t least = ~std::uint64_t{0};
    for (const BlockLimit& limit : o.limits)
      least = std::min(least, limit.value_or(least));
    REQUIRE(o.blocks_per_sm == least);
    std::vector<Limiter> at_least;
    for (const LimiterInfo& info : limiter_table)
      if (o.limit(info.limiter) == BlockLimit{least}) at_least.push_back(info.limiter);
    REQUIRE(o.limiters == at_least);
    REQUIRE_FALSE(o.limiters.empty());
    REQUIRE(o.launchable() == (o.blocks_per_sm > 0));
    REQUIRE(o.warps_per_sm == o.blocks_per_sm * o.warps_per_block);
    REQUIRE(o.warps_per_sm <= o.max_warps_per_sm);
    REQUIRE(resident_blocks(*random.arch, random.kernel) == o.blocks_per_sm);
    impossible += !o.launchable();
  }
  CHECK(impossible > 100);
  CHECK(impossible < 2000);
}

TEST_CASE("for every launch: more registers, shared memory or barriers, or another warp in the block, never "
          "give more blocks")
{
  for (std::uint32_t i = 0; i < random_launches; ++i) {
    const RandomLaunch random = random_launch(i);
    INFO(described(random));
    const std::uint64_t blocks = resident_blocks(*random.arch, random.kernel);
    const auto grown = [&](auto change) {
      KernelConfig kernel = random.kernel;
      change(kernel);
      return resident_blocks(*random.arch, kernel);
    };
    const auto step = static_cast<std::uint32_t>(1 + draw(i, 20) % 40);
    REQUIRE(grown([&](KernelConfig& k) { k.registers_per_thread += step; }) <= blocks);
    REQUIRE(grown([&](KernelConfig& k) { k.barriers += step; }) <= blocks);
    REQUIRE(grown([&](KernelConfig& k) { k.block[0] += step; }) <= blocks);
    REQUIRE(grown([&](KernelConfig& k) { k.static_shared_bytes += 100 * step; }) <= blocks);
    REQUIRE(grown([&](KernelConfig& k) { k.dynamic_shared_bytes += 100 * step; }) <= blocks);
  }
}

TEST_CASE("for every launch: no block size has more resident threads than the suggested one, and no larger "
          "one as many")
{
  for (std::uint32_t i = 0; i < 300; ++i) {
    RandomLaunch random = random_launch(i);
    INFO(described(random));
    const Suggestion suggestion = suggest_launch(*random.arch, random.kernel);
    std::uint64_t most = 0;
    std::uint64_t best = 0;
    for (std::uint32_t threads = 32; threads <= random.arch->sm.max_threads_per_block; threads += 32) {
      random.kernel.block = {threads, 1, 1};
      const std::uint64_t resident = threads * resident_blocks(*random.arch, random.kernel);
      if (resident > 0 && resident >= most) {
        most = resident;
        best = threads;
      }
    }
    REQUIRE(suggestion.block_size == best);
    REQUIRE(suggestion.min_grid == (best ? most / best * random.arch->sms : 0));
  }
}

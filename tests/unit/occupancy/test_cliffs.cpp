// Cliffs: the values named are the nearest with another answer, on every preset.
#include "base/random.h"
#include "occupancy/cliffs.h"
#include "support/kernels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

using namespace smsim;

namespace {

std::uint64_t draw(std::uint32_t index, std::uint32_t which) { return draw_u32({8, index, 0, which, 0}); }

KernelConfig launch(std::uint32_t threads, std::uint32_t registers, std::uint64_t dynamic_shared = 0)
{
  KernelConfig kernel;
  kernel.block = {threads, 1, 1};
  kernel.registers_per_thread = registers;
  kernel.dynamic_shared_bytes = dynamic_shared;
  return kernel;
}

std::string cliffs_text(const char* arch, const KernelConfig& kernel)
{
  std::string text;
  for (const Cliff& cliff : nearest_cliffs(test::arch(arch), kernel))
    text += cliff_text(cliff) + "\n";
  return text;
}

KernelConfig with(KernelConfig kernel, LaunchNumber what, std::uint64_t value)
{
  if (what == LaunchNumber::registers_per_thread)
    kernel.registers_per_thread = static_cast<std::uint32_t>(value);
  if (what == LaunchNumber::shared_bytes) {
    kernel.static_shared_bytes = std::min(kernel.static_shared_bytes, value);
    kernel.dynamic_shared_bytes = value - kernel.static_shared_bytes;
  }
  if (what == LaunchNumber::block_size) kernel.block = {static_cast<std::uint32_t>(value), 1, 1};
  return kernel;
}

}  // namespace

TEST_CASE("the cliffs of a launch, downward before upward")
{
  CHECK(cliffs_text("h100", launch(256, 33)) ==
        "32 registers per thread instead of 33 give 8 blocks per SM instead of 6 (100 %)\n"
        "41 registers per thread instead of 33 give 5 blocks per SM instead of 6 (62.5 %)\n"
        "37889 B of shared memory instead of 0 B give 5 blocks per SM instead of 6 (62.5 %)\n"
        "192 threads per block instead of 256 give 8 blocks per SM instead of 6 (75 %)\n"
        "257 threads per block instead of 256 give 5 blocks per SM instead of 6 (70.3 %)\n");
}

TEST_CASE("behind the last cliff nothing launches, one block is one block")
{
  const std::string text = cliffs_text("a100", launch(1024, 64));
  CHECK(text.find("65 registers per thread instead of 64 cannot launch\n") != std::string::npos);
  CHECK(text.find("512 threads per block instead of 1024 give 2 blocks per SM instead of 1 (50 %)\n") !=
        std::string::npos);
  CHECK(cliffs_text("a100", launch(1024, 127))
            .find("64 registers per thread instead of 127 give 1 block per SM instead of 0 (50 %)\n") !=
        std::string::npos);
}

TEST_CASE("a launch beyond a range has its cliff where the range begins to allow it, and none further out")
{
  CHECK(cliffs_text("a100", launch(2048, 16)) ==
        "1024 threads per block instead of 2048 give 2 blocks per SM instead of 0 (100 %)\n");
  const ArchConfig odd =
      test::arch("a100", {"sm.max_threads_per_block=1025", "register_file.max_per_block=131072"});
  const auto cliffs = nearest_cliffs(odd, launch(1024, 16));
  REQUIRE_FALSE(cliffs.empty());
  CHECK(cliff_text(cliffs.back()) ==
        "1025 threads per block instead of 1024 give 1 block per SM instead of 2 (51.6 %)");
  KernelConfig too_static = launch(256, 32);
  too_static.static_shared_bytes = 60 * 1024;
  CHECK(cliffs_text("a100", too_static) ==
        "48 KiB of shared memory instead of 60 KiB give 3 blocks per SM instead of 0 (37.5 %)\n");
}

TEST_CASE("shared memory may shrink below what is static: the worked example's best cliff")
{
  KernelConfig worked = launch(256, 64);
  worked.static_shared_bytes = 48 * 1024;
  CHECK(cliffs_text("a100", worked)
            .find("40 KiB of shared memory instead of 48 KiB give 4 blocks per SM "
                  "instead of 3 (50 %)\n") != std::string::npos);
}

TEST_CASE(
    "every cliff of random launches is one: its value has another answer, and every value before it has not")
{
  for (const PresetInfo& preset : list_arch_presets()) {
    const ArchConfig arch = test::arch(preset.name);
    for (std::uint32_t i = 0; i < 12; ++i) {
      const KernelConfig kernel = launch(static_cast<std::uint32_t>(1 + draw(i, 0) % 1024),
                                         static_cast<std::uint32_t>(1 + draw(i, 1) % 128),
                                         draw(i, 2) % 3 == 0 ? draw(i, 3) % 40'000 : 0);
      CAPTURE(preset.name);
      CAPTURE(kernel.threads_per_block());
      CAPTURE(kernel.registers_per_thread);
      CAPTURE(kernel.dynamic_shared_bytes);
      const std::uint64_t blocks = resident_blocks(arch, kernel);
      std::map<std::pair<LaunchNumber, bool>, int> seen;
      for (const Cliff& cliff : nearest_cliffs(arch, kernel)) {
        const bool up = cliff.to > cliff.from;
        REQUIRE(++seen[{cliff.what, up}] == 1);
        REQUIRE(cliff.blocks_before == blocks);
        REQUIRE(cliff.blocks_after != blocks);
        const Occupancy after = calculate_occupancy(arch, with(kernel, cliff.what, cliff.to));
        REQUIRE(after.blocks_per_sm == cliff.blocks_after);
        REQUIRE(after.ratio() == cliff.occupancy_after);
        for (std::uint64_t value = std::min(cliff.from, cliff.to) + (up ? 0 : 1);
             value < std::max(cliff.from, cliff.to) + (up ? 0 : 1); ++value)
          REQUIRE(resident_blocks(arch, with(kernel, cliff.what, value)) == blocks);
      }
      // Where no cliff is named, the whole range has the same answer.
      for (std::uint32_t value = 1; value <= arch.register_file.max_per_thread; ++value) {
        const bool up = value > kernel.registers_per_thread;
        if (!seen.contains({LaunchNumber::registers_per_thread, up}))
          REQUIRE(resident_blocks(arch, with(kernel, LaunchNumber::registers_per_thread, value)) == blocks);
      }
    }
  }
}

TEST_CASE("curves cover the whole range in order, and end at the most that a block may have")
{
  const ArchConfig arch = test::arch("h100");
  KernelConfig kernel = launch(200, 40);
  kernel.static_shared_bytes = 1000;
  const auto registers = occupancy_curve(arch, kernel, LaunchNumber::registers_per_thread);
  REQUIRE(registers.size() == 255);
  CHECK(registers.front().value == 1);
  CHECK(registers.back().value == 255);
  const auto threads = occupancy_curve(arch, kernel, LaunchNumber::block_size);
  REQUIRE(threads.size() == 32);
  CHECK(threads.front().value == 32);
  CHECK(threads.back().value == 1024);
  const auto shared = occupancy_curve(arch, kernel, LaunchNumber::shared_bytes);
  CHECK(shared.front().value == 0);
  CHECK(shared[1].value == 1024);
  CHECK(shared.back().value == 227 * 1024);
  CHECK(shared.back().occupancy.launchable());
  const auto odd = occupancy_curve(test::arch("h100", {"sm.max_threads_per_block=1000"}), kernel,
                                   LaunchNumber::block_size);
  REQUIRE(odd.size() == 32);
  CHECK(odd.back().value == 1000);
}

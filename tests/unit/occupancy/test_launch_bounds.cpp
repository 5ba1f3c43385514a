#include "occupancy/calculator.h"
#include "occupancy/launch_bounds.h"
#include "support/kernels.h"

#include <doctest/doctest.h>

using namespace smsim;

namespace {

std::uint64_t blocks_by_registers(const ArchConfig& arch, std::uint32_t threads, std::uint32_t registers)
{
  KernelConfig kernel;
  kernel.block = {threads, 1, 1};
  kernel.registers_per_thread = registers;
  return calculate_occupancy(arch, kernel).limit(Limiter::registers).value_or(0);
}

}  // namespace

TEST_CASE("launch bounds give the most registers with which the calculator still fits the blocks, on every "
          "architecture")
{
  std::size_t found = 0;
  std::size_t refused = 0;
  for (const char* name : {"gtx750ti", "p100", "v100", "t4", "a100", "rtx3090", "h100", "b200"}) {
    const ArchConfig arch = test::arch(name);
    for (const std::uint32_t threads : {1U, 32U, 33U, 96U, 128U, 256U, 500U, 512U, 768U, 1024U, 1025U})
      for (const std::uint32_t blocks : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 12U, 16U, 17U, 24U, 32U, 33U, 64U}) {
        CAPTURE(name);
        CAPTURE(threads);
        CAPTURE(blocks);
        std::string why;
        const auto registers = registers_within(arch, {threads, blocks}, why);
        if (registers) {
          ++found;
          CHECK(why.empty());
          CHECK(blocks_by_registers(arch, threads, *registers) >= blocks);
          if (*registers < arch.register_file.max_per_thread)
            CHECK(blocks_by_registers(arch, threads, *registers + 1) < blocks);
        } else {
          ++refused;
          CHECK_FALSE(why.empty());
          const std::uint64_t warps = std::uint64_t{blocks} * ((threads + 31) / 32);
          CHECK((threads > arch.sm.max_threads_per_block || blocks > arch.sm.max_blocks ||
                 warps > arch.sm.max_warps || blocks_by_registers(arch, threads, 1) < blocks));
        }
      }
  }
  CHECK(found > 300);
  CHECK(refused > 300);
}

TEST_CASE("bounds that users know: 256 threads and 8 blocks are 32 registers where an SM has 64 K")
{
  std::string why;
  CHECK(registers_within(test::arch("a100"), {256, 8}, why) == 32U);
  CHECK(registers_within(test::arch("a100"), {256, 1}, why) == 255U);
  CHECK(registers_within(test::arch("a100"), {1024, 1}, why) == 64U);
  CHECK(registers_within(test::arch("a100"), {128, 3}, why) == 168U);
}

TEST_CASE("bounds that no register count satisfies name the resource")
{
  const auto why = [](const std::vector<std::string>& overrides, const LaunchBounds& bounds) {
    std::string text;
    CHECK_FALSE(registers_within(test::arch("a100", overrides), bounds, text));
    return text;
  };
  CHECK(why({}, {1025, 1}) == "1025 threads per block; the architecture allows 1024");
  CHECK(why({}, {32, 33}) == "33 blocks per SM; the architecture allows 32");
  CHECK(why({}, {512, 5}) == "5 blocks of 512 threads are 80 warps; an SM holds 64");
  CHECK(why({"register_file.registers=8192"}, {256, 8}) ==
        "8 blocks of 256 threads do not fit an SM's registers even with one register a thread; 4 would");
}

// smsim occupancy --explain and --curve: the arithmetic, and the calculator's graphs.
#include "occupancy/cliffs.h"
#include "support/kernels.h"
#include "support/program.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <map>
#include <string>

using namespace smsim;
using Json = nlohmann::ordered_json;

namespace {

std::string output_of(const std::string& arguments)
{
  const test::ProgramRun run = test::smsim("occupancy " + arguments);
  CAPTURE(arguments);
  CHECK(run.status == 0);
  CHECK(run.err == "");
  return run.out;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

int count(const std::string& text, const std::string& part)
{
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

}  // namespace

TEST_CASE(
    "--explain shows the arithmetic of each limit, what rounding costs and the nearest cliffs, word for word")
{
  // With SMSIM_UPDATE_EXPECTED=1 in the environment the expected text is written anew, to be read before it
  // is committed.
  const std::string golden = SMSIM_SOURCE_DIR "/tests/golden/occupancy_explain_h100.txt";
  const std::string text = output_of(
      "--arch h100 --threads 250 --registers 33 --static-shared 10000 --dynamic-shared 20KiB --explain");
  if (std::getenv("SMSIM_UPDATE_EXPECTED")) test::write_file(golden, text);
  CHECK(text == test::read_file(golden));
}

TEST_CASE("33 registers: 51 warps in one pooled file, 48 in four sub-partitions")
{
  const std::string text = output_of("--arch h100 --threads 256 --registers 33 --explain");
  CHECK(has(text, "33 registers x 32 threads = 1056 per warp; in units of 256: 1280 (rounding costs 224 per "
                  "warp, 1792 per block)\n"));
  CHECK(has(
      text,
      "65536 registers / 4 sub-partitions = 16384 each; / 1280, rounded down = 12 warps, x 4 = 48 warps\n"));
  CHECK(has(text, "one pooled file would hold 65536 / 1280 = 51 warps: the sub-partitions cost 3\n"));
  CHECK(has(text, "  32 registers per thread instead of 33 give 8 blocks per SM instead of 6 (100 %)\n"
                  "  41 registers per thread instead of 33 give 5 blocks per SM instead of 6 (62.5 %)\n"));
}

TEST_CASE("--explain says why a launch is impossible, and which change would make it possible")
{
  const std::string text = output_of("--arch a100 --threads 1024 --registers 127 --explain");
  CHECK(has(text, "launch check: 32 warps, rounded up to a multiple of 4, are 32; x 4096 = 131072 registers "
                  "exceed the 65536 that a "
                  "block may have\n  => 0 blocks\n"));
  CHECK(has(text, "64 registers per thread instead of 127 give 1 block per SM instead of 0 (50 %)\n"));
  const std::string shared =
      output_of("--arch a100 --threads 256 --registers 32 --static-shared 49KiB --explain");
  CHECK(has(
      shared,
      "a block may have at most 48 KiB static, and 163 KiB static and dynamic together\n  => 0 blocks\n"));
}

TEST_CASE("--explain of a cliff behind which nothing launches says so")
{
  const std::string text = output_of("--arch a100 --threads 1024 --registers 64 --explain");
  CHECK(has(text, "65 registers per thread instead of 64 cannot launch\n"));
}

TEST_CASE(
    "a curve has a line for every register count, every warp of block size and every KiB of shared memory")
{
  const std::string registers = output_of("--arch h100 --threads 256 --registers 33 --curve registers");
  CHECK(count(registers, " % |") == 255);
  CHECK(count(registers, " * ") == 1);
  CHECK(has(registers,
            "\n       33 *  75.00 % |##############################          | 6 blocks, registers\n"));
  CHECK(has(registers,
            "\n      255    12.50 % |#####                                   | 1 block, registers\n"));

  const std::string threads = output_of("--arch h100 --threads 200 --registers 40 --curve threads");
  CHECK(count(threads, " % |") == 32);
  CHECK(has(threads, "\n      224 *  65.62 %"));

  const std::string shared =
      output_of("--arch a100 --threads 256 --registers 32 --static-shared 1000 --curve shared");
  CHECK(count(shared, " % |") == 163 + 1);
  CHECK(has(shared, "\n      0 B * 100.00 %"));
  CHECK(has(shared,
            "\n  163 KiB    12.50 % |#####                                   | 1 block, shared memory\n"));
}

TEST_CASE("a curve says where nothing launches")
{
  const std::string text = output_of("--arch a100 --threads 1024 --registers 64 --curve registers");
  CHECK(has(text, "\n       64 *  50.00 % |####################                    | 1 block, registers\n"
                  "       65     0.00 % |                                        | cannot launch\n"));
}

TEST_CASE("a curve's JSON has the calculator's answer at every point")
{
  const ArchConfig arch = test::arch("orin");
  const std::string launch =
      "--arch orin --threads 192 --registers 45 --dynamic-shared 9000 --format json --curve ";
  const std::map<std::string, std::string> keys{
      {"registers", "registers_per_thread"}, {"threads", "threads_per_block"}, {"shared", "shared_bytes"}};
  for (const auto& key : keys) {
    CAPTURE(key.first);
    const Json out = Json::parse(output_of(launch + key.first));
    CHECK(out["over"] == key.second);
    REQUIRE(out["points"].size() > 30);
    for (const Json& point : out["points"]) {
      const auto value = point["value"].get<std::uint64_t>();
      CAPTURE(value);
      KernelConfig kernel;
      kernel.block = {192, 1, 1};
      kernel.registers_per_thread = 45;
      kernel.dynamic_shared_bytes = 9000;
      if (out["over"] == "registers_per_thread")
        kernel.registers_per_thread = static_cast<std::uint32_t>(value);
      if (out["over"] == "threads_per_block") kernel.block = {static_cast<std::uint32_t>(value), 1, 1};
      if (out["over"] == "shared_bytes") kernel.dynamic_shared_bytes = value;
      const Occupancy occupancy = calculate_occupancy(arch, kernel);
      CHECK(point["blocks_per_sm"] == occupancy.blocks_per_sm);
      CHECK(point["warps_per_sm"] == occupancy.warps_per_sm);
      CHECK(point["occupancy"] == occupancy.ratio());
    }
  }
}

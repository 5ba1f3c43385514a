// smsim occupancy for one launch: the JSON's keys, the text, the figures that users know, what the options
// mean.
#include "support/program.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace test = smsim::test;
using Json = nlohmann::ordered_json;

namespace {

std::string text_of(const std::string& arguments)
{
  const auto run = test::smsim("occupancy " + arguments);
  CAPTURE(arguments);
  CHECK(run.status == 0);
  CHECK(run.err == "");
  return run.out;
}

Json json_of(const std::string& arguments) { return Json::parse(text_of(arguments + " --format json")); }

std::vector<std::string> keys(const Json& object)
{
  std::vector<std::string> names;
  for (const auto& item : object.items())
    names.push_back(item.key());
  return names;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("256 threads of 64 registers and 48 KiB on an A100: 3 blocks, 37.5 %, because of shared memory")
{
  const Json out = json_of("--arch a100 --threads 256 --registers 64 --static-shared 48KiB");
  CHECK(out["blocks_per_sm"] == 3);
  CHECK(out["warps_per_sm"] == 24);
  CHECK(out["max_warps_per_sm"] == 64);
  CHECK(out["occupancy"] == 0.375);
  CHECK(out["limits"] ==
        Json{{"warps", 8}, {"blocks", 32}, {"registers", 4}, {"shared_memory", 3}, {"barriers", nullptr}});
  CHECK(out["limiters"] == Json{"shared_memory"});
  CHECK(out["allocated"] == Json{{"registers_per_block", 16384}, {"shared_bytes_per_block", 49 * 1024}});
  CHECK(out["suggested"] == Json{{"block_size", 1024}, {"min_grid", 108}});
}

TEST_CASE("the JSON of a launch has these keys, in this order")
{
  const Json out = json_of("--arch h100 --threads 256 --registers 64");
  CHECK(keys(out) == Words{"architecture", "compute_capability", "launchable", "not_launchable_reason",
                           "blocks_per_sm", "warps_per_sm", "max_warps_per_sm", "occupancy", "limits",
                           "limiters", "allocated", "suggested", "cliffs"});
  CHECK(keys(out["limits"]) == Words{"warps", "blocks", "registers", "shared_memory", "barriers"});
  CHECK(keys(out["allocated"]) == Words{"registers_per_block", "shared_bytes_per_block"});
  CHECK(keys(out["suggested"]) == Words{"block_size", "min_grid"});
  CHECK(out["launchable"] == true);
  CHECK(out["not_launchable_reason"] == nullptr);
  REQUIRE(out["cliffs"].size() >= 2);
  CHECK(out["cliffs"][0] == Json{{"of", "registers_per_thread"},
                                 {"from", 64},
                                 {"to", 48},
                                 {"blocks_per_sm", 5},
                                 {"occupancy", 0.625}});
}

TEST_CASE(
    "256 threads on an H100 have 64, 32 and 16 warps with 32, 64 and 128 registers, 64 threads of 255 have 8")
{
  CHECK(json_of("--arch h100 --threads 256 --registers 32")["warps_per_sm"] == 64);
  CHECK(json_of("--arch h100 --threads 256 --registers 64")["warps_per_sm"] == 32);
  CHECK(json_of("--arch h100 --threads 256 --registers 128")["warps_per_sm"] == 16);
  CHECK(json_of("--arch h100 --threads 64 --registers 255")["warps_per_sm"] == 8);
}

TEST_CASE("every limit that equals the minimum binds, barriers too")
{
  CHECK(json_of("--arch a100 --threads 64 --registers 32")["limiters"] ==
        Json{"warps", "blocks", "registers"});
  const Json barriers = json_of("--arch h100 --threads 64 --registers 32 --barriers 16");
  CHECK(barriers["blocks_per_sm"] == 4);
  CHECK(barriers["limiters"] == Json{"barriers"});
  CHECK(json_of("--arch h100 --threads 64 --registers 32 --barriers 2")["limiters"] ==
        Json{"warps", "blocks", "registers", "barriers"});
  CHECK(json_of("--arch h100 --threads 64 --registers 32 --barriers 0")["limits"]["barriers"] == nullptr);
  CHECK(json_of("--arch a100 --threads 64 --registers 32 --barriers 16")["limits"]["barriers"] == nullptr);
}

TEST_CASE("a launch that is impossible is an answer with its reason, not an error")
{
  const Json out = json_of("--arch a100 --threads 2048 --registers 16");
  CHECK(out["launchable"] == false);
  CHECK(out["not_launchable_reason"] == "2048 threads per block; the architecture allows 1024");
  CHECK(out["blocks_per_sm"] == 0);
  CHECK(out["occupancy"] == 0.0);
  CHECK(out["limiters"] == Json{"warps"});
  CHECK(out["cliffs"][0] == Json{{"of", "threads_per_block"},
                                 {"from", 2048},
                                 {"to", 1024},
                                 {"blocks_per_sm", 2},
                                 {"occupancy", 1.0}});

  const auto reason = [](const std::string& arguments) {
    return json_of(arguments)["not_launchable_reason"].get<std::string>();
  };
  CHECK(reason("--arch p100 --threads 320 --registers 169") ==
        "5632 registers per warp times 10 warps, rounded up to a multiple of 4, is 67584 registers per "
        "block; the architecture "
        "allows 65536");
  CHECK(reason("--arch a100 --threads 256 --registers 32 --static-shared 60KiB") ==
        "60 KiB of static shared memory; at most 48 KiB can be static, more must be dynamic");
  CHECK(reason("--arch a100 --threads 256 --registers 32 --dynamic-shared 200KiB") ==
        "200 KiB of shared memory per block; the architecture allows 163 KiB");
  CHECK(reason("--arch h100 --threads 256 --registers 32 --set register_file.registers=4096") ==
        "not one block fits an empty SM: Block Limit Registers is 0");
  CHECK(text_of("--arch a100 --threads 2048 --registers 16")
            .find("\nLaunch impossible: 2048 threads per block; the architecture allows 1024.\n") !=
        std::string::npos);
}

TEST_CASE("the text has Nsight Compute's labels, marks what limits and ends with the verdict")
{
  CHECK(text_of("--arch a100 --threads 256 --registers 64 --static-shared 48KiB") ==
        "256 threads, 64 registers, 48 KiB shared memory on A100 SXM4 80GB (compute capability 8.0)\n"
        "\n"
        "Occupancy\n"
        "  Theoretical Occupancy                            37.50 %\n"
        "  Theoretical Active Warps per SM                     24 of 64 warps\n"
        "  Blocks per SM                                        3 blocks\n"
        "  Block Limit Warps                                    8 blocks\n"
        "  Block Limit SM                                      32 blocks\n"
        "  Block Limit Registers                                4 blocks\n"
        "  Block Limit Shared Mem                               3 blocks  <- limits\n"
        "  Block Limit Barriers                          no limit\n"
        "  Allocated Registers Per Block                    16384 registers\n"
        "  Allocated Shared Memory Per Block               49 KiB\n"
        "  Shared Memory Configuration Size               164 KiB\n"
        "  Suggested Block Size                              1024 threads\n"
        "  Suggested Minimum Grid                             108 blocks for 108 SMs\n"
        "\n"
        "Launch possible; limited by shared memory.\n");
}

TEST_CASE("static and dynamic shared memory add up, sizes take B, KiB and MiB, and a bare number is bytes")
{
  for (const std::string size : {"--static-shared 40KiB --dynamic-shared 8KiB", "--dynamic-shared 49152",
                                 "--dynamic-shared 49152B", "--static-shared '48 KiB'"})
    CHECK(json_of("--arch a100 --threads 256 --registers 64 " +
                  size)["allocated"]["shared_bytes_per_block"] == 49 * 1024);
  CHECK(json_of("--arch a100 --threads 256 --registers 64 --dynamic-shared 1MiB")["launchable"] == false);
}

TEST_CASE("the carveout is a percentage of the largest, or a size, and is rounded up to what the SM has and "
          "a block needs")
{
  const auto blocks = [](const std::string& options) {
    return json_of("--arch a100 --threads 128 --registers 32 --static-shared 4KiB " +
                   options)["limits"]["shared_memory"]
        .get<int>();
  };
  CHECK(blocks("") == 32);
  CHECK(blocks("--carveout default") == 32);
  CHECK(blocks("--carveout 25%") == 12);  // 41 KiB: 64 KiB
  CHECK(blocks("--carveout 25") == 12);
  CHECK(blocks("--carveout 41KiB") == 12);
  CHECK(blocks("--carveout 64KiB") == 12);
  CHECK(blocks("--carveout 0%") == 1);  // 8 KiB, the least that holds a block
  CHECK(blocks("--carveout 100%") == 32);
  CHECK(blocks("--carveout 1MiB") == 32);
}

TEST_CASE("--set changes any key of the architecture, and the answer")
{
  CHECK(
      json_of(
          "--arch h100 --threads 256 --registers 64 --set register_file.registers=131072")["warps_per_sm"] ==
      64);
  CHECK(json_of("--arch h100 --threads 256 --registers 32 --set sms=10")["suggested"]["min_grid"] == 20);
  // A block may be smaller than the largest whole number of warps, or than one warp.
  CHECK(json_of("--arch h100 --threads 32 --registers 32 --dynamic-shared 120KiB --set "
                "sm.max_threads_per_block=1000")["suggested"]["block_size"] == 1000);
  CHECK(json_of("--arch h100 --threads 16 --registers 32 --set sm.max_threads_per_block=16")["suggested"]
                                                                                            ["block_size"] ==
        16);
}

TEST_CASE("--print-config prints the architecture with its overrides, which loads again")
{
  const std::string folder = test::temporary_folder();
  const std::string printed = text_of("--arch h200 --set sms=7 --print-config");
  CHECK(printed.find("\nsms: 7\n") != std::string::npos);
  const std::string file = test::write_file(folder + "/mine.yaml", printed);
  CHECK(text_of("--arch " + file + " --print-config") == printed);
}

TEST_CASE("--output writes the same report to a file, and nothing to stdout")
{
  const std::string file = test::temporary_folder() + "/report.json";
  const std::string arguments = "--arch a100 --threads 256 --registers 64 --format json";
  CHECK(text_of(arguments + " --output " + file) == "");
  CHECK(test::read_file(file) == text_of(arguments));
}

TEST_CASE("--cluster shows the maximum active clusters, and refuses a cluster that the GPU does not have")
{
  const auto run = test::smsim("occupancy --arch h100 --threads 1024 --registers 32 --dynamic-shared 200KiB "
                               "--cluster 16 --format json");
  CHECK(run.status == 0);
  // One block an SM; seven GPCs of 18 SMs hold one cluster each, the last of 6 none.
  CHECK(Json::parse(run.out)["max_active_clusters"] == 7);
  const auto refused = test::smsim("occupancy --arch a100 --threads 256 --registers 32 --cluster 2");
  CHECK(refused.status == 2);
  CHECK(refused.err.find("allowed: 1 to 1 on A100") != std::string::npos);
}

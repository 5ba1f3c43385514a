// smsim occupancy --ptxas: the kernels of a compiler's log, and of a profiler's table.
#include "support/program.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace test = smsim::test;
using Json = nlohmann::ordered_json;

namespace {

const std::string cuda13 = "tests/reference/ptxas_v_cuda13.log";

Json json_of(const std::string& arguments)
{
  const test::ProgramRun run = test::smsim("occupancy " + arguments + " --format json");
  CAPTURE(arguments);
  CHECK(run.status == 0);
  CHECK(run.err == "");
  return Json::parse(run.out);
}

std::string text_of(const std::string& arguments)
{
  const test::ProgramRun run = test::smsim("occupancy " + arguments);
  CAPTURE(arguments);
  CHECK(run.status == 0);
  CHECK(run.err == "");
  return run.out;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What grep would find: the figures of each "Used" line, with the names above it.
struct Seen {
  std::string kernel;
  std::string target;
  int registers = 0;
  int shared = 0;
  int spill_stores = 0;
};

std::vector<Seen> grep(const std::string& file)
{
  const auto between = [](const std::string& line, const std::string& before, const std::string& after) {
    const std::size_t start = line.find(before);
    if (start == std::string::npos) return std::string{};
    const std::size_t from = start + before.size();
    return line.substr(from, line.find(after, from) - from);
  };
  std::vector<Seen> all;
  Seen seen;
  std::istringstream stream(test::read_file(SMSIM_SOURCE_DIR "/" + file));
  for (std::string line; std::getline(stream, line);) {
    if (has(line, "Compiling entry function"))
      seen = {between(line, "function '", "'"), between(line, "for '", "'")};
    if (has(line, "spill stores"))
      seen.spill_stores = std::stoi(between(line, "stack frame, ", " bytes spill stores"));
    if (!has(line, "Used ")) continue;
    seen.registers = std::stoi(between(line, "Used ", " registers"));
    const std::size_t shared = line.find(" bytes smem");
    seen.shared = shared == std::string::npos ? 0 : std::stoi(line.substr(line.rfind(' ', shared - 1) + 1));
    all.push_back(seen);
  }
  return all;
}

}  // namespace

TEST_CASE(
    "every kernel and target of a CUDA 13 log has a row with the log's figures and the calculator's answer")
{
  const std::vector<Seen> seen = grep(cuda13);
  REQUIRE(seen.size() >= 13);
  const Json out = json_of("--ptxas " + cuda13 + " --threads 256");
  CHECK(out["threads"] == 256);
  REQUIRE(out["kernels"].size() == seen.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const Json& kernel = out["kernels"][i];
    CAPTURE(seen[i].kernel);
    CAPTURE(seen[i].target);
    CHECK(kernel["kernel"] == seen[i].kernel);
    CHECK(kernel["target"] == seen[i].target);
    CHECK(kernel["registers"] == seen[i].registers);
    CHECK(kernel["static_shared_bytes"] == seen[i].shared);
    CHECK(kernel["spill_store_bytes"] == seen[i].spill_stores);
    CHECK(kernel["occupancy"].get<double>() > 0);
  }
}

TEST_CASE("the same launch asked one by one has the same answer as in the log's table")
{
  const Json out = json_of("--ptxas " + cuda13 + " --threads 192 --dynamic-shared 20KiB");
  int compared = 0;
  for (const Json& kernel : out["kernels"]) {
    const std::string target = kernel["target"];
    if (target != "sm_90") continue;
    const Json one =
        json_of("--arch h100 --threads 192 --dynamic-shared 20KiB --registers " + kernel["registers"].dump() +
                " --static-shared " + kernel["static_shared_bytes"].dump());
    CHECK(kernel["blocks_per_sm"] == one["blocks_per_sm"]);
    CHECK(kernel["limits"] == one["limits"]);
    CHECK(kernel["limiters"] == one["limiters"]);
    ++compared;
  }
  CHECK(compared == 5);
}

TEST_CASE("the log's table in text: a row for each kernel and target, and the cliff that gains occupancy, or "
          "else loses it")
{
  const std::string text = text_of("--ptxas " + cuda13 + " --threads 256");
  CHECK(text.starts_with("Blocks of 256 threads\n\nKERNEL  "));
  CHECK(has(text, "\ncapped(float*, int)              sm_80     40       0       232       260          6    "
                  "75.00 %  registers  "
                  "                   32 registers per thread instead of 40 give 8 blocks per SM instead of "
                  "6 (100 %)\n"));
  CHECK(has(
      text,
      "\nvoid fma_chain<32>(float*, int)  sm_75     64       0         0         0          4   100.00 %  "
      "the warp slots and registers  65 registers per thread instead of 64 give 3 blocks per SM instead of 4 "
      "(75 %)\n"));
}

TEST_CASE("a log can come from stdin, in a pipe behind the compiler")
{
  CHECK(text_of("--ptxas - --threads 256 < " + cuda13) == text_of("--ptxas " + cuda13 + " --threads 256"));
}

TEST_CASE("an old target without a preset keeps its row, without an answer, --arch gives it one")
{
  const std::string folder = test::temporary_folder();
  const std::string log = test::write_file(
      folder + "/build.log", "ptxas info    : Compiling entry function '_Z4tilePf' for 'sm_35'\n"
                             "ptxas info    : Used 32 registers, 4224 bytes smem, 328 bytes cmem[0]\n"
                             "ptxas info    : Compiling entry function '_Z4tilePf' for 'sm_70'\n"
                             "ptxas info    : Used 30 registers, 4224 bytes smem, 360 bytes cmem[0]\n");
  CHECK(text_of("--ptxas " + log + " --threads 128") ==
        "Blocks of 128 threads\n\n"
        "KERNEL        TARGET  REGS  SHARED  SPILL ST  SPILL LD  BLOCKS/SM  OCCUPANCY  LIMITED BY            "
        "                 NEXT CLIFF\n"
        "tile(float*)  sm_35     32    4224       n/a       n/a        n/a        n/a  no preset for this "
        "target; see --arch  n/a\n"
        "tile(float*)  sm_70     30    4224       n/a       n/a         16   100.00 %  the warp slots and "
        "registers           "
        "33 registers per thread instead of 30 give 12 blocks per SM instead of 16 (75 %)\n");
  const Json out = json_of("--ptxas " + log + " --threads 128");
  CHECK(out["kernels"][0]["architecture"] == nullptr);
  CHECK_FALSE(out["kernels"][0].contains("occupancy"));
  CHECK(out["kernels"][1]["blocks_per_sm"] == 16);
  CHECK(json_of("--ptxas " + log +
                " --threads 128 --arch tests/reference/archs/cc30.yaml")["kernels"][0]["blocks_per_sm"] ==
        11);
}

TEST_CASE("a log whose targets all lack a preset is an error that names --arch")
{
  const std::string folder = test::temporary_folder();
  test::write_file(folder + "/build.log",
                   "ptxas info    : Compiling entry function '_Z4tilePf' for 'sm_35'\n"
                   "ptxas info    : Used 32 registers, 4224 bytes smem, 328 bytes cmem[0]\n");
  const test::ProgramRun run = test::smsim("occupancy --ptxas build.log --threads 128", folder);
  CHECK(run.status == 2);
  CHECK(run.out == "");
  CHECK(run.err ==
        "build.log:2:17: no preset has compute capability '3.5'; name an architecture with --arch; compute "
        "capabilities "
        "with a preset: 5.0, 5.2, 6.0, 6.1, 7.0, 7.5, 8.0, 8.6, 8.7, 8.9, 9.0, 10.0, 10.3, 11.0, 12.0, 12.1\n"
        "    2 | ptxas info    : Used 32 registers, 4224 bytes smem, 328 bytes cmem[0]\n"
        "      |                 ^\n");
}

TEST_CASE("a log needs the block size, and a text without kernels says what to pass")
{
  const test::ProgramRun run = test::smsim("occupancy --ptxas " + cuda13);
  CHECK(run.status == 2);
  CHECK(run.err == cuda13 + ": a compiler's log does not say the block size; give it with --threads N\n");
  const test::ProgramRun none = test::smsim("occupancy --ptxas README.md --threads 32");
  CHECK(none.status == 2);
  CHECK(has(none.err, "no kernel in this compiler output; pass everything that 'nvcc -Xptxas -v' or 'nvcc "
                      "--resource-usage' prints"));
}

TEST_CASE("an option that a log does not read is refused, not ignored")
{
  const test::ProgramRun run = test::smsim("occupancy --ptxas " + cuda13 + " --threads 256 --registers 32");
  CHECK(run.status == 2);
  CHECK(run.err == "smsim occupancy: --registers has no effect with --ptxas; allowed: --threads, "
                   "--dynamic-shared, --arch, --set, "
                   "--format, --output\n`smsim occupancy --help` lists the options.\n");
}

TEST_CASE("a profiler's table: its limits and occupancy beside smsim's, equal although it rounds sizes")
{
  const std::string text = text_of("--ptxas tests/reference/ncu_long.csv");
  CHECK(has(text,
            "void gemm<float, \"nt\">(const T1 *, T1 *, int) (launch 0) on B200, 384 threads, 168 registers\n"
            "                        NSIGHT  SMSIM\n"
            "Block Limit Warps            5      5\n"
            "Block Limit SM              32     32\n"
            "Block Limit Registers        1      1\n"
            "Block Limit Shared Mem       1      1\n"
            "Block Limit Barriers         9      9\n"
            "Theoretical Occupancy    18.75  18.75  %\n"
            "Achieved Occupancy       15.53    n/a  %\n"));
  // The second launch's 64 KiB and 4224 B are printed as 65.54 Kbyte and 4.22 Kbyte.
  CHECK(has(text, "Block Limit Shared Mem      12      12\n"));
  CHECK_FALSE(has(text, "differs"));
  const Json out = json_of("--ptxas tests/reference/ncu_long.csv");
  REQUIRE(out["kernels"].size() == 2);
  for (const Json& kernel : out["kernels"])
    CHECK(kernel["agrees"] == true);
  CHECK(out["kernels"][0]["limits"]["registers"] == Json{{"nsight", 1}, {"smsim", 1}});
  CHECK(out["kernels"][0]["occupancy"] == Json{{"nsight", 0.1875}, {"smsim", 0.1875}});
  CHECK(out["kernels"][0]["achieved"] == 0.1553);
}

TEST_CASE("a resource that does not limit, or that the profiler does not show, is said in words")
{
  const std::string text = text_of("--ptxas tests/reference/ncu_2020.csv --arch v100");
  CHECK(has(text, "Block Limit Shared Mem      32  no limit\n"));
  CHECK(has(text, "Block Limit Barriers       n/a  no limit\n"));
}

TEST_CASE("a block in a profiler's table that no launch can have is a located error, not a wrapped product")
{
  std::string table = test::read_file(SMSIM_SOURCE_DIR "/tests/reference/ncu_long.csv");
  const std::string block = "(384, 1, 1)";
  while (has(table, block))
    table.replace(table.find(block), block.size(), "(2147483648, 2147483648, 4)");
  const std::string folder = test::temporary_folder();
  test::write_file(folder + "/ncu.csv", table);
  const test::ProgramRun run = test::smsim("occupancy --ptxas ncu.csv", folder);
  CHECK(run.status == 2);
  CHECK(run.out == "");
  CHECK(run.err.starts_with(
      "ncu.csv:7:90: Block Size: '(2147483648, 2147483648, 4)' is not a size; e.g. (256, 1, 1)\n"));
}

TEST_CASE("the barriers that a log names count")
{
  const std::string log = test::write_file(test::temporary_folder() + "/build.log",
                                           "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
                                           "ptxas info    : Used 16 registers, used 9 barriers\n"
                                           "ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
                                           "ptxas info    : Used 16 registers, used 9 barriers\n");
  const Json out = json_of("--ptxas " + log + " --threads 32");
  CHECK(out["kernels"][0]["barriers"] == 9);
  CHECK(out["kernels"][0]["limits"]["barriers"] == 7);
  CHECK(out["kernels"][1]["limits"]["barriers"] == nullptr);
}

TEST_CASE("a size that the profiler rounded up is taken as the one that it was: 4.10 Kbyte are 4 KiB")
{
  std::string table = test::read_file(SMSIM_SOURCE_DIR "/tests/reference/ncu_long.csv");
  const auto replace = [&](const std::string& from, const std::string& to) {
    REQUIRE(has(table, from));
    table.replace(table.find(from), from.size(), to);
  };
  replace("\"Kbyte/block\",\"4.22\"", "\"Kbyte/block\",\"4.10\"");
  replace("\"Kbyte\",\"65.54\"", "\"Kbyte\",\"102.40\"");
  replace("\"Block Limit Shared Mem\",\"block\",\"12\"", "\"Block Limit Shared Mem\",\"block\",\"20\"");
  const std::string file = test::write_file(test::temporary_folder() + "/ncu.csv", table);
  const Json out = json_of("--ptxas " + file);
  CHECK(out["kernels"][1]["limits"]["shared_memory"] == Json{{"nsight", 20}, {"smsim", 20}});
  CHECK(out["kernels"][1]["agrees"] == true);
}

TEST_CASE("where smsim and the profiler differ, the row is marked")
{
  const std::string text =
      text_of("--ptxas tests/reference/ncu_long.csv --arch b200 --set register_file.registers=131072");
  CHECK(has(text, "Block Limit Registers        1      2  <- differs\n"));
  CHECK(json_of("--ptxas tests/reference/ncu_long.csv --set sm.max_warps=48")["kernels"][0]["agrees"] ==
        false);
}

// Register caps in whole runs: occupancy against spills, where spills go, and `smsim registers`.
#include "sm/register_cap.h"
#include "support/kernels.h"
#include "support/program.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace smsim;
using namespace smsim::test;
using Json = nlohmann::ordered_json;

namespace {

Json registers_json(const std::string& arguments)
{
  const ProgramRun run = smsim::test::smsim("registers " + arguments + " --format json");
  CAPTURE(arguments);
  CHECK(run.status == 0);
  CHECK(run.err.empty());
  return Json::parse(run.out);
}

Json row_of(const Json& report, std::uint32_t registers)
{
  for (const Json& row : report["rows"])
    if (row["registers"] == registers) return row;
  FAIL("no row for " << registers);
  return {};
}

/// Eight values in a loop and three registers: six values are spilled.
Workload spilling(std::uint64_t grid, std::uint64_t threads, const std::string& more = {})
{
  return workload(
      "name: k\nlaunch: {grid: " + std::to_string(grid) + ", block: " + std::to_string(threads) +
      ", registers_per_thread: 8, max_registers: 3" + more + "}\nprogram:\n  - loop:\n" +
      "      count: 100\n      body: [\"fadd r0, r1, r2\", \"fadd r3, r4, r5\", \"fadd r6, r7, r0\"]\n");
}

}  // namespace

TEST_CASE("cap_helps: a cap of 32 doubles the warps, costs a few spills outside the loop, and is best")
{
  const Json report = registers_json("cap_helps --arch a100 --sms 1");
  const Json all = row_of(report, 64);
  const Json capped = row_of(report, 32);
  CHECK(all["warps_per_sm"] == 32);
  CHECK(capped["warps_per_sm"] == 64);
  CHECK(capped["spilled_values"] > 0);
  CHECK(capped["spill_loads_per_warp"] < 20);
  CHECK(capped["achieved_occupancy"] > 1.5 * all["achieved_occupancy"].get<double>());
  CHECK(capped["speed"] > 1.5);
  CHECK(report["best"] == 32);
  CHECK(report["why"].get<std::string>().find("64 warps instead of 32 hide more of the latency than the") !=
        std::string::npos);
  // Further down the spills reach into the loop.
  CHECK(row_of(report, 8)["cycles"] > all["cycles"]);
}

TEST_CASE("cap_hurts: a cap of 32 doubles the warps, and the spills in the loop make the kernel slower")
{
  const Json report = registers_json("cap_hurts --arch a100 --sms 1");
  const Json all = row_of(report, 64);
  const Json capped = row_of(report, 32);
  CHECK(capped["warps_per_sm"] == 2 * all["warps_per_sm"].get<int>());
  CHECK(capped["achieved_occupancy"] > 1.5 * all["achieved_occupancy"].get<double>());
  CHECK(capped["speed"] < 0.5);
  CHECK(report["best"] == 64);
  CHECK(report["why"].get<std::string>().ends_with("cost more than these warps bring."));
}

TEST_CASE("the ladder holds the need and every count below it that changes how many blocks the registers "
          "allow")
{
  const auto rows = [](const std::string& arguments) {
    std::vector<std::uint32_t> registers;
    const Json report = registers_json(arguments);
    for (const Json& row : report["rows"])
      registers.push_back(row["registers"]);
    return registers;
  };
  using Rows = std::vector<std::uint32_t>;
  CHECK(rows("cap_helps --arch a100 --set launch.grid=1") == Rows{64, 48, 40, 32, 24, 16, 8});
  CHECK(rows("cap_helps --arch a100 --set launch.grid=1 --set launch.block=1024") == Rows{64, 32, 16, 8});
  CHECK(rows("cap_helps --arch a100 --set launch.grid=1 --caps 20,50") == Rows{64, 50, 20});
  // The cap that the launch states is a row of its own.
  CHECK(rows("cap_helps --arch a100 --set launch.grid=1 --set launch.max_registers=30") ==
        Rows{64, 48, 40, 32, 30, 24, 16, 8});
  CHECK(rows("cap_helps --arch a100 --set launch.grid=1 --set launch.max_registers=40") ==
        Rows{64, 48, 40, 32, 24, 16, 8});
  // An imad of three values needs three registers: no row below.
  CHECK(rows("vector_add --arch a100 --set launch.grid=1 --set register_file.allocation_unit=32").back() ==
        3);
}

TEST_CASE("text, JSON and CSV of a ladder hold the same numbers, and both engines give a capped run the same")
{
  const Json report = registers_json("cap_helps --arch h100 --set launch.grid=20 --caps 24,32");
  const std::string csv =
      smsim::test::smsim("registers cap_helps --arch h100 --set launch.grid=20 --caps 24,32 --format csv")
          .out;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  std::string names;
  for (const auto& item : report["rows"][0].items())
    names += (names.empty() ? "" : ",") + item.key();
  CHECK(line == names);
  for (const Json& row : report["rows"]) {
    REQUIRE(std::getline(lines, line));
    std::string values;
    for (const Json& value : row)
      values += (values.empty() ? "" : ",") + value.dump();
    CHECK(line == values);
  }
  CHECK_FALSE(std::getline(lines, line));
  const std::string text =
      smsim::test::smsim("registers cap_helps --arch h100 --set launch.grid=20 --caps 24,32").out;
  for (const Json& row : report["rows"])
    CHECK(text.find(" " + row["cycles"].dump() + " ") != std::string::npos);
  CHECK(text.ends_with("\n" + report["why"].get<std::string>() + "\n"));
  const std::string arguments =
      "run cap_helps --arch h100 --set launch.grid=20 --set launch.max_registers=24 "
      "--format json --engine ";
  const std::string by_events = smsim::test::smsim(arguments + "event").out;
  CHECK(by_events == smsim::test::smsim(arguments + "every-cycle").out);
  CHECK(Json::parse(by_events)["cycles"] == row_of(report, 24)["cycles"]);
}

TEST_CASE("a run under a cap reports the need, the cap and the spills, a run without one does not")
{
  const std::string capped = "run cap_helps --arch a100 --set launch.grid=8 --set launch.max_registers=32";
  const Json json = Json::parse(smsim::test::smsim(capped + " --format json").out);
  const Json& registers = json["launch"]["registers"];
  CHECK(registers["needed"] == 64);
  CHECK(registers["cap"] == 32);
  CHECK(registers["spilled_values"] == 4);
  CHECK(registers["local_bytes_per_thread"] == 16);
  CHECK(registers["spill_loads"] == 8 * 8 * 4);
  CHECK(registers["spill_stores"] == 8 * 8 * 4);
  CHECK(json["occupancy"]["limits"]["registers"] == 8);
  const std::string text = smsim::test::smsim(capped).out;
  CHECK(text.find("Registers Per Thread                                32 registers\n"
                  "  Registers Needed                                    64 registers; the launch caps them\n"
                  "  Spilled Values                                       4 registers of the program\n") !=
        std::string::npos);
  const std::string plain = "run cap_helps --arch a100 --set launch.grid=8";
  CHECK_FALSE(Json::parse(smsim::test::smsim(plain + " --format json").out)["launch"].contains("registers"));
  CHECK(smsim::test::smsim(plain).out.find("Registers Needed") == std::string::npos);
}

TEST_CASE("launch bounds of a run are the cap that the calculator would choose")
{
  const Json bounds =
      Json::parse(smsim::test::smsim("run cap_helps --arch a100 --set launch.grid=8 --format json --set "
                                     "'launch.launch_bounds={threads: 256, min_blocks: 6}'")
                      .out);
  const Json cap = Json::parse(
      smsim::test::smsim(
          "run cap_helps --arch a100 --set launch.grid=8 --format json --set launch.max_registers=40")
          .out);
  CHECK(bounds["launch"] == cap["launch"]);
  CHECK(bounds["cycles"] == cap["cycles"]);
  CHECK(bounds["occupancy"]["limits"]["registers"] == 6);
}

TEST_CASE("a spilled value is in L1 while its line stays: a warp's slots are fetched from L2 once at most")
{
  const RunResult alone = run(arch("a100"), spilling(1, 32));
  const MemoryCounts counts = alone.memory();
  CHECK(counts.spill_loads > 200);
  CHECK(counts.spill_stores > 100);
  // Only values that nothing writes come from L2, once each: a line of four sectors.
  CHECK(counts.accesses[index_of(Level::l2)] <= 8);
  CHECK(counts.accesses[index_of(Level::l1)] + counts.accesses[index_of(Level::l2)] ==
        counts.spill_loads + counts.spill_stores);
  CHECK(counts.bytes[index_of(Level::l2)] == counts.accesses[index_of(Level::l2)] * 128);
}

TEST_CASE("slots that L1 cannot keep come from L2, and what was stored is given back to it: bytes without an "
          "access")
{
  // 64 warps with 5 slots of 128 bytes are 40 KiB; beside the largest carveout an A100 has 28 KiB of L1.
  const auto counts = [](const std::string& carveout) {
    return run(arch("a100"), spilling(2, 1024, ", carveout: " + carveout)).memory();
  };
  const MemoryCounts little = counts("100%");
  const MemoryCounts much = counts("0%");
  const auto l2 = index_of(Level::l2);
  CHECK(little.spill_loads == much.spill_loads);
  CHECK(little.accesses[l2] > 10 * much.accesses[l2]);
  CHECK(little.bytes[l2] > little.accesses[l2] * 128);
  CHECK(much.bytes[l2] == much.accesses[l2] * 128);
}

TEST_CASE("without room in L1 spills go through to L2")
{
  const ArchConfig sm = arch("a100", {"shared_memory.unified_capacity=164 KiB"});
  const MemoryCounts counts = run(sm, spilling(1, 32)).memory();
  CHECK(counts.accesses[index_of(Level::l1)] == 0);
  CHECK(counts.accesses[index_of(Level::l2)] == counts.spill_loads + counts.spill_stores);
}

TEST_CASE("a kernel that cannot launch without a cap has a row that says so")
{
  const std::string big =
      "cap_helps --arch a100 --set launch.block=1024 --set launch.registers_per_thread=128 "
      "--set launch.grid=1";
  const Json report = registers_json(big);
  CHECK(report["rows"][0]["registers"] == 128);
  CHECK(report["rows"][0]["cycles"] == nullptr);
  CHECK(report["rows"][0]["speed"] == nullptr);
  CHECK(report["best"] != 128);
  CHECK(report["why"].get<std::string>().find("without one no block can launch (4096 registers per warp") !=
        std::string::npos);
  CHECK(smsim::test::smsim("registers " + big).out.find("cannot launch") != std::string::npos);
  const ProgramRun impossible =
      smsim::test::smsim("registers cap_helps --arch a100 --set 'launch.shared_memory.static=60 KiB'");
  CHECK(impossible.status == 1);
  CHECK(impossible.out.empty());
  CHECK(impossible.err.starts_with(
      "cap_helps: no block can launch on A100 SXM4 80GB: 60 KiB of static shared"));
}

TEST_CASE("smsim registers refuses caps that are none, with their places, all at once")
{
  const ProgramRun run = smsim::test::smsim("registers cap_helps --arch a100 --caps 24,x,64,24,0");
  CHECK(run.status == 2);
  CHECK(run.out.empty());
  CHECK(run.err ==
        "--caps:1:4: 'x' is not a number of registers; expected: such as 24,32\n"
        "    1 | 24,x,64,24,0\n"
        "      |    ^\n"
        "--caps:1:6: 64 is no cap; allowed: 1 to 63, below the 64 registers that the kernel needs\n"
        "    1 | 24,x,64,24,0\n"
        "      |      ^\n"
        "--caps:1:9: 24 is given twice\n"
        "    1 | 24,x,64,24,0\n"
        "      |         ^\n"
        "--caps:1:12: 0 is no cap; allowed: 1 to 63, below the 64 registers that the kernel needs\n"
        "    1 | 24,x,64,24,0\n"
        "      |            ^\n");
  const ProgramRun few = smsim::test::smsim("registers cap_hurts --arch a100 --caps 1,24 --set "
                                            "'program=[\"ffma r1, r2, r3, r4\"]'");
  CHECK(few.status == 2);
  CHECK(few.err.find("ffma: needs 3 registers at once; launch.max_registers leaves 1\n") !=
        std::string::npos);
  CHECK(smsim::test::smsim("registers --arch a100").err.find("name a workload") != std::string::npos);
  CHECK(smsim::test::smsim("registers cap_hurts --policy gta").err.find("did you mean 'gto'?") !=
        std::string::npos);
  CHECK(
      smsim::test::smsim("registers --help").out.starts_with("Usage: smsim registers WORKLOAD [OPTIONS]\n"));
}

TEST_CASE("the occupancy calculator takes a workload's launch, with the registers that its cap leaves")
{
  const auto json = [](const std::string& more) {
    return Json::parse(smsim::test::smsim("occupancy cap_helps --arch a100 --format json" + more).out);
  };
  CHECK(json("")["limits"]["registers"] == 4);
  CHECK(json(" --set launch.max_registers=32")["limits"]["registers"] == 8);
  CHECK(json(" --set 'launch.launch_bounds={threads: 256, min_blocks: 5}'")["limits"]["registers"] == 5);
  const ProgramRun worked = smsim::test::smsim("occupancy worked_example --arch a100 --explain");
  CHECK(
      worked.out ==
      smsim::test::smsim("occupancy --arch a100 --threads 256 --registers 64 --static-shared 48KiB --explain")
          .out);
}

TEST_CASE("spills need the opcodes for them: an architecture without is told at the cap")
{
  ArchConfig sm = arch("a100");
  std::erase_if(sm.opcodes, [](const OpcodeConfig& opcode) { return opcode.memory == MemorySpace::local; });
  Diagnostics diagnostics;
  with_register_cap(sm, spilling(1, 32), diagnostics);
  const std::string told = diagnostics.text();
  for (const char* what :
       {"launch.max_registers: values must be spilled, and A100 SXM4 80GB has no opcode for "
        "it; needed: ld.local: {memory: local, access: load}\n",
        "needed: st.local: {memory: local, access: store}\n"})
    CHECK_MESSAGE(told.find(what) != std::string::npos, told);
}

// Traces of real kernels: read, run, told about, recorded. What is wrong in them is in
// tests/config_errors/test_bad_traces.cpp.
#include "support/kernels.h"
#include "support/program.h"
#include "support/traces.h"
#include "workload/trace_loader.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace fs = std::filesystem;
using namespace smsim;
using namespace smsim::test;

namespace {

RunResult run_with(const ArchConfig& sm, const Workload& traced, Engine engine,
                   const std::string& policy = {})
{
  RunOptions options;
  options.sms = 2;
  options.engine = engine;
  options.policy = policy;
  return run_kernel(sm, traced, options);
}

}  // namespace

TEST_CASE("each version writes the same instruction in its own way, and all run alike")
{
  // version, ids on each line, line number, what stands behind the addresses
  const std::vector<std::array<std::string, 4>> versions{
      {"", "0 0 0 0 ", "", ""}, {"1.2", "0 0 0 0 ", "", ""}, {"2", "0 0 0 0 ", "", ""},  {"3", "", "", ""},
      {"4", "", "17 ", ""},     {"5", "", "", "0 "},         {"6", "", "", "0 0 NoVal "}};
  std::vector<RunResult> results;
  for (const auto& row : versions) {
    const std::string& version = row[0];
    const std::string& ids = row[1];
    const std::string& line = row[2];
    const std::string& behind = row[3];
    CAPTURE(version);
    TraceText text;
    text.version = version;
    text.line_numbers = !line.empty();
    const std::string front = ids + line;
    text.warps = {front + "0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000000000 4 " + behind + "\n" + front +
                  "0010 ffffffff 1 R3 FADD 2 R2 R255 0 " + behind + "\n" + front +
                  "0020 ffffffff 0 EXIT 0 0 " + behind + "\n"};
    const Workload traced = load(text);
    CHECK(traced.traced->instructions == 3);
    CHECK(traced.traced->header.tracer_version == version);
    results.push_back(run_with(arch("a100"), traced, Engine::event));
    CHECK(results.back().instructions() == 3);
    CHECK(results.back().cycles == results.front().cycles);
    CHECK(results.back().states() == results.front().states());
  }
}

TEST_CASE("version 6 has register values behind Val, which change nothing")
{
  TraceText text;
  text.version = "6";
  text.warps = {
      "0000 ffffffff 1 UR4 UMOV 1 UR63 0 0 0 Val 0x0 0x1\n0010 ffffffff 1 R2 IMAD 3 R2 UR4 R3 0 4 0 NoVal\n"};
  CHECK(load(text).traced->instructions == 2);
}

TEST_CASE("the three ways of writing addresses touch the same sectors")
{
  std::vector<std::uint64_t> sectors;
  for (const std::string addresses :
       {"0 0x1000 0x1004 0x1008 0x2000", "2 0x1000 4 4 4088", "0 0x2000 0x1008 0x1000 0x1004"}) {
    TraceText text;
    text.warps = {"0000 0000000f 1 R2 LDG.E 1 R4 4 " + addresses + "\n"};
    sectors.push_back(load(text).traced->ops[0].units);
  }
  CHECK(sectors == std::vector<std::uint64_t>{2, 2, 2});
  TraceText strided;
  strided.warps = {"0000 ffffffff 1 R2 LDG.E.128 1 R4 16 1 0x1000 16\n"};
  CHECK(load(strided).traced->ops[0].units == 16);
  strided.warps = {"0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x1000 -128\n"};
  CHECK(load(strided).traced->ops[0].units == 32);
  strided.warps = {"0000 ffffffff 1 R2 LDG.E.U8 1 R4 1 1 0x101f 1\n"};
  CHECK(load(strided).traced->ops[0].units == 2);
}

TEST_CASE("a shared access takes as many passes as one bank has different words to give")
{
  const auto cycles = [](const std::string& width_and_addresses) {
    TraceText text;
    text.warps = {"0000 ffffffff 1 R2 LDS 1 R4 " + width_and_addresses +
                  "\n0010 ffffffff 1 R3 FADD 1 R2 0\n"};
    return run_with(arch("a100", {"memory.sm_interval=10"}), load(text), Engine::event).cycles;
  };
  const std::uint64_t free = cycles("4 1 0x0 4");
  CHECK(cycles("4 1 0x0 0") == free);          // one word for all
  CHECK(cycles("4 1 0x0 8") == free + 10);     // every other bank: 2 passes
  CHECK(cycles("4 1 0x0 128") == free + 310);  // one bank: 32 passes
  CHECK(cycles("16 1 0x0 16") == free + 30);   // 512 bytes: 4 passes
}

TEST_CASE("generic addresses are shared, local or global memory by the header's windows")
{
  TraceText text;
  text.warps = {"0000 ffffffff 1 R2 LD.E 1 R4 4 1 0x00007f6300000040 4\n"  // shmem base_addr
                "0010 ffffffff 1 R2 LD.E 1 R4 4 1 0x00007f6200000008 0\n"  // local mem base_addr
                "0020 ffffffff 1 R2 LD.E 1 R4 4 1 0x00007f7000000000 4\n"
                "0030 ffffffff 0 ST.E 2 R4 R2 4 1 0x00007f6300000000 4\n"
                "0040 ffffffff 1 R2 ATOM.ADD 2 R4 R2 4 1 0x00007f7000000000 0\n"};
  const Workload traced = load(text);
  std::vector<std::string> opcodes;
  for (const Instruction& instruction : traced.program.code)
    opcodes.push_back(instruction.mnemonic);
  CHECK(opcodes ==
        std::vector<std::string>{"ld.shared", "ld.local", "ld.global", "st.shared", "atom.global"});
  // Local memory lies interleaved: one word of 32 threads is one line.
  CHECK(traced.traced->ops[1].units == 4);
  CHECK(run_with(arch("h100"), traced, Engine::event).states() ==
        run_with(arch("h100"), traced, Engine::every_cycle).states());
}

TEST_CASE("what no thread takes part in has its issue slot and nothing else")
{
  TraceText text;
  text.warps = {"0000 00000000 1 R2 LDG.E 1 R4 4 1 0x0 0\n0010 ffffffff 1 R3 FADD 1 R2 0\n"};
  const RunResult result = run_with(arch("a100"), load(text), Engine::event);
  CHECK(result.instructions() == 2);
  CHECK(result.memory().accesses[0] + result.memory().accesses[1] + result.memory().accesses[2] == 0);
  CHECK(result.thread_instructions() == 32);
}

TEST_CASE("the longest row that a dotted name begins with says what it is")
{
  TraceText text;
  text.warps = {
      "0000 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0\n0010 ffffffff 0 BAR.ARV 0 0\n"
      "0020 ffffffff 1 R2 HFMA2.MMA 2 R255 R255 0\n0030 0000ffff 0 EXIT 0 0\n0040 ffff0000 0 EXIT 0 0\n"};
  const Workload traced = load(text);
  CHECK(traced.program.code[0].mnemonic == "bar.sync");
  CHECK(traced.program.code[1].mnemonic == "nop");
  CHECK(traced.program.code[2].mnemonic == "hfma2");
  // An exit of some threads does not end the warp.
  CHECK(run_with(arch("a100"), traced, Engine::event).instructions() == 5);
}

TEST_CASE("an opcode that no row knows is counted, told once, and runs as the table says")
{
  TraceText text;
  text.warps = {"0000 ffffffff 1 R2 FNORD.X 1 R4 0\n0010 ffffffff 1 R3 FADD 1 R2 0\n"
                "0000 ffffffff 1 R2 FNORD.X 1 R4 0\n0010 ffffffff 1 R3 FADD 1 R2 0\n"};
  const Workload traced = load(text);
  CHECK(traced.traced->unknown == std::map<std::string, std::uint64_t>{{"FNORD.X", 2}});
  CHECK(traced.program.code[0].mnemonic == "iadd3");
  const std::string folder = temporary_folder();
  write_file(folder + "/k.traceg", text.text());
  const ProgramRun run = test::smsim("run k.traceg --arch a100 --sms 1 --format json", folder);
  CHECK(run.status == 0);
  CHECK(run.err.find(
            "2 of 4 instructions have no row in arch_configs/sass/sass.yaml and run as its alu opcode: "
            "FNORD.X 2\n") != std::string::npos);
  const auto json = nlohmann::json::parse(run.out);
  CHECK(json["trace"]["unknown_share"] == 0.5);
  CHECK(json["trace"]["unknown"]["FNORD.X"] == 2);
  const ProgramRun refused = test::smsim("run k.traceg --arch a100 --set trace.unknown_opcode=error", folder);
  CHECK(refused.status == 2);
  CHECK(refused.err ==
        "k.traceg:18:20: no row of arch_configs/sass/sass.yaml knows FNORD.X; trace.unknown_opcode: "
        "alu takes it for iadd3\n");
}

TEST_CASE("blocks of a trace lie in any order in the file and run in the grid's")
{
  TraceText text;
  text.grid = "(3,1,1)";
  const std::string one = "0000 ffffffff 1 R2 FADD 1 R2 0\n";
  text.blocks = {{"2,0,0", {one + one + one}}, {"0,0,0", {one}}, {"1,0,0", {one + one}}};
  const Workload traced = load(text);
  CHECK(traced.program.trace->read(BlockId{0})->front().steps.size() == 1);
  CHECK(traced.program.trace->read(BlockId{1})->front().steps.size() == 2);
  CHECK(traced.program.trace->read(BlockId{2})->front().steps.size() == 3);
}

TEST_CASE("plain, gzip and xz hold the same trace, and a list runs its kernels one after the other")
{
  const std::string folder = temporary_folder();
  TraceText text;
  text.warps = {"0000 ffffffff 1 R2 FADD 1 R2 0\n0010 ffffffff 0 EXIT 0 0\n"};
  write_file(folder + "/a.traceg", text.text());
  write_file(folder + "/b.traceg", text.text());
  REQUIRE(std::system(("cd '" + folder + "' && gzip -k a.traceg && xz -k a.traceg").c_str()) == 0);
  const std::string plain = test::smsim("run a.traceg --arch h100 --sms 1", folder).out;
  CHECK(!plain.empty());
  CHECK(test::smsim("run a.traceg.gz --arch h100 --sms 1", folder).out == plain);
  CHECK(test::smsim("run a.traceg.xz --arch h100 --sms 1", folder).out == plain);
  write_file(folder + "/kernelslist.g", "MemcpyHtoD,0x00007f6233c00000,512\na.traceg.xz\nb.traceg\n\n");
  const auto alone =
      nlohmann::json::parse(test::smsim("run a.traceg --arch h100 --sms 1 --format json", folder).out);
  const auto list =
      nlohmann::json::parse(test::smsim("run kernelslist.g --arch h100 --sms 1 --format json", folder).out);
  CHECK(list["kernels"].size() == 2);
  for (auto kernel : list["kernels"]) {
    kernel["config"]["workload"]["trace"]["file"] = "a.traceg";
    CHECK(kernel == alone);
  }
  CHECK(list["total"]["cycles"] == 2 * alone["cycles"].get<std::uint64_t>());
  CHECK(test::smsim("run kernelslist.g --arch h100 --sms 1", folder).out.find("Kernels") !=
        std::string::npos);
}

TEST_CASE("trace-info tells launch, occupancy where the kernel was made for, mix, sectors and divergence")
{
  const std::string folder = temporary_folder();
  TraceText text;
  text.registers = "128";
  text.block = "(256,1,1)";
  text.warps = {"0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x1000 128\n0010 0000ffff 1 R3 FADD 2 R2 R2 0\n"
                "0020 ffffffff 0 EXIT 0 0\n"};
  write_file(folder + "/k.traceg", text.text());
  const auto json = nlohmann::json::parse(test::smsim("trace-info k.traceg --format json", folder).out);
  CHECK(json["architecture"] == arch("a100").name);
  CHECK(json["occupancy"]["limiters"] == nlohmann::json::array({"registers"}));
  CHECK(json["occupancy"]["warps_per_sm"] == 16);
  CHECK(json["instructions"] == 3);
  CHECK(json["warps_without_instructions"] == 7);
  CHECK(json["divergent_share"] == doctest::Approx(1 / 3.0));
  CHECK(json["average_active_threads_per_warp"] == doctest::Approx(80 / 3.0));
  CHECK(json["accesses"][0]["units_per_access"] == 32.0);
  CHECK(json["mix"].size() == 3);
  const std::string text_report = test::smsim("trace-info k.traceg", folder).out;
  const std::size_t limit = text_report.find("Limited By ");
  REQUIRE(limit != std::string::npos);
  CHECK(text_report.substr(limit, text_report.find('\n', limit) - limit).ends_with(" registers"));
}

TEST_CASE("a workload that was recorded runs as its trace does: cycles and states")
{
  const std::vector<std::string> programs{
      "  - loop: {count: 5, body: [\"ffma r4, r1, r2, r4\", \"ffma r5, r1, r2, r5\"]}\n  - exit\n",
      "  - {op: \"ld.global r5, [r2]\", address: {pattern: streaming}, sectors: 8}\n  - fadd r6, r5, r6\n"
      "  - {op: \"ld.global r5, [r2]\", address: {pattern: random, footprint: 4 KiB}}\n  - bar.sync 0\n"
      "  - {op: \"st.global [r2], r5\", address: {pattern: strided, stride: 64 B, footprint: 1 KiB}}\n  - "
      "exit\n",
      "  - {op: \"ld.shared r5, [r2]\", bank_conflicts: 4}\n  - {op: \"st.shared [r2], r5\", lane_stride: "
      "2}\n"
      "  - mufu r3, r5\n  - dfma r6, r3, r3, r3\n  - membar\n  - exit\n",
      "  - if: {lanes: 8, then: [\"fadd r4, r4, r4\", bra], else: [\"fmul r5, r4, r4\"]}\n"
      "  - if: {fraction: {per: warp, values: [0, 1]}, then: [{loop: {count: 3, body: [\"imad r7, r7, r7, "
      "r7\"]}}]}\n"
      "  - exit\n"};
  for (const std::string& program : programs) {
    CAPTURE(program);
    const std::string folder = temporary_folder();
    write_file(folder + "/w.yaml",
               "name: w\nlevel: l2\nlaunch: {grid: 12, block: 64, registers_per_thread: 32}\nprogram:\n" +
                   program);
    for (const std::string sm : {"rtx3090", "h100"}) {
      const ProgramRun recorded = test::smsim("record w.yaml --arch " + sm + " -o t", folder);
      CHECK(recorded.err == "");
      const auto result = [&](const std::string& what) {
        const ProgramRun run = test::smsim(
            "run " + what + " --arch " + sm + " --sms 3 --set divergence=stack --format json", folder);
        CHECK(run.err == "");
        const auto json = nlohmann::json::parse(run.out);
        return nlohmann::json::array(
            {json["cycles"], json["warp_states"], json["memory"], json["sub_partitions"]});
      };
      CHECK(result("w.yaml") == result("t/kernel-1.traceg --set level=l2"));
    }
  }
}

TEST_CASE("record refuses what a trace cannot say, and says what it added")
{
  const std::string folder = temporary_folder();
  const auto record = [&](const std::string& program) {
    write_file(folder + "/w.yaml",
               "name: w\nlaunch: {grid: 1, block: 32, registers_per_thread: 32}\nprogram:\n" + program);
    return test::smsim("record w.yaml -o t", folder);
  };
  for (const std::string item :
       {"{op: nop, stall: 4}", "{op: nop, yield: true}", "\"ffma r1, r2.reuse, r3, r4\"", "nanosleep 4",
        "{op: \"ld.global r1, [r2]\", constant_miss: 0.5}", "bar.sync 0, 32"}) {
    CAPTURE(item);
    const ProgramRun run = record("  - " + item + "\n  - exit\n");
    CHECK(run.status == 2);
    CHECK(run.err.find("a trace cannot say") != std::string::npos);
    CHECK(!fs::exists(folder + "/t/kernel-1.traceg"));
  }
  const ProgramRun run = record("  - ld.global r1, [r2]\n  - isetp p0, r1, r2\n");
  CHECK(run.status == 0);
  CHECK(run.err.find("does not end in exit") != std::string::npos);
  CHECK(run.err.find("got streaming ones") != std::string::npos);
  CHECK(run.err.find("predicates became registers") != std::string::npos);
  CHECK(test::smsim("record w.yaml", folder).status == 2);
}

TEST_CASE("every command that runs kernels takes a trace")
{
  const std::string folder = temporary_folder();
  TraceText text;
  text.warps = {"0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x1000 4\n0010 ffffffff 1 R3 FADD 2 R2 R2 0\n"};
  write_file(folder + "/k.traceg", text.text());
  const ProgramRun explained = test::smsim("explain k.traceg --arch a100 --sms 1", folder);
  CHECK(explained.status == 0);
  CHECK(explained.out.find("other block sizes: the kernel is as it was traced") != std::string::npos);
  CHECK(test::smsim("compare --policies lrr,gto --workloads k.traceg --archs a100 --sms 1", folder).status ==
        0);
  const ProgramRun ladder = test::smsim("registers k.traceg --arch a100 --sms 1", folder);
  CHECK(ladder.status == 0);
  CHECK(ladder.err.find("nothing is spilled") != std::string::npos);
  CHECK(test::smsim("timeline k.traceg --arch a100 --sms 1", folder).out.find("scheduler 0 issues") !=
        std::string::npos);
  CHECK(test::smsim("report k.traceg --arch a100 --sms 1 -o page.html", folder).status == 0);
  CHECK(read_file(folder + "/page.html").find("test_kernel") != std::string::npos);
  write_file(folder + "/s.yaml", "name: s\narch: a100\nworkload: k.traceg\nset: {sms: 1}\n"
                                 "axes: {memory.dram.latency: [500, 900], launch.carveout: [0%, 100%]}\n");
  const ProgramRun swept = test::smsim("sweep s.yaml -o s.sqlite", folder);
  CHECK(swept.status == 0);
  const std::string rows =
      test::smsim("results s.sqlite --columns memory.dram.latency,cycles --format csv", folder).out;
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 5);
  write_file(folder + "/s.yaml",
             "name: s\narch: a100\nworkload: k.traceg\nset: {sms: 1}\naxes: {launch.grid: [1, 2]}\n");
  const ProgramRun grids = test::smsim("sweep s.yaml -o t.sqlite", folder);
  CHECK((grids.err + grids.out + test::smsim("results t.sqlite --failures", folder).out)
            .find("as the kernel was traced") != std::string::npos);
  const ProgramRun other = test::smsim("run k.traceg --set launch.grid=9", folder);
  CHECK(other.status == 2);
  CHECK(other.err.find("launch.grid: is as the kernel was traced; allowed: launch.carveout") !=
        std::string::npos);
}

TEST_CASE("both engines and any number of threads agree on random traces under every simple policy")
{
  for (std::uint64_t number = 0; number < 30; ++number) {
    CAPTURE(number);
    const Workload traced = load(random_trace(number));
    const ArchConfig sm =
        arch(number % 2 == 0 ? "h100" : "rtx3090",
             {"instruction_supply.lines=" + std::to_string(2 + number % 3), "memory.max_outstanding=8"});
    for (const std::string policy : {"lrr", "gto", "cawa", "ccws"}) {
      CAPTURE(policy);
      const RunResult event = run_with(sm, traced, Engine::event, policy);
      const RunResult plain = run_with(sm, traced, Engine::every_cycle, policy);
      CHECK(event.cycles == plain.cycles);
      CHECK(event.states() == plain.states());
      CHECK(event.instructions() == traced.traced->instructions);
      CHECK(plain.memory().bytes == event.memory().bytes);
    }
  }
}

TEST_CASE("public traces run on three architectures in both engines, with the instructions that they count")
{
  const char* folder = std::getenv("SMSIM_TRACES");
  if (!folder || !fs::is_directory(folder)) {
    MESSAGE("SKIPPED: SMSIM_TRACES names no folder of traces");
    return;
  }
  int files = 0;
  for (const auto& file : fs::recursive_directory_iterator(folder)) {
    if (file.path().extension() != ".traceg") continue;
    ++files;
    CAPTURE(file.path().filename());
    Diagnostics diagnostics;
    const Workload traced = load_workload(file.path(), {}, diagnostics);
    REQUIRE(diagnostics.text() == "");
    std::istringstream lines(read_file(file.path()));
    std::uint64_t counted = 0;
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("insts = ")) counted += std::stoull(line.substr(8));
    CHECK(traced.traced->instructions == counted);
    CHECK(traced.traced->unknown_instructions() == 0);
    for (const std::string name : {"h100", "a100", "rtx3090"}) {
      CAPTURE(name);
      const RunResult event = run_with(arch(name), traced, Engine::event);
      const RunResult plain = run_with(arch(name), traced, Engine::every_cycle);
      CHECK(event.instructions() == counted);
      CHECK(event.cycles == plain.cycles);
      CHECK(event.states() == plain.states());
    }
  }
  CHECK(files > 0);
}

TEST_CASE("the public loop of dependent FFMA takes 4 cycles for each on Volta and later, as on hardware")
{
  const char* folder = std::getenv("SMSIM_TRACES");
  if (!folder || !fs::is_directory(fs::path(folder) / "simtune-ffma-10")) {
    MESSAGE("SKIPPED: SMSIM_TRACES names no folder with that loop");
    return;
  }
  std::string text;
  for (const auto& file : fs::directory_iterator(fs::path(folder) / "simtune-ffma-10"))
    if (file.path().extension() == ".traceg") text = read_file(file.path());
  // The longest row of FFMA without anything between them, and the kernel up to its begin and up to its end.
  std::istringstream lines(text.substr(text.find("insts = ")));
  std::string line;
  std::getline(lines, line);
  std::string until;
  std::string row_begin;
  std::string longest_begin;
  std::string longest_end;
  std::size_t row = 0;
  std::size_t longest = 0;
  while (std::getline(lines, line) && !line.empty()) {
    if (line.find(" FFMA ") == std::string::npos) {
      row = 0;
    } else if (row++ == 0) {
      row_begin = until + line + "\n";
    }
    until += line + "\n";
    if (row > longest) {
      longest = row;
      longest_begin = row_begin;
      longest_end = until;
    }
  }
  REQUIRE(longest > 20);
  for (const std::string name : {"v100", "a100", "h100", "rtx3090"}) {
    CAPTURE(name);
    const auto cycles = [&](const std::string& instructions) {
      TraceText part;
      part.version = "5";
      part.warps = {instructions};
      return run_with(arch(name), load(part), Engine::event).cycles;
    };
    CHECK(cycles(longest_end) - cycles(longest_begin) == 4 * (longest - 1));
  }
}

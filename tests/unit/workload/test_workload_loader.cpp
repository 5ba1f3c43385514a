#include "support/kernels.h"

#include <doctest/doctest.h>

using namespace smsim;

namespace {

std::string told(const std::string& workload, const std::vector<std::string>& overrides = {})
{
  Diagnostics diagnostics;
  load_workload(workload, overrides, diagnostics);
  return diagnostics.text();
}

}  // namespace

TEST_CASE("every shipped workload loads, by its name with and without folder, and says what it shows")
{
  REQUIRE(list_workloads().size() >= 5);
  for (const WorkloadInfo& info : list_workloads()) {
    CAPTURE(info.name);
    CHECK(told(info.name).empty());
    CHECK(told(std::filesystem::path(info.name).filename().string()).empty());
    CHECK(told(info.path.string()).empty());
    CHECK_FALSE(info.description.empty());
    CHECK(info.description.size() < 120);
  }
}

TEST_CASE("a launch is read with its defaults")
{
  const KernelConfig bare =
      test::workload(
          "name: k\nlaunch: {grid: [3, 2], block: [32, 4, 2], registers_per_thread: 40}\nprogram: [exit]\n")
          .kernel;
  CHECK(bare.blocks() == 6);
  CHECK(bare.threads_per_block() == 256);
  CHECK(bare.registers_per_thread == 40);
  CHECK(bare.static_shared_bytes == 0);
  CHECK(bare.barriers == 1);
  CHECK(bare.carveout == Carveout{});
  const KernelConfig full = test::workload("name: k\nlaunch: {grid: 1, block: 64, registers_per_thread: 0, "
                                           "shared_memory: {static: 4 KiB, dynamic: 100},\n"
                                           "  carveout: 50%, barriers: 3}\nprogram: [nop]\n")
                                .kernel;
  CHECK(full.static_shared_bytes == 4096);
  CHECK(full.dynamic_shared_bytes == 100);
  CHECK(full.carveout == Carveout{Carveout::Kind::percent, 50});
  CHECK(full.barriers == 3);
}

TEST_CASE("a launch caps its registers by a number or by bounds, and says where")
{
  const std::string start = "name: k\nlaunch: {grid: 1, block: 64, registers_per_thread: 40, ";
  const KernelConfig number = test::workload(start + "max_registers: 32}\nprogram: [nop]\n").kernel;
  REQUIRE(number.max_registers);
  CHECK(number.max_registers->value == 32);
  CHECK(number.max_registers->mark.line == 2);
  CHECK(number.registers_per_thread == 40);
  CHECK_FALSE(number.launch_bounds);
  const KernelConfig bounds =
      test::workload(start + "launch_bounds: {threads: 128, min_blocks: 6}}\nprogram: [nop]\n").kernel;
  REQUIRE(bounds.launch_bounds);
  CHECK(bounds.launch_bounds->value.threads == 128);
  CHECK(bounds.launch_bounds->value.min_blocks == 6);
  const KernelConfig one_block =
      test::workload(start + "launch_bounds: {threads: 128}}\nprogram: [nop]\n").kernel;
  CHECK(one_block.launch_bounds->value.min_blocks == 1);
}

TEST_CASE("--set overrides a workload's keys, and is told apart from the architecture's")
{
  Diagnostics diagnostics;
  const Workload workload = load_workload("vector_add",
                                          {"launch.grid=7", "launch.shared_memory.static=1 KiB", "level=l1",
                                           "program=[nop, exit]", "description=mine"},
                                          diagnostics);
  REQUIRE_MESSAGE(diagnostics.ok(), diagnostics.text());
  CHECK(workload.kernel.blocks() == 7);
  CHECK(workload.kernel.static_shared_bytes == 1024);
  CHECK(workload.program.code.size() == 2);
  CHECK(workload.description == "mine");
  for (const char* option :
       {"launch.grid=1", "level=l1", "level.l1=1", "program=[nop]", "description=x", "launch={}"})
    CHECK(is_workload_override(option));
  for (const char* option :
       {"sms=1", "sm.max_warps=4", "launcher=1", "name=x", "", "=", "memory.l1.latency=3"})
    CHECK_FALSE(is_workload_override(option));
  CHECK(told("vector_add", {"launch.grids=7"}) ==
        "--set:1:8: launch.grids: unknown key; allowed: grid, block, registers_per_thread, max_registers, "
        "launch_bounds, shared_memory, carveout, barriers, cluster (did you mean 'grid'?)\n"
        "    1 | launch.grids=7\n"
        "      |        ^\n");
}

TEST_CASE("a workload that does not exist is told with the nearest name")
{
  const std::string text = told("vectoradd");
  CHECK(text.starts_with("workload:1:1: no workload is named 'vectoradd'; allowed: "));
  CHECK(text.find("(did you mean 'vector_add'?), or a path to a file that ends in .yaml or .traceg\n") !=
        std::string::npos);
}

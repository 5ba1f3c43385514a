#include "base/numbers.h"
#include "config/arch_loader.h"
#include "support/program.h"

#include <doctest/doctest.h>

using namespace smsim;
using test::temporary_folder;
using test::write_file;

namespace {

/// The effective configuration as text, or what is wrong.
std::string effective(const std::string& arch, const std::vector<std::string>& overrides = {})
{
  Diagnostics diagnostics;
  const ArchConfig config = load_arch(arch, overrides, diagnostics);
  return diagnostics.ok() ? yaml_text(arch_document(config)) : diagnostics.text();
}

ArchConfig load(const std::string& arch, const std::vector<std::string>& overrides = {})
{
  Diagnostics diagnostics;
  ArchConfig config = load_arch(arch, overrides, diagnostics);
  REQUIRE_MESSAGE(diagnostics.ok(), diagnostics.text());
  return config;
}

const OpcodeConfig& opcode(const ArchConfig& arch, const std::string& name)
{
  for (const OpcodeConfig& each : arch.opcodes)
    if (each.name == name) return each;
  FAIL("no opcode ", name);
  return arch.opcodes.front();
}

}  // namespace

TEST_CASE("every preset loads, and its effective configuration loads again to the same text")
{
  REQUIRE(list_arch_presets().size() >= 16);
  const std::string folder = temporary_folder();
  for (const PresetInfo& preset : list_arch_presets()) {
    CAPTURE(preset.name);
    const std::string text = effective(preset.name);
    CHECK(text.starts_with("name: "));
    CHECK(text.find("\nbase:") == std::string::npos);
    CHECK(effective(write_file(folder + "/" + preset.name + ".yaml", text)) == text);
  }
}

TEST_CASE("a preset's figures arrive in the right members")
{
  const ArchConfig arch = load("h100");
  CHECK(arch.name == "H100 SXM5");
  CHECK(arch.compute_capability == "9.0");
  CHECK(arch.sms == 132);
  CHECK(arch.clock_khz == 1'980'000);
  CHECK(arch.sm.max_warps == 64);
  CHECK(arch.sm.max_barriers == 64U);
  CHECK(arch.warps_per_sub_partition() == 16);
  CHECK(arch.registers_per_sub_partition() == 16384);
  CHECK(arch.shared_memory.carveouts.size() == 10);
  CHECK(arch.max_shared_memory() == 228 * 1024);
  CHECK(arch.memory.dram.millibytes_per_cycle == 12'800U);
  CHECK_FALSE(arch.memory.max_outstanding);
  CHECK(opcode(arch, "hmma").interval == 8);
  CHECK(opcode(arch, "mufu").result == ResultClass::short_scoreboard);
  CHECK(opcode(arch, "dfma").result == ResultClass::wait);
  CHECK(opcode(arch, "atom.global").access == Access::atomic);
  CHECK_FALSE(load("a100").sm.max_barriers);
}

TEST_CASE("every compute capability of the table has a preset of that compute capability")
{
  REQUIRE(known_compute_capabilities().size() == 16);
  for (const std::string& capability : known_compute_capabilities())
    CHECK(load(preset_of_compute_capability(capability)).compute_capability == capability);
  CHECK(preset_of_compute_capability("4.2").empty());
}

TEST_CASE("a file starts from a preset, a base, a file beside it or one elsewhere, over several steps")
{
  const std::string folder = temporary_folder();
  std::filesystem::create_directory(folder + "/deeper");
  write_file(folder + "/mine.yaml", "base: h100\nname: mine\nsm: {max_blocks: 16}\n");
  write_file(folder + "/deeper/next.yaml", "base: ../mine.yaml\nname: next\nsm: {max_warps: 32}\n");
  write_file(folder + "/last.yaml", "base: " + folder + "/deeper/next.yaml\npipes: {mine: {lanes: 8}}\n");
  const ArchConfig arch = load(folder + "/last.yaml");
  CHECK(arch.name == "next");
  CHECK(arch.sm.max_blocks == 16);
  CHECK(arch.sm.max_warps == 32);
  CHECK(arch.sms == 132);
  CHECK(arch.pipes.back().name == "mine");
  CHECK(arch.pipes.size() == load("h100").pipes.size() + 1);
}

TEST_CASE("--set overrides any key: numbers, sizes, words, lists, maps, and opcodes with dots in their names")
{
  const ArchConfig arch = load(
      "h100", {"sms=4", "register_file.registers=131072", "shared_memory.carveouts=[0, 228 KiB]",
               "shared_memory.allocation_unit=256 B", "sm.max_barriers=none", "dispatch.placement=modulo",
               "memory.dram.bytes_per_cycle=0.125", "memory.l2.bytes_per_cycle=none",
               "opcodes.ld.shared.latency=30", "opcodes.ffma={latency: 7}", "pipes.mine={lanes: 16}",
               "opcodes.my={pipe: mine, latency: 3}", "name=two words", "scheduler.policy=lrr", "sms=5"});
  CHECK(arch.sms == 5);  // the last one counts
  CHECK(arch.register_file.registers == 131072);
  CHECK(arch.shared_memory.carveouts == std::vector<std::uint64_t>{0, 228 * 1024});
  CHECK(arch.shared_memory.allocation_unit == 256);
  CHECK_FALSE(arch.sm.max_barriers);
  CHECK(arch.dispatch.placement == Placement::modulo);
  CHECK(arch.memory.dram.millibytes_per_cycle == 125U);
  CHECK_FALSE(arch.memory.l2.millibytes_per_cycle);
  CHECK(opcode(arch, "ld.shared").latency == 30);
  CHECK(opcode(arch, "ffma").latency == 7);
  CHECK(opcode(arch, "ffma").pipe == "fma");  // a map is merged
  CHECK(opcode(arch, "my").pipe == "mine");
  CHECK(arch.name == "two words");
  CHECK(arch.scheduler.policy == "lrr");
}

TEST_CASE("what is wrong with --set is told with the words that were typed")
{
  CHECK(
      effective("h100", {"registers=5", "sm.max_warp=64", "sms=many", "sms", "=3", "name.first=x", "sms="}) ==
      "--set:1:1: 'sms' is not an override; expected: --set path=value\n"
      "    1 | sms\n"
      "      | ^\n"
      "--set:1:1: '=3' is not an override; expected: --set path=value\n"
      "    1 | =3\n"
      "      | ^\n"
      "--set:1:1: registers: unknown key; allowed: base, name, compute_capability, sms, clock_mhz, sm, "
      "register_file, "
      "shared_memory, dispatch, scheduler, dependencies, divergence, pipes, opcodes, instruction_supply, "
      "memory\n"
      "    1 | registers=5\n"
      "      | ^\n"
      "--set:1:4: sm.max_warp: unknown key; allowed: sub_partitions, warp_size, max_warps, max_blocks, "
      "max_threads_per_block, "
      "max_barriers, barriers_per_block_limit (did you mean 'max_warps'?)\n"
      "    1 | sm.max_warp=64\n"
      "      |    ^\n"
      "--set:1:5: sms: no value; expected: --set path=value\n"
      "    1 | sms=\n"
      "      |     ^\n"
      "--set:1:5: sms: 'many' is not a whole number; expected: plain digits, 1 to 65536\n"
      "    1 | sms=many\n"
      "      |     ^\n"
      "--set:1:6: name: 'H100 SXM5' is not a map of keys\n"
      "    1 | name.first=x\n"
      "      |      ^\n");
  CHECK(effective("h100", {"sm.max_warps=62"})
            .starts_with("--set:1:14: sm.max_warps: 62 warps cannot be shared out evenly"));
  CHECK(effective("h100", {"base=a100"})
            .starts_with(
                "--set:1:1: base: cannot be overridden; expected: --arch with the other architecture"));
}

TEST_CASE("an architecture that does not exist is told with the nearest name, or the file's")
{
  CHECK(effective("h10").starts_with("--arch:1:1: no architecture is named 'h10'; allowed: a100, b200,"));
  CHECK(effective("h10").find("(did you mean 'h100'?), or a path to a file that ends in .yaml\n") !=
        std::string::npos);
  CHECK(effective("no/such.yaml") == "no/such.yaml: cannot be read: No such file or directory\n");
}

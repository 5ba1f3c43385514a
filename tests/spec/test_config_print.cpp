#include "support/program.h"

#include <doctest/doctest.h>

namespace test = smsim::test;
using smsim::test::temporary_folder;
using smsim::test::write_file;

TEST_CASE(
    "--print-config writes the effective architecture, which loads again to the same, overrides included")
{
  const std::string folder = temporary_folder();
  const std::string overrides =
      " --set sm.max_warps=48 --set opcodes.ld.shared.latency=31 --set 'name=\"a: b # c\"'";
  const auto first = test::smsim("run --arch rtx5090" + overrides + " --print-config");
  CHECK(first.status == 0);
  CHECK(first.err.empty());
  CHECK(first.out.starts_with("name: \"a: b # c\"\n"));
  CHECK(first.out.find("\n  max_warps: 48\n") != std::string::npos);
  CHECK(first.out.find("\n  ld.shared:\n    memory: shared\n    access: load\n    latency: 31\n") !=
        std::string::npos);
  write_file(folder + "/effective.yaml", first.out);
  CHECK(test::smsim("run --arch effective.yaml --print-config", folder).out == first.out);
  CHECK(test::smsim("occupancy --arch effective.yaml --print-config", folder).out == first.out);
  CHECK(test::smsim("validate effective.yaml", folder).out == "effective.yaml: ok\n");
}

TEST_CASE("a run with the printed configuration gives the same report as the run with the overrides")
{
  const std::string folder = temporary_folder();
  const auto printed = test::smsim("run --arch a100 --set memory.dram.latency=500 --print-config --output " +
                                   folder + "/mine.yaml");
  REQUIRE(printed.status == 0);
  const auto direct = test::smsim(
      "run worked_example --arch a100 --set memory.dram.latency=500 --set launch.grid=8 --format csv");
  const auto file =
      test::smsim("run worked_example --arch " + folder + "/mine.yaml --set launch.grid=8 --format csv");
  CHECK(direct.status == 0);
  CHECK(direct.out == file.out);
}

TEST_CASE("--print-config of an architecture with errors prints nothing")
{
  const auto run = test::smsim("run --arch a100 --set sms=0 --print-config");
  CHECK(run.status == 2);
  CHECK(run.out.empty());
  CHECK(run.err == "--set:1:5: sms: out of range: 0; allowed: 1 to 65536\n    1 | sms=0\n      |     ^\n");
}

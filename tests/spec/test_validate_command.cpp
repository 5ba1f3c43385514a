#include "support/program.h"

#include <doctest/doctest.h>

namespace test = smsim::test;
using smsim::test::temporary_folder;
using smsim::test::write_file;

TEST_CASE("smsim validate checks architectures and workloads, and says ok for each good one")
{
  const auto run =
      test::smsim("validate arch_configs/h100.yaml workloads/lessons/vector_add.yaml arch_configs/gb10.yaml");
  CHECK(run.status == 0);
  CHECK(run.err.empty());
  CHECK(run.out ==
        "arch_configs/h100.yaml: ok\nworkloads/lessons/vector_add.yaml: ok\narch_configs/gb10.yaml: ok\n");
}

TEST_CASE("smsim validate reports the errors of every file, in all of them")
{
  const std::string folder = temporary_folder();
  write_file(folder + "/a.yaml", "base: h100\nsmss: 4\nsm: {max_warps: 62}\n");
  write_file(folder + "/good.yaml", "base: h100\n");
  write_file(folder + "/k.yaml",
             "name: k\nlaunch: {grid: 0, block: 64, registers_per_thread: 16}\nprogram: [ffma r1 r2]\n");
  const auto run = test::smsim("validate k.yaml a.yaml good.yaml missing.yaml", folder);
  CHECK(run.status == 2);
  CHECK(run.out == "good.yaml: ok\n");
  for (const char* place : {"a.yaml:2:1: smss: unknown key", "a.yaml:3:17: sm.max_warps: 62 warps",
                            "k.yaml:2:16: launch.grid: out of range: 0",
                            "k.yaml:3:19: program[0]: a comma is expected", "missing.yaml: cannot be read"})
    CHECK_MESSAGE(run.err.find(place) != std::string::npos, run.err);
}

TEST_CASE("smsim validate takes a file for a workload if it has any of a workload's keys")
{
  const std::string folder = temporary_folder();
  write_file(folder + "/k.yaml", "name: k\nprogram: [exit]\n");
  CHECK(test::smsim("validate k.yaml", folder).err ==
        "k.yaml: launch: missing key; meaning: grid, block and what a block needs\n");
}

TEST_CASE("smsim validate without a file, or with an unknown option, is a usage error")
{
  CHECK(test::smsim("validate").status == 2);
  CHECK(test::smsim("validate").err ==
        "smsim validate: name at least one file\n`smsim validate --help` lists the options.\n");
  CHECK(test::smsim("validate --shema").err == "smsim validate: unknown option --shema (did you mean "
                                               "'--schema'?)\n`smsim validate --help` lists the options.\n");
  CHECK(test::smsim("validate --help").status == 0);
  CHECK(test::smsim("validate --help").out.starts_with("Usage: smsim validate FILE...\n"));
}

TEST_CASE("smsim validate --schema on a full disk is an error and not half a schema")
{
  const auto run = test::smsim("validate --schema >/dev/full");
  CHECK(run.status == 1);
  CHECK(run.err == "standard output: cannot be written: No space left on device\n");
}

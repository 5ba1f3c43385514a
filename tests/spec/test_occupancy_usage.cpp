// smsim occupancy: what a wrong command line is told. Exit 2, nothing on stdout.
#include "support/program.h"

#include <doctest/doctest.h>

#include <string>

namespace test = smsim::test;

namespace {

void fails_with(const std::string& arguments, const std::string& text)
{
  const test::ProgramRun run = test::smsim("occupancy " + arguments);
  CAPTURE(arguments);
  CHECK(run.status == 2);
  CHECK(run.out == "");
  CHECK(run.err == "smsim occupancy: " + text + "\n`smsim occupancy --help` lists the options.\n");
}

const std::string launch = "--arch a100 --threads 256 --registers 32 ";

}  // namespace

TEST_CASE("what is missing is named")
{
  fails_with("", "--arch is missing; `smsim list archs` shows the presets");
  fails_with("--threads 256 --registers 32", "--arch is missing; `smsim list archs` shows the presets");
  fails_with("--arch a100 --registers 32", "--threads is missing");
  fails_with("--arch a100 --threads 32", "--registers is missing");
}

TEST_CASE("an unknown option gets a suggestion")
{
  fails_with(launch + "--treads 5", "unknown option --treads (did you mean '--threads'?)");
  fails_with(launch + "--shared 5", "unknown option --shared");
  fails_with(launch + "vector_add vector_add",
             "too many positional options have been specified on the command line");
}

TEST_CASE("numbers, sizes and words that cannot be are refused with what is allowed")
{
  fails_with("--arch a100 --threads 0 --registers 32", "--threads: out of range: 0; allowed: 1 to 65536");
  fails_with("--arch a100 --threads -1 --registers 32", "--threads: '-1' is not a whole number");
  fails_with("--arch a100 --threads 1e3 --registers 32", "--threads: '1e3' is not a whole number");
  fails_with("--arch a100 --threads 32 --registers 256", "--registers: out of range: 256; allowed: 0 to 255");
  const std::string sizes = "is not a size; expected: a whole number of B, KiB or MiB, such as 48KiB";
  fails_with(launch + "--static-shared 48KB", "--static-shared: '48KB' " + sizes);
  fails_with(launch + "--dynamic-shared 1.5KiB", "--dynamic-shared: '1.5KiB' " + sizes);
  fails_with(launch + "--dynamic-shared ''", "--dynamic-shared: '' " + sizes);
  fails_with(launch + "--dynamic-shared 2000MiB",
             "--dynamic-shared: out of range: 2000MiB; allowed: up to 1024 MiB");
  fails_with(launch + "--barriers 17", "--barriers: out of range: 17; allowed: 0 to 16");
  const std::string carveouts =
      "is not a carveout; expected: default, a percentage from 0% to 100%, or a size such as 64KiB";
  for (const std::string value : {"101%", "101", "half", "64KB", "-1", "5.5%", "''"})
    fails_with(launch + "--carveout " + value,
               "--carveout: '" + (value == "''" ? "" : value) + "' " + carveouts);
  fails_with(launch + "--format csv", "--format: unknown value 'csv'; allowed: text, json");
  fails_with(
      launch + "--curve register",
      "--curve: unknown value 'register'; allowed: registers, threads, shared (did you mean 'registers'?)");
}

TEST_CASE("options that exclude each other are refused, not ignored")
{
  fails_with(launch + "--explain --format json",
             "--explain prints text; --format json has the limits and cliffs without it");
  fails_with(launch + "--explain --curve threads",
             "--explain has no effect with --curve; ask for one of them");
  fails_with("--arch a100 --threads 32 --print-config",
             "--threads has no effect with --print-config; allowed: --arch, --set, --output");
  fails_with("--batch a.csv --ptxas b.log", "--ptxas has no effect with --batch; allowed: --output");
}

TEST_CASE("a workload states its launch itself")
{
  fails_with(launch + "vector_add", "--threads has no effect with --workload; allowed: --arch, --set, "
                                    "--explain, --curve, --format, --output");
  CHECK(test::smsim("occupancy vectoradd --arch a100").err.find("did you mean 'vector_add'?") !=
        std::string::npos);
}

TEST_CASE("an architecture that does not exist and an override that cannot be are located errors")
{
  const test::ProgramRun arch = test::smsim("occupancy --arch a10 --threads 32 --registers 32");
  CHECK(arch.status == 2);
  CHECK(arch.err.starts_with("--arch:1:1: no architecture is named 'a10'"));
  CHECK(arch.err.find("(did you mean 'a100'?)") != std::string::npos);
  const test::ProgramRun set = test::smsim("occupancy " + launch + "--set sm.max_warps=65");
  CHECK(set.status == 2);
  CHECK(set.out == "");
  CHECK(set.err == "--set:1:14: sm.max_warps: 65 warps cannot be shared out evenly; allowed: a multiple of "
                   "sub_partitions, 4\n"
                   "    1 | sm.max_warps=65\n"
                   "      |              ^\n");
}

TEST_CASE("--help explains the command on stdout")
{
  const test::ProgramRun run = test::smsim("occupancy --help");
  CHECK(run.status == 0);
  CHECK(run.err == "");
  CHECK(run.out.starts_with("Usage: smsim occupancy --arch NAME|FILE --threads N --registers N [OPTIONS]\n"));
  for (const std::string option :
       {"--arch", "--threads", "--registers", "--static-shared", "--dynamic-shared", "--carveout",
        "--barriers", "--set", "--explain", "--curve", "--batch", "--ptxas", "--format", "--print-config",
        "--output"}) {
    CAPTURE(option);
    CHECK(run.out.find(option) != std::string::npos);
  }
}

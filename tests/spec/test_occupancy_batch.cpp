// smsim occupancy --batch: what a table of launches may look like, and what a bad one is told.
#include "support/program.h"

#include <doctest/doctest.h>

#include <string>

namespace test = smsim::test;

namespace {

const std::string header = "compute_capability,threads_per_block,registers_per_thread,static_shared_bytes,"
                           "dynamic_shared_bytes,carveout_percent,"
                           "barriers_per_block";
const std::string answers = ",blocks_per_sm,limit_warps,limit_blocks,limit_registers,limit_shared_memory,"
                            "limit_barriers,allocated_registers_per_block,"
                            "allocated_shared_bytes_per_block,suggested_block_size,suggested_min_grid\n";

test::ProgramRun batch(const std::string& table)
{
  const std::string folder = test::temporary_folder();
  test::write_file(folder + "/launches.csv", table);
  return test::smsim("occupancy --batch launches.csv", folder);
}

void fails_with(const std::string& table, const std::string& text)
{
  const test::ProgramRun run = batch(table);
  CHECK(run.status == 2);
  CHECK(run.out == "");
  CHECK(run.err == text);
}

}  // namespace

TEST_CASE("a batch answers row by row, in order, and repeats what it was asked")
{
  const test::ProgramRun run =
      batch(header + "\n8.0,256,64,49152,0,-1,1\n12.0,32,32,0,0,-1,1\n8.0,256,64,49152,0,-1,1\n");
  CHECK(run.status == 0);
  CHECK(run.err == "");
  CHECK(run.out == header + answers +
                       "8.0,256,64,49152,0,-1,1,3,8,32,4,3,-1,16384,50176,1024,108\n"
                       "12.0,32,32,0,0,-1,1,24,48,24,64,100,24,1024,1024,768,168\n"
                       "8.0,256,64,49152,0,-1,1,3,8,32,4,3,-1,16384,50176,1024,108\n");
}

TEST_CASE("a batch of a header alone is answered with a header, empty lines, CRLF and further columns are "
          "passed over")
{
  CHECK(batch(header + "\n").out == header + answers);
  const test::ProgramRun run = batch(header + ",kernel\r\n\r\n8.0,256,64,49152,0,-1,1,gemm\r\n");
  CHECK(run.status == 0);
  CHECK(run.out == header + answers + "8.0,256,64,49152,0,-1,1,3,8,32,4,3,-1,16384,50176,1024,108\n");
}

TEST_CASE("every bad row of a batch is reported with its line and column, and nothing is printed")
{
  fails_with(header + "\n"
                      "8.0,256,64,0,0,-1,1\n"
                      "8.1,256,64,0,0,-1,1\n"
                      "8.0,256,x,0,0,-1,1\n"
                      "8.0,0,64,0,0,101,1\n"
                      "8.0,256,64\n"
                      "8.0,256,256,0,0,-1,1\n",
             "launches.csv:3:1: compute_capability: no preset has compute capability '8.1'; allowed: 5.0, "
             "5.2, 6.0, 6.1, 7.0, 7.5, "
             "8.0, 8.6, 8.7, 8.9, 9.0, 10.0, 10.3, 11.0, 12.0, 12.1\n"
             "    3 | 8.1,256,64,0,0,-1,1\n"
             "      | ^\n"
             "launches.csv:4:9: registers_per_thread: 'x' is not a whole number; allowed: 0 to 255\n"
             "    4 | 8.0,256,x,0,0,-1,1\n"
             "      |         ^\n"
             "launches.csv:5:5: threads_per_block: out of range: 0; allowed: 1 to 65536\n"
             "    5 | 8.0,0,64,0,0,101,1\n"
             "      |     ^\n"
             "launches.csv:5:14: carveout_percent: out of range: 101; allowed: 0 to 100, or -1 for the "
             "driver's default\n"
             "    5 | 8.0,0,64,0,0,101,1\n"
             "      |              ^\n"
             "launches.csv:6:11: the row has 3 columns; expected: " +
                 header +
                 "\n"
                 "    6 | 8.0,256,64\n"
                 "      |           ^\n"
                 "launches.csv:7:9: registers_per_thread: out of range: 256; allowed: 0 to 255\n"
                 "    7 | 8.0,256,256,0,0,-1,1\n"
                 "      |         ^\n");
}

TEST_CASE("a number of a batch is a whole one: no sign, no fraction, no blank, no leading zero")
{
  for (const std::string number :
       {"-1", "+1", "1.0", " 1", "1 ", "01", "1e2", "0x10", "", "99999999999999999999"}) {
    CAPTURE(number);
    const test::ProgramRun run = batch(header + "\n8.0," + number + ",64,0,0,-1,1\n");
    CHECK(run.status == 2);
    CHECK(run.out == "");
    CHECK(run.err.starts_with("launches.csv:2:5: threads_per_block: "));
  }
}

TEST_CASE("a batch without the header's columns stops at the first that is wrong")
{
  fails_with("compute_capability,threads,registers\n8.0,256,64\n",
             "launches.csv:1:20: column 2 is 'threads'; expected: threads_per_block; the header is " +
                 header +
                 "\n"
                 "    1 | compute_capability,threads,registers\n"
                 "      |                    ^\n");
  fails_with("compute_capability\n",
             "launches.csv:1:19: column 2 is missing; expected: threads_per_block; the header is " + header +
                 "\n"
                 "    1 | compute_capability\n"
                 "      |                   ^\n");
  fails_with("", "launches.csv: is empty; expected: a header line, " + header + "\n");
}

TEST_CASE("a batch that cannot be read says so")
{
  const test::ProgramRun missing = test::smsim("occupancy --batch no_such.csv");
  CHECK(missing.status == 2);
  CHECK(missing.err == "no_such.csv: cannot be read: No such file or directory\n");
  const test::ProgramRun folder = test::smsim("occupancy --batch tests");
  CHECK(folder.status == 2);
  CHECK(folder.out == "");
}

TEST_CASE("an option that a batch does not read is refused, not ignored")
{
  const test::ProgramRun run = test::smsim("occupancy --batch launches.csv --arch a100");
  CHECK(run.status == 2);
  CHECK(run.err == "smsim occupancy: --arch has no effect with --batch; allowed: --output\n"
                   "`smsim occupancy --help` lists the options.\n");
}

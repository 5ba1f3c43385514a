#include "base/text_file.h"
#include "occupancy/ncu_csv.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsim;

namespace {

std::shared_ptr<const SourceText> reference(const std::string& name)
{
  Diagnostics diagnostics;
  auto source =
      read_text_file(std::string(SMSIM_SOURCE_DIR "/tests/reference/") + name, 1U << 20U, diagnostics);
  REQUIRE_MESSAGE(source, diagnostics.text());
  return source;
}

/// The launches of a table that must have no errors.
std::vector<NcuKernel> kernels_of(const std::shared_ptr<const SourceText>& source)
{
  Diagnostics diagnostics;
  auto kernels = parse_ncu_csv(source, diagnostics);
  CHECK(diagnostics.text() == "");
  return kernels;
}

std::string errors_of(std::string_view text)
{
  Diagnostics diagnostics;
  parse_ncu_csv(make_source("ncu.csv", text), diagnostics);
  return diagnostics.text();
}

/// How often a text stands in another.
int count(const std::string& text, const std::string& part)
{
  int times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++times;
  return times;
}

const std::string header =
    "\"Metric Value\",\"Metric Unit\",\"Metric Name\",\"Grid Size\",\"Block Size\",\"Kernel Name\",\"ID\"\n";

/// One row in the order of `header`.
std::string row(const std::string& name, const std::string& value, const std::string& unit = "",
                const std::string& id = "0")
{
  return "\"" + value + "\",\"" + unit + "\",\"" + name + "\",\"(2, 3, 4)\",\"(32, 8, 1)\",\"f\",\"" + id +
         "\"\n";
}

/// Every metric that is needed, but the static shared memory.
std::string needed_rows(const std::string& id = "0")
{
  return row("Registers Per Thread", "40", "register/thread", id) +
         row("Dynamic Shared Memory Per Block", "0", "byte/block", id) +
         row("Block Limit Warps", "8", "block", id) + row("Block Limit SM", "32", "block", id) +
         row("Block Limit Registers", "6", "block", id) + row("Block Limit Shared Mem", "11", "block", id) +
         row("Theoretical Occupancy", "75", "%", id);
}

const std::string static_row = row("Static Shared Memory Per Block", "1,024", "byte/block");

std::uint64_t static_bytes(const std::string& value, const std::string& unit)
{
  const auto kernels = kernels_of(
      make_source("ncu.csv", header + needed_rows() + row("Static Shared Memory Per Block", value, unit)));
  REQUIRE(kernels.size() == 1);
  return kernels[0].static_shared_bytes;
}

}  // namespace

TEST_CASE("a table of Nsight Compute gives each launch with its size, its needs and its limits")
{
  const auto kernels = kernels_of(reference("ncu_long.csv"));
  REQUIRE(kernels.size() == 2);
  const NcuKernel& gemm = kernels[0];
  CHECK(gemm.id == "0");
  CHECK(gemm.name == "void gemm<float, \"nt\">(const T1 *, T1 *, int)");
  CHECK(gemm.compute_capability == "10.0");
  CHECK(gemm.block == std::array<std::uint32_t, 3>{384, 1, 1});
  CHECK(gemm.grid == std::array<std::uint32_t, 3>{9, 32, 1});
  CHECK(gemm.registers_per_thread == 168);
  CHECK(gemm.static_shared_bytes == 0);
  CHECK(gemm.dynamic_shared_bytes == 205696);
  CHECK(gemm.driver_shared_bytes == 1024);
  CHECK(gemm.shared_configuration_bytes == 233472);
  CHECK_FALSE(gemm.sizes_rounded);
  CHECK(gemm.sms == 152);
  CHECK(gemm.waves_per_sm == doctest::Approx(1.89));
  CHECK(gemm.limits[static_cast<std::size_t>(Limiter::warps)] == 5);
  CHECK(gemm.limits[static_cast<std::size_t>(Limiter::blocks)] == 32);
  CHECK(gemm.limits[static_cast<std::size_t>(Limiter::registers)] == 1);
  CHECK(gemm.limits[static_cast<std::size_t>(Limiter::shared_memory)] == 1);
  CHECK(gemm.limits[static_cast<std::size_t>(Limiter::barriers)] == 9);
  CHECK(gemm.theoretical_occupancy_percent == doctest::Approx(18.75));
  CHECK(gemm.achieved_occupancy_percent == doctest::Approx(15.53));
  CHECK(gemm.where.line == 7);

  const NcuKernel& transpose = kernels[1];
  CHECK(transpose.name == "transpose(float *, float *)");
  CHECK(transpose.block == std::array<std::uint32_t, 3>{32, 8, 1});
  CHECK(transpose.grid == std::array<std::uint32_t, 3>{128, 128, 1});
  CHECK(transpose.registers_per_thread == 24);
  CHECK(transpose.static_shared_bytes == 4220);
  CHECK(transpose.sizes_rounded);
  CHECK(transpose.driver_shared_bytes == 1020);
  CHECK(transpose.shared_configuration_bytes == 65540);
  CHECK_FALSE(transpose.limits[static_cast<std::size_t>(Limiter::barriers)].has_value());
  CHECK_FALSE(transpose.achieved_occupancy_percent.has_value());
}

TEST_CASE("a table of an older version has no sizes and no CC: the block's and the grid's total is a metric")
{
  const auto kernels = kernels_of(reference("ncu_2020.csv"));
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].compute_capability == "");
  CHECK(kernels[0].block == std::array<std::uint32_t, 3>{192, 1, 1});
  CHECK(kernels[0].grid == std::array<std::uint32_t, 3>{506, 1, 1});
  CHECK(kernels[0].registers_per_thread == 20);
  CHECK(kernels[0].theoretical_occupancy_percent == doctest::Approx(93.75));
  CHECK_FALSE(kernels[0].driver_shared_bytes.has_value());
  CHECK_FALSE(kernels[0].sms.has_value());
}

TEST_CASE("columns are found by name in any order, and rows that belong to no table are passed over")
{
  const auto kernels =
      kernels_of(make_source("ncu.csv", "==PROF== Connected\nresult: \"ok\n" + header + needed_rows() +
                                            "\n==WARNING== \"x\nresult\n" + static_row));
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].name == "f");
  CHECK(kernels[0].grid == std::array<std::uint32_t, 3>{2, 3, 4});
  CHECK(kernels[0].static_shared_bytes == 1024);
}

TEST_CASE("a table without quotes, as a spreadsheet writes it, is read")
{
  const auto kernels = kernels_of(make_source(
      "ncu.csv", "ID,Kernel Name,Block Size,Grid Size,Metric Name,Metric Unit,Metric Value\r\n"
                 "7,f,\"(64, 1, 1)\",\"(5, 1, 1)\",Registers Per Thread,register/thread,32\r\n"
                 "7,f,\"(64, 1, 1)\",\"(5, 1, 1)\",Static Shared Memory Per Block,byte/block,0\r\n"
                 "7,f,\"(64, 1, 1)\",\"(5, 1, 1)\",Dynamic Shared Memory Per Block,byte/block,0\r\n"
                 "7,f,\"(64, 1, 1)\",\"(5, 1, 1)\",Block Limit Warps,block,24\r\n"
                 "7,f,\"(64, 1, 1)\",\"(5, 1, 1)\",Block Limit SM,block,16\r\n"
                 "7,f,\"(64, 1, 1)\",\"(5, 1, 1)\",Block Limit Registers,block,32\r\n"
                 "7,f,\"(64, 1, 1)\",\"(5, 1, 1)\",Block Limit Shared Mem,block,16\r\n"
                 "7,f,\"(64, 1, 1)\",\"(5, 1, 1)\",Theoretical Occupancy,%,66.67\r\n"
                 "==PROF== Disconnected\r\n"));
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].id == "7");
  CHECK(kernels[0].block == std::array<std::uint32_t, 3>{64, 1, 1});
  CHECK(kernels[0].theoretical_occupancy_percent == doctest::Approx(66.67));
}

TEST_CASE("two tables in one file do not mix their launches, and a byte order mark does no harm")
{
  const std::string table = header + needed_rows() + static_row;
  const auto kernels = kernels_of(make_source("ncu.csv", "\xEF\xBB\xBF" + table + table));
  CHECK(kernels.size() == 2);
}

TEST_CASE("sizes are read in the units of Nsight Compute: its Kbyte has 1000 bytes")
{
  CHECK(static_bytes("512", "byte/block") == 512);
  CHECK(static_bytes("33.02", "Kbyte/block") == 33020);
  CHECK(static_bytes("1.5", "Mbyte/block") == 1500000);
  CHECK(static_bytes("33.5", "KiB/block") == 34304);
  CHECK(static_bytes("1,234.5", "Kbyte") == 1234500);
  CHECK(static_bytes("1,234,567", "byte") == 1234567);
}

TEST_CASE("numbers, units and sizes that are none are errors at their places")
{
  CHECK(
      errors_of(header + needed_rows() + static_row + row("Driver Shared Memory Per Block", "12", "byts")) ==
      "ncu.csv:10:6: Driver Shared Memory Per Block: 'byts' is not a unit of memory; allowed: byte, Kbyte, "
      "Mbyte, "
      "KiB, MiB\n"
      "   10 | \"12\",\"byts\",\"Driver Shared Memory Per Block\",\"(2, 3, 4)\",\"(32, 8, 1)\",\"f\",\"0\"\n"
      "      |      ^\n");
  for (const char* number :
       {"61,44", "1,2345", "12,34.5", ",123", "1234,567", "1,,234", "-1", "x", "1e3", "1.5.2"}) {
    const std::string text =
        errors_of(header + needed_rows() + row("Static Shared Memory Per Block", number, "byte"));
    CHECK_MESSAGE(text.find("'" + std::string(number) + "' is not a number; e.g. 1234 or 1,234\n") !=
                      std::string::npos,
                  text);
  }
  CHECK(errors_of(header + needed_rows() + static_row + row("# SMs", "1.5"))
            .find("# SMs: '1.5' is not a whole number") != std::string::npos);
  for (const char* size : {"384", "(384, 1)", "(0, 1, 1)", "(1, 1, 1, 1)", "(4294967296, 1, 1)"}) {
    const std::string text =
        errors_of("\"ID\",\"Kernel Name\",\"Block Size\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
                  "\"0\",\"f\",\"" +
                  std::string(size) + "\",\"\",\"\",\"\"\n");
    CHECK_MESSAGE(text.find("ncu.csv:2:9: Block Size: '" + std::string(size) +
                            "' is not a size; e.g. (256, 1, 1)\n") != std::string::npos,
                  text);
  }
}

TEST_CASE("a launch without the metrics that are needed says which, and which sections have them")
{
  CHECK(
      errors_of(header + needed_rows("3")) ==
      "ncu.csv:2:1: launch 3 has no 'Static Shared Memory Per Block' of section LaunchStats; write the table "
      "with: "
      "ncu --csv --page details --section LaunchStats --section Occupancy\n"
      "    2 | \"40\",\"register/thread\",\"Registers Per Thread\",\"(2, 3, 4)\",\"(32, 8, 1)\",\"f\",\"3\"\n"
      "      | ^\n");
  const std::string text =
      errors_of(header + row("Duration", "5", "us", "0") + row("Duration", "5", "us", "1"));
  CHECK(
      count(text,
            "'Registers Per Thread', 'Static Shared Memory Per Block', 'Dynamic Shared Memory Per Block' of "
            "section LaunchStats; ") == 2);
  CHECK(count(text,
              "'Block Limit Warps', 'Block Limit SM', 'Block Limit Registers', 'Block Limit Shared Mem', "
              "'Theoretical Occupancy' of section Occupancy; ") == 2);
}

TEST_CASE("a metric that is needed and not available is missing")
{
  CHECK(errors_of(header + needed_rows() + row("Static Shared Memory Per Block", "n/a", "byte"))
            .find("launch 0 has no 'Static Shared Memory Per Block'") != std::string::npos);
}

TEST_CASE("one metric with two values for one launch is an error, with the same value it is not")
{
  const std::string other = row("Static Shared Memory Per Block", "2,048", "byte/block");
  CHECK(errors_of(header + needed_rows() + static_row + static_row) == "");
  CHECK(errors_of(header + needed_rows() + static_row + other)
            .starts_with(
                "ncu.csv:10:1: Static Shared Memory Per Block: '2,048' differs from the value in an earlier "
                "row\n"));
}

TEST_CASE("rows that are cut off and quotes that are never closed are errors at their places, all at once")
{
  const std::string text = errors_of(header + needed_rows() + static_row + "\"1\",\"byte\"\n\"1\"x,\"a\n\nb");
  CHECK(text.find("ncu.csv:10:1: row cut off after 2 fields\n") != std::string::npos);
  CHECK(text.find("ncu.csv:11:4: text after a closing quote\n") != std::string::npos);
  CHECK(text.find("ncu.csv:11:6: this quote is never closed\n") != std::string::npos);
}

TEST_CASE("another table of Nsight Compute is refused with the command that writes the right one")
{
  CHECK(
      errors_of(
          "\"ID\",\"Process ID\",\"Kernel Name\",\"launch__registers_per_thread\"\n\"0\",\"1\",\"f\",\"8\"\n")
          .starts_with(
              "ncu.csv:1:1: no column 'Metric Name' in this table; write the table with: ncu --csv --page "
              "details --section LaunchStats --section Occupancy\n"));
}

TEST_CASE("a file without a launch says how to write one")
{
  const std::string expected =
      "ncu.csv: no kernel of Nsight Compute in this file; write the table with: ncu --csv "
      "--page details --section LaunchStats --section Occupancy\n";
  CHECK(errors_of("") == expected);
  CHECK(errors_of("==WARNING== No kernels were profiled.\n") == expected);
  CHECK(errors_of(header) == expected);
}

TEST_CASE("a table of Nsight Compute is told from a compiler's log")
{
  CHECK(looks_like_ncu_csv(*reference("ncu_long.csv")));
  CHECK(looks_like_ncu_csv(*reference("ncu_2020.csv")));
  CHECK(
      looks_like_ncu_csv(*make_source("x", "\"ID\",\"Process ID\",\"Kernel Name\",\"launch__grid_size\"\n")));
  CHECK_FALSE(looks_like_ncu_csv(*reference("ptxas_v_cuda13.log")));
  CHECK_FALSE(looks_like_ncu_csv(*reference("ptxas_demangled.log")));
  CHECK_FALSE(looks_like_ncu_csv(*make_source("x", "")));
}

// What is wrong in a trace is told with its place, whatever it is: no crash, no hang, exit 2.
#include "base/random.h"
#include "support/program.h"
#include "support/traces.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

using namespace smsim;
using namespace smsim::test;

namespace {

TraceText good()
{
  TraceText text;
  text.version = "5";
  text.grid = "(2,1,1)";
  text.block = "(64,1,1)";
  const std::string warp =
      "0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f7000001000 4 0\n"
      "0010 0000000f 1 R3 LDG.E 1 R4 4 2 0x7f7000001000 4 8 -16 0\n"
      "0020 00000003 1 R5 LDS 1 R4 4 0 0x40 0x80 0\n0030 ffffffff 1 R3 FADD 2 R2 R255 0 0\n"
      "0040 ffffffff 0 BAR.SYNC 0 0 0\n0050 ffffffff 0 EXIT 0 0 0\n";
  text.blocks = {{"0,0,0", {warp, warp}}, {"1,0,0", {warp, warp}}};
  return text;
}

/// What loading it says; empty: nothing.
std::string told(const std::string& content, const std::string& name = "t.traceg")
{
  const std::string folder = temporary_folder();
  write_file(folder + "/" + name, content);
  Diagnostics diagnostics;
  load_workload(folder + "/" + name, {}, diagnostics);
  std::string text = diagnostics.text();
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
    text.erase(at, folder.size() + 1);
  return text;
}

std::string with(const std::string& from, const std::string& to)
{
  std::string text = good().text();
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return told(text.replace(at, from.size(), to));
}

}  // namespace

TEST_CASE("a good trace is taken, also with line ends of Windows and without the last one")
{
  std::string text = good().text();
  CHECK(told(text) == "");
  CHECK(told(text.substr(0, text.size() - 1)) == "");
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
    text.replace(at, 1, "\r\n");
  CHECK(told(text) == "");
}

TEST_CASE("each wrong word of a trace is told with its place and what is expected")
{
  CHECK(with("(2,1,1)", "(2,1)") ==
        "t.traceg:3:13: grid dim: '(2,1)'; expected: three numbers from 1 on, such as (8,1,1)\n");
  CHECK(
      with("(2,1,1)", "(0,1,1)").starts_with("t.traceg:3:13: grid dim: '(0,1,1)'; expected: three numbers"));
  CHECK(with("(2,1,1)", "(99999999999,1,1)").starts_with("t.traceg:3:13: grid dim: "));
  CHECK(with("-nregs = 32", "-nregs = 21955") ==
        "t.traceg:6:10: nregs: '21955'; expected: a number, 0 to 255\n");
  CHECK(with("-nregs = 32", "-nregs = -3") == "t.traceg:6:10: nregs: '-3'; expected: a number, 0 to 255\n");
  CHECK(with("-binary version = 80", "-binary version = 0") ==
        "t.traceg:7:19: binary version: '0'; expected: an SM's number, such as 80 for sm_80\n");
  CHECK(with("version = 5", "version = 7") ==
        "t.traceg:12:28: accelsim tracer version: '7'; versions up to 6 are known\n");
  CHECK(with("version = 5", "version = 1e9").starts_with("t.traceg:12:28: accelsim tracer version: '1e9'"));
  CHECK(with("-shmem = 0", "-shmem = 99999999999999999999").starts_with("t.traceg:5:10: shmem: '9999"));
  CHECK(with("-kernel id = 1", "kernel id = 1") == "t.traceg:2:1: 'kernel id = 1' is no line of a trace's "
                                                   "header; expected: such as -grid dim = (8,1,1)\n");
  CHECK(with("thread block = 1,0,0", "thread block = 2,0,0") ==
        "t.traceg:34:16: thread block 2,0,0 is outside the grid; -grid dim is (2,1,1)\n");
  CHECK(with("thread block = 1,0,0", "thread block = 0,0,0") ==
        "t.traceg:34:16: this thread block came before; each comes once\n");
  CHECK(
      with("thread block = 0,0,0", "thread block = 0,0").starts_with("t.traceg:15:16: thread block: '0,0'"));
  CHECK(with("#BEGIN_TB", "#BEGIN").starts_with("t.traceg:"));
  CHECK(with("warp = 1", "warp = 2") ==
        "t.traceg:24:8: warp 2 does not exist; a block of 64 threads has warps 0 to 1\n");
  CHECK(with("warp = 1", "warp = 0") ==
        "t.traceg:24:8: warp 0 of this block came before; a block of 64 threads has warps 0 to 1\n");
  CHECK(with("insts = 6", "insts = 5") ==
        "t.traceg:23:1: '0050 ffffffff 0 EXIT 0 0 0'; expected: warp = i, or #END_TB\n");
  CHECK(with("insts = 6", "insts = 7") == "t.traceg:24:1: 'warp = 1' after 6 instructions; insts says 7\n");
  CHECK(with("insts = 6", "insts = -6").starts_with("t.traceg:17:9: insts: '-6'; expected: a number"));
  CHECK(with("insts = 6", "inst = 6") == "t.traceg:17:1: 'inst = 6'; expected: insts = n\n");
  CHECK(with("0000 ffffffff", "00g0 ffffffff") ==
        "t.traceg:18:1: PC: '00g0'; expected: a hexadecimal number\n");
  CHECK(with("ffffffff 1 R2", "fffffff 1 R2") ==
        "t.traceg:18:6: mask: 'fffffff'; expected: eight hexadecimal digits\n");
  CHECK(with("ffffffff 1 R2", "fffffffff 1 R2").starts_with("t.traceg:18:6: mask: 'fffffffff'"));
  CHECK(with("1 R2 LDG.E", "9 R2 LDG.E") == "t.traceg:18:15: number of registers: '9'; expected: 0 to 8\n");
  CHECK(with("1 R2 LDG.E", "1 R256 LDG.E") ==
        "t.traceg:18:17: register: 'R256'; expected: R0 to R255, or UR0 to UR63\n");
  CHECK(with("1 R2 LDG.E", "1 P2 LDG.E").starts_with("t.traceg:18:17: register: 'P2'"));
  CHECK(with("LDG.E 1 R4", "ldg 1 R4") ==
        "t.traceg:18:20: opcode: 'ldg'; expected: such as FFMA or LDG.E.64\n");
  CHECK(with("R4 4 1 0x7f7", "R4 999 1 0x7f7").starts_with("t.traceg:18:31: access width: '999'"));
  CHECK(with("R4 4 1 0x7f7", "R4 4 3 0x7f7") == "t.traceg:18:33: address mode: '3'; expected: 0 (each), 1 "
                                                "(base and stride) or 2 (base and differences)\n");
  CHECK(with("4 1 0x7f7", "4 1 7f7")
            .starts_with("t.traceg:18:35: address: '7f7000001000'; expected: a hexadecimal"));
  CHECK(with("4 8 -16 0", "4 8 0") == "t.traceg:19:55: immediate: ''; expected: a whole number\n");
  CHECK(with("4 8 -16 0", "4 8 -16 4 0") == "t.traceg:19:60: '0'; expected: the end of the line\n");
  CHECK(with("0x40 0x80 0", "0x40 0") ==
        "t.traceg:20:38: address: '0'; expected: a hexadecimal number that begins with 0x\n");
  CHECK(with("(64,1,1)", "(2000,1,1)") == "");
  CHECK(with("(64,1,1)", "(70000,1,1)").starts_with("t.traceg:4:14: launch.block"));
}

TEST_CASE("a launch that a header does not tell is no launch of one block, but an error")
{
  CHECK(with("-grid dim = (2,1,1)\n", "") ==
        "t.traceg:12:1: the header ends without -grid dim; a launch needs all of them\n");
  CHECK(with("-nregs = 32\n", "") ==
        "t.traceg:12:1: the header ends without -nregs; a launch needs all of them\n");
  CHECK(told("-kernel name = k\n") ==
        "t.traceg:1:1: the header ends without -grid dim, -block dim, -shmem, -nregs; "
        "a launch needs all of them\n");
}

TEST_CASE("all that is wrong in a header is told at once")
{
  std::string text = good().text();
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"-nregs = 32", "-nregs = x"},
                                 {"-shmem = 0", "-shmem = y"},
                                 {"(2,1,1)", "2"}})
    text.replace(text.find(from), from.size(), to);
  const std::string errors = told(text);
  CHECK(std::count(errors.begin(), errors.end(), '\n') == 3);
}

TEST_CASE("a trace that is cut anywhere is refused, or is whole but for its last line end")
{
  const std::string text = good().text();
  const std::size_t whole = text.size() - 1;
  // Behind #END_TB, its line end apart, nothing is missing.
  for (std::size_t cut = 0; cut < whole; ++cut) {
    CAPTURE(cut);
    CHECK(told(text.substr(0, cut)) != "");
  }
  for (const std::string packer : {"gzip", "xz"}) {
    CAPTURE(packer);
    const std::string folder = temporary_folder();
    write_file(folder + "/t.traceg", text);
    REQUIRE(std::system((packer + " '" + folder + "/t.traceg'").c_str()) == 0);
    const std::string name = packer == "gzip" ? "t.traceg.gz" : "t.traceg.xz";
    const std::string packed = read_file(folder + "/" + name);
    for (std::size_t cut = 0; cut + 12 < packed.size(); cut += 3) {
      CAPTURE(cut);
      CHECK(told(packed.substr(0, cut), name) != "");
    }
    std::string broken = packed;
    broken[packed.size() / 2] = static_cast<char>(~broken[packed.size() / 2]);
    CHECK(told(broken, name) != "");
  }
}

TEST_CASE(
    "a long trace is refused wherever it is cut: at each byte of its first 4 KiB, and at 200 random places")
{
  TraceText long_text = good();
  long_text.grid = "(200,1,1)";
  for (std::uint32_t block = 2; block < 200; ++block)
    long_text.blocks.emplace_back(std::to_string(block) + ",0,0", long_text.blocks[0].second);
  const std::string text = long_text.text();
  REQUIRE(text.size() > 64 * 1024);
  REQUIRE(told(text) == "");
  std::vector<std::size_t> cuts;
  for (std::size_t cut = 0; cut < 4096; ++cut)
    cuts.push_back(cut);
  for (std::uint64_t number = 0; number < 200; ++number)
    cuts.push_back(draw_u32({number, 0, 0, 2, 0}) % (text.size() - 1));
  for (const std::size_t cut : cuts) {
    CAPTURE(cut);
    const std::string errors = told(text.substr(0, cut));
    CHECK(errors.starts_with("t.traceg:"));
    CHECK(std::count(errors.begin(), errors.end(), '\n') < 20);
  }
}

TEST_CASE("bytes changed at random are told or are a trace, nothing crashes")
{
  const std::string text = good().text();
  for (std::uint64_t number = 0; number < 500; ++number) {
    std::string changed = text;
    for (std::uint64_t i = 0; i <= number % 4; ++i)
      changed[draw_u32({number, i, 0, 0, 0}) % changed.size()] =
          static_cast<char>(draw_u32({number, i, 0, 1, 0}));
    CHECK_NOTHROW(told(changed));
  }
}

TEST_CASE("what is no trace is refused by what it is")
{
  CHECK(told("PK\x03\x04rest") ==
        "t.traceg: is a zip archive; expected: a .traceg, alone or compressed with xz or gzip\n");
  CHECK(told("BZh91AY").starts_with("t.traceg: is bzip2 data"));
  CHECK(told("\x28\xB5\x2F\xFD...").starts_with("t.traceg: is zstd data"));
  CHECK(told("") == "t.traceg:1:1: has no header; expected: lines such as -grid dim = (8,1,1)\n");
  CHECK(told(std::string(1000, '\0')) != "");
  CHECK(told("name: a workload\n").find("is no line of a trace's header") != std::string::npos);
  CHECK(told(std::string(200'000, 'x')) ==
        "t.traceg:1:1: the line is longer than 64 KiB; no line of a trace is\n");
  const std::string folder = temporary_folder();
  write_file(folder + "/t.traceg", "");
  std::filesystem::resize_file(folder + "/t.traceg", std::uint64_t{10} << 30U);  // takes no room on the disk
  CHECK(test::smsim("run t.traceg", folder).err ==
        "t.traceg:1:1: the line is longer than 64 KiB; no line of a trace is\n");
  CHECK(test::smsim("run /dev/zero.traceg").status == 2);
  CHECK(test::smsim("trace-info missing.traceg").err.find("cannot be read: No such file") !=
        std::string::npos);
  CHECK(test::smsim("trace-info .").err.find("is a directory") != std::string::npos);
}

TEST_CASE("a list names kernels beside it, and nothing else")
{
  const std::string folder = temporary_folder();
  write_file(folder + "/k.traceg", good().text());
  const auto list_told = [&](const std::string& lines) {
    write_file(folder + "/kernelslist.g", lines);
    const ProgramRun run = test::smsim("run kernelslist.g --sms 1", folder);
    CHECK(run.status == (run.err.empty() ? 0 : 2));
    return run.err;
  };
  CHECK(list_told("MemcpyHtoD,0x7f00,4\nk.traceg\n") == "");
  CHECK(list_told("missing.traceg\n")
            .starts_with(
                "kernelslist.g:1:1: 'missing.traceg' does not exist; expected: a file beside the list\n"));
  CHECK(list_told("k.traceg\n/tmp/k.traceg\n")
            .starts_with("kernelslist.g:2:1: '/tmp/k.traceg' leads elsewhere"));
  CHECK(list_told("../k.traceg\n").starts_with("kernelslist.g:1:1: '../k.traceg' leads elsewhere"));
  CHECK(list_told("kernelslist.g\n").starts_with("kernelslist.g:1:1: 'kernelslist.g' is no line of a list"));
  CHECK(list_told("MemcpyHtoD,7f00\n").starts_with("kernelslist.g:1:1: 'MemcpyHtoD,7f00' is no line"));
  CHECK(list_told("\n").starts_with("kernelslist.g:1:1: the list names no kernel"));
}

// Files that are no configuration at all: each is refused at once, with its place, and nothing breaks.
#include "support/program.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <thread>

namespace {

namespace test = smsim::test;
using smsim::test::temporary_folder;
using smsim::test::write_file;

/// What `smsim validate bad.yaml` tells about a file of this content.
std::string told(const std::string& content)
{
  const std::string folder = temporary_folder();
  write_file(folder + "/bad.yaml", content);
  const auto run = test::smsim("validate bad.yaml", folder);
  CHECK(run.status == 2);
  CHECK(run.out.empty());
  return run.err;
}

std::string many(std::size_t count, const std::function<std::string(std::size_t)>& text)
{
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    out += text(i);
  return out;
}

}  // namespace

TEST_CASE("line ends of Windows and a byte-order mark are accepted, and places stay right")
{
  const std::string folder = temporary_folder();
  write_file(folder + "/good.yaml", "\xEF\xBB\xBF# mine\r\nbase: h100\r\nsms: 4\r\n");
  CHECK(test::smsim("validate good.yaml", folder).out == "good.yaml: ok\n");
  CHECK(told("\xEF\xBB\xBFsms: x\r\nbase: h100\r\n") ==
        "bad.yaml:1:6: sms: 'x' is not a whole number; expected: plain digits, 1 to 65536\n"
        "    1 | sms: x\n"
        "      |      ^\n");
}

TEST_CASE("a file that is no UTF-8 text is refused where it stops being text")
{
  CHECK(told(std::string("\xFF\xFE"
                         "b\0a\0s\0e\0",
                         10)) == "bad.yaml: is UTF-16 text; save it as UTF-8\n");
  CHECK(told(std::string("\xFE\xFF\0b\0a", 6)) == "bad.yaml: is UTF-16 text; save it as UTF-8\n");
  CHECK(told(std::string("base: h100\nname: \0x", 19))
            .starts_with("bad.yaml:2:7: not a text file: control character 0x00\n"));
  CHECK(told("\x7F"
             "ELF\x02\x01\x01")
            .starts_with("bad.yaml:1:1: not a text file: control character 0x7f\n"));
  CHECK(told("name: \x1B[31mred\n").starts_with("bad.yaml:1:7: not a text file: control character 0x1b\n"));
  CHECK(told("base: h100\nname: caf\xE9\n").starts_with("bad.yaml:2:10: is not UTF-8 text\n"));
  CHECK(told("name: \xC0\xAF\n").starts_with("bad.yaml:1:7: is not UTF-8 text\n"));
  CHECK(told("base: h100\rname: old Mac\r").starts_with("bad.yaml:1:11: a carriage return within a line"));
}

TEST_CASE("deep nesting is refused")
{
  for (const char* open : {"[", "{a: ", "- ", "? "})
    CHECK(told(many(10'000, [&](std::size_t) {
            return std::string(open);
          })).find(": lists or maps are nested too deep\n") != std::string::npos);
  CHECK(told("base: h100\nname: " + std::string(10'000, '[') + std::string(10'000, ']') + "\n")
            .find("nested too deep") != std::string::npos);
  // Depths that the parser still takes are told as what they are.
  CHECK(told("name: " + std::string(100, '[') + std::string(100, ']')).find("name: a list is not a text") !=
        std::string::npos);
}

TEST_CASE("a hundred MB of nonsense, and a device without end, are refused without reading them whole")
{
  const std::string folder = temporary_folder();
  const std::string path = folder + "/big.yaml";
  const std::string nonsense =
      many(1 << 16, [](std::size_t i) { return std::to_string(i * 2654435761U) + " no sense\n"; });
  {
    std::string whole;
    while (whole.size() < 100'000'000)
      whole += nonsense;
    write_file(path, whole);
  }
  for (const std::string name : {"big.yaml", "/dev/zero"}) {
    const auto run = test::smsim("validate " + name, folder);
    CHECK(run.status == 2);
    CHECK(run.err == name + ": is larger than 4 MiB; no file of this kind needs that\n");
  }
}

TEST_CASE("large files below the limit are told about in short, a hundred errors at most")
{
  constexpr std::size_t count = 200'000;
  // No clock: work that grows with the square of a file's size would run into the limit that every test has.
  const auto short_text = [](const std::string& content, const std::string& last_line) {
    const std::string text = told(content);
    CHECK(text.ends_with(last_line));
    CHECK(text.size() < 100'000);
  };
  short_text(many(count, [](std::size_t i) { return "k" + std::to_string(i) + ": 1\n"; }),
             "and 199912 more errors\n");
  short_text(many(count, [](std::size_t) { return std::string("sms: 1\n"); }), "and 199899 more errors\n");
  short_text("base: h100\nopcodes: {" +
                 many(count, [](std::size_t i) { return "k" + std::to_string(i) + ": {}, "; }) + "}\n",
             "      |          ^\n");
  short_text("name: k\nlaunch: {grid: 1, block: 64, registers_per_thread: 16}\nprogram: [" +
                 many(count, [](std::size_t) { return std::string("x y z, "); }) + "]\n",
             "and 199900 more errors\n");
  short_text("base: h100\nname: [" + std::string(3'000'000, 'x') + "]\n", "      |       ^\n");
  short_text("base: h100\nname: 'x\n" + std::string(3'000'000, '\n'), "      |       ^\n");
}

TEST_CASE("an error far out in a long line shows the part of the line around it")
{
  const std::string text = told("base: h100\npipes: {" +
                                many(300, [](std::size_t) { return std::string("      "); }) + "fma: 3}\n");
  CHECK(text == "bad.yaml:2:1814: pipes.fma: '3' is not a map of keys\n"
                "    2 | " +
                    std::string(55, ' ') +
                    "fma: 3}\n"
                    "      | " +
                    std::string(60, ' ') + "^\n");
}

TEST_CASE("what is no file is refused by its name")
{
  const std::string folder = temporary_folder();
  std::filesystem::create_directory(folder + "/folder.yaml");
  CHECK(test::smsim("validate folder.yaml", folder).err ==
        "folder.yaml: is a directory; a file is expected\n");
  CHECK(test::smsim("validate missing.yaml", folder).err ==
        "missing.yaml: cannot be read: No such file or directory\n");
  CHECK(test::smsim("validate /proc/self/mem", folder).err ==
        "/proc/self/mem: cannot be read: Input/output error\n");
  if (::geteuid() != 0) {
    ::chmod(write_file(folder + "/secret.yaml", "base: h100\n").c_str(), 0);
    CHECK(test::smsim("validate secret.yaml", folder).err ==
          "secret.yaml: cannot be read: Permission denied\n");
  }
  std::filesystem::create_symlink("loop.yaml", folder + "/loop.yaml");
  CHECK(test::smsim("validate loop.yaml", folder).err ==
        "loop.yaml: cannot be read: Too many levels of symbolic links\n");
}

TEST_CASE("a pipe and standard input are read like files")
{
  const std::string folder = temporary_folder();
  write_file(folder + "/good.yaml", "base: h100\n");
  CHECK(test::smsim("validate - <good.yaml", folder).out == "-: ok\n");
  CHECK(test::smsim("validate /dev/stdin <good.yaml", folder).out == "/dev/stdin: ok\n");
  REQUIRE(::mkfifo((folder + "/pipe").c_str(), 0600) == 0);
  std::thread writer([&] { write_file(folder + "/pipe", "base: h100\n"); });
  CHECK(test::smsim("validate pipe", folder).out == "pipe: ok\n");
  writer.join();
  CHECK(test::smsim("validate - </dev/null", folder).err == "<stdin>: is empty; a map of keys is expected\n");
}

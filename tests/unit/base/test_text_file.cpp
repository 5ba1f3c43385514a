#include "base/text_file.h"
#include "support/program.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

using namespace smsim;
namespace fs = std::filesystem;
using test::read_file;
using test::temporary_folder;
using test::write_file;

namespace {

std::size_t files_in(const std::string& folder)
{
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// The message of the RunError that writing there throws; "" if it throws none.
std::string write_error(const fs::path& path)
{
  try {
    write_file_atomically(path, "content\n");
  } catch (const RunError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a text is read into lines without their ends")
{
  CHECK(make_source("f", "")->lines.empty());
  CHECK(make_source("f", "a")->lines == std::vector<std::string>{"a"});
  CHECK(make_source("f", "a\n\r\nb\r\n")->lines == std::vector<std::string>{"a", "", "b"});
  const std::string path = write_file(temporary_folder() + "/f", "\xEF\xBB\xBFone\r\ntwo");
  Diagnostics diagnostics;
  const auto source = read_text_file(path, 100, diagnostics);
  REQUIRE(source);
  CHECK(diagnostics.ok());
  CHECK(source->name == path);
  CHECK(source->lines == std::vector<std::string>{"one", "two"});
}

TEST_CASE("a file of exactly the limit is read, one byte more is not")
{
  const std::string path = write_file(temporary_folder() + "/f", std::string(1 << 20, 'x'));
  Diagnostics diagnostics;
  CHECK(read_text_file(path, 1 << 20, diagnostics));
  CHECK(diagnostics.ok());
  CHECK_FALSE(read_text_file(path, (1 << 20) - 1, diagnostics));
  CHECK_FALSE(diagnostics.ok());
}

TEST_CASE("invalid UTF-8 is found where it begins")
{
  CHECK(find_invalid_utf8("") == std::string::npos);
  CHECK(find_invalid_utf8("plain, \xC3\xB6, \xE2\x82\xAC, \xF0\x9F\x98\x80, \xF4\x8F\xBF\xBF") ==
        std::string::npos);
  for (const char* bad :
       {"ab\x80", "ab\xC3", "ab\xC3(", "ab\xC0\xAF", "ab\xE0\x80\xAF", "ab\xED\xA0\x80", "ab\xF0\x80\x80\xAF",
        "ab\xF4\x90\x80\x80", "ab\xF5\x80\x80\x80", "ab\xFF", "ab\xE2\x82", "ab\xE2\x82z"})
    CHECK(find_invalid_utf8(bad) == 2);
}

TEST_CASE("a file is written whole, over an old one and through a symbolic link, and nothing else is left")
{
  const std::string folder = temporary_folder();
  write_file_atomically(folder + "/out", "first\n");
  write_file_atomically(folder + "/out", "second\n");
  CHECK(read_file(folder + "/out") == "second\n");
  fs::create_symlink("out", folder + "/link");
  write_file_atomically(folder + "/link", "third\n");
  CHECK(fs::is_symlink(folder + "/link"));
  CHECK(read_file(folder + "/out") == "third\n");
  CHECK(files_in(folder) == 2);
}

TEST_CASE("a file that cannot be written is said so, and no part of it is left")
{
  const std::string folder = temporary_folder();
  CHECK(write_error("/dev/full") == "/dev/full: cannot be written: No space left on device");
  CHECK(write_error(folder + "/none/out") ==
        folder + "/none/out: cannot be written: No such file or directory");
  CHECK(write_error(folder) == folder + ": cannot be written: is a directory");
  CHECK(write_error("/proc/none") == "/proc/none: cannot be written: No such file or directory");
  if (::geteuid() != 0) {
    ::chmod(folder.c_str(), 0500);
    CHECK(write_error(folder + "/out") == folder + "/out: cannot be written: Permission denied");
    ::chmod(folder.c_str(), 0700);
  }
  CHECK(files_in(folder) == 0);
}

TEST_CASE("a disk that is full halfway leaves the old file and no part of the new one")
{
  const std::string folder = temporary_folder();
  write_file(folder + "/out", "old\n");
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 10'000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::string message;
  try {
    write_file_atomically(folder + "/out", std::string(100'000, 'x'));
  } catch (const RunError& error) {
    message = error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(message == folder + "/out: cannot be written: File too large");
  CHECK(read_file(folder + "/out") == "old\n");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("an old file stays as it was when the new one cannot be written")
{
  // A name that leaves no room for the ending of the temporary neighbour.
  const std::string folder = temporary_folder();
  const std::string path = folder + "/" + std::string(252, 'x');
  write_file(path, "old\n");
  CHECK(write_error(path).ends_with(": cannot be written: File name too long"));
  CHECK(read_file(path) == "old\n");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("/dev/stdout is written to, not replaced")
{
  const std::string folder = temporary_folder();
  const auto run = test::smsim(
      "occupancy --arch h100 --threads 256 --registers 32 --format json --output /dev/stdout", folder);
  CHECK(run.status == 0);
  CHECK(run.out.find("\"blocks_per_sm\"") != std::string::npos);
  CHECK(fs::is_symlink("/dev/stdout"));
}

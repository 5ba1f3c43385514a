#include "workload/trace_input.h"

#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <system_error>

namespace smsim {
namespace {

namespace io = boost::iostreams;

struct Magic {
  std::string_view bytes;
  std::string_view what;
};
constexpr std::string_view gzip_magic = "\x1F\x8B";
constexpr std::string_view xz_magic{"\xFD"
                                    "7zXZ\0",
                                    6};
constexpr std::array<Magic, 5> others{{{"PK\x03\x04", "a zip archive"},
                                       {"BZh", "bzip2 data"},
                                       {"\x28\xB5\x2F\xFD", "zstd data"},
                                       {"7z\xBC\xAF", "a 7z archive"},
                                       {"\x7F"
                                        "ELF",
                                        "a program"}}};

}  // namespace

TraceInput::TraceInput(const std::filesystem::path& path, Diagnostics& diagnostics)
    : diagnostics_(diagnostics), source_(std::make_shared<SourceText>(SourceText{path.string(), {}})),
      buffer_(2 * longest_line)
{
  failed_ = !open(path);
}

bool TraceInput::open(const std::filesystem::path& path)
{
  const auto refuse = [&](const std::string& what, std::string_view allowed = {}) {
    diagnostics_.error({source_, 0, 0}, "", what, allowed);
    return false;
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return refuse("is a directory; a file is expected");
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  std::array<char, 6> first{};
  file->read(first.data(), first.size());
  if (file->bad() || !file->is_open())
    return refuse("cannot be read: " + std::generic_category().message(errno));
  const std::string_view begins(first.data(), static_cast<std::size_t>(file->gcount()));
  for (const Magic& other : others)
    if (begins.starts_with(other.bytes))
      return refuse("is " + std::string(other.what),
                    "expected: a .traceg, alone or compressed with xz or gzip");
  file->clear();
  file->seekg(0);
  if (!begins.starts_with(gzip_magic) && !begins.starts_with(xz_magic)) {
    stream_ = std::move(file);
    return true;
  }
  auto stream = std::make_unique<io::filtering_istream>();
  if (begins.starts_with(gzip_magic))
    stream->push(io::gzip_decompressor());
  else
    stream->push(io::lzma_decompressor());
  stream->push(io::file_source(path.string(), std::ios::binary));
  stream->exceptions(std::ios::badbit);
  stream_ = std::move(stream);
  return true;
}

TraceInput::~TraceInput() = default;

bool TraceInput::refill()
{
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  try {
    stream_->read(buffer_.data() + end_, static_cast<std::streamsize>(buffer_.size() - end_));
  } catch (const std::exception&) {
    diagnostics_.error(mark(), "", "its compressed data is broken behind this line");
    failed_ = true;
    return false;
  }
  const std::streamsize came = stream_->gcount();
  end_ += static_cast<std::size_t>(came);
  return came > 0;
}

bool TraceInput::next(std::string_view& line)
{
  if (failed_) return false;
  const char* found = nullptr;
  std::size_t searched = begin_;
  while (true) {
    found = static_cast<const char*>(std::memchr(buffer_.data() + searched, '\n', end_ - searched));
    if (found) break;
    if (end_ - begin_ >= longest_line) {
      ++number_;
      diagnostics_.error(mark(), "", "the line is longer than 64 KiB", "no line of a trace is");
      failed_ = true;
      return false;
    }
    const std::size_t had = end_ - begin_;
    if (!refill()) {
      if (failed_ || had == 0) return false;
      found = buffer_.data() + end_;  // the last line has no line feed
      break;
    }
    searched = had;
  }
  if (number_ == std::numeric_limits<int>::max()) {
    diagnostics_.error(mark(), "", "more lines than can be counted");
    failed_ = true;
    return false;
  }
  ++number_;
  const auto length = static_cast<std::size_t>(found - (buffer_.data() + begin_));
  line = {buffer_.data() + begin_, length};
  begin_ = std::min(begin_ + length + 1, end_);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

}  // namespace smsim

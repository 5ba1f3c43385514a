#include "workload/kernel_trace.h"

#include "base/diagnostics.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace smsim {
namespace {

[[noreturn]] void fail(const std::string& what)
{
  throw RunError("the trace's temporary file " + what + ": " + std::generic_category().message(errno) +
                 "; TMPDIR names another folder for it\n");
}

void write_at(int file, const void* data, std::size_t bytes, std::uint64_t at)
{
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t done = ::pwrite(file, from, bytes, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("cannot be written");
    from += done;
    at += static_cast<std::uint64_t>(done);
    bytes -= static_cast<std::size_t>(done);
  }
}

void read_at(int file, void* data, std::size_t bytes, std::uint64_t at)
{
  char* to = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t done = ::pread(file, to, bytes, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("cannot be read");
    to += done;
    at += static_cast<std::uint64_t>(done);
    bytes -= static_cast<std::size_t>(done);
  }
}

/// Where a block lies in the file; bytes 0: nowhere.
struct Place {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
};

/// How many of each a warp has, in front of them.
struct Counts {
  std::uint64_t steps = 0;
  std::uint64_t runs = 0;
};

}  // namespace

std::uint32_t bank_passes(std::span<const AccessRun> words, std::uint32_t banks)
{
  // The words of a run are in different banks, unless there are more of them than banks.
  std::vector<std::uint32_t> wanted(banks, 0);
  std::uint32_t most = 1;
  for (const AccessRun& run : words)
    for (std::uint64_t word = run.first(); word < run.first() + run.count(); ++word)
      most = std::max(most, ++wanted[word % banks]);
  return most;
}

KernelTrace::KernelTrace(std::uint64_t blocks, std::uint32_t warps_per_block)
    : blocks_(blocks), warps_per_block_(warps_per_block), end_(blocks * sizeof(Place))
{
  std::error_code none;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(none);
  std::string name = (none ? std::filesystem::path("/tmp") : folder) / "smsim-trace-XXXXXX";
  file_ = ::mkstemp(name.data());
  if (file_ < 0) fail("cannot be made");
  ::unlink(name.c_str());
  if (::ftruncate(file_, static_cast<off_t>(end_)) != 0) fail("cannot be made");
}

KernelTrace::~KernelTrace() { ::close(file_); }

bool KernelTrace::write(BlockId block, const TraceBlock& warps)
{
  const std::uint64_t entry = block.value() * sizeof(Place);
  Place place;
  read_at(file_, &place, sizeof place, entry);
  if (place.bytes != 0) return false;
  packed_.clear();
  const auto append = [&](const void* data, std::size_t bytes) {
    const char* from = static_cast<const char*>(data);
    packed_.insert(packed_.end(), from, from + bytes);
  };
  for (std::uint32_t warp = 0; warp < warps_per_block_; ++warp) {
    const TraceWarp none;
    const TraceWarp& given = warp < warps.size() ? warps[warp] : none;
    const Counts counts{given.steps.size(), given.runs.size()};
    append(&counts, sizeof counts);
    append(given.steps.data(), given.steps.size() * sizeof(TraceStep));
    append(given.runs.data(), given.runs.size() * sizeof(AccessRun));
  }
  place = {end_, packed_.size()};
  write_at(file_, packed_.data(), packed_.size(), end_);
  write_at(file_, &place, sizeof place, entry);
  end_ += packed_.size();
  ++written_;
  return true;
}

std::shared_ptr<const TraceBlock> KernelTrace::read(BlockId block) const
{
  auto warps = std::make_shared<TraceBlock>(warps_per_block_);
  Place place;
  read_at(file_, &place, sizeof place, block.value() * sizeof place);
  if (place.bytes == 0) return warps;
  std::vector<char> packed(place.bytes);
  read_at(file_, packed.data(), packed.size(), place.begin);
  const char* at = packed.data();
  const auto take = [&](void* data, std::size_t bytes) {
    if (bytes > 0) std::memcpy(data, at, bytes);
    at += bytes;
  };
  for (TraceWarp& warp : *warps) {
    Counts counts;
    take(&counts, sizeof counts);
    warp.steps.resize(counts.steps);
    warp.runs.resize(counts.runs);
    take(warp.steps.data(), warp.steps.size() * sizeof(TraceStep));
    take(warp.runs.data(), warp.runs.size() * sizeof(AccessRun));
  }
  return warps;
}

}  // namespace smsim

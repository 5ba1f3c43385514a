#include "workload/trace_addresses.h"

#include <algorithm>
#include <array>

namespace smsim {

std::uint8_t append_runs(std::span<const std::uint64_t> addresses, std::uint32_t width, unsigned unit_bits,
                         std::vector<AccessRun>& runs)
{
  if (addresses.empty()) return 0;
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };
  // An address that an access runs over the end of memory from is cut there; so is one above 2^56.
  constexpr std::uint64_t most = (std::uint64_t{1} << 56U) - 1;
  std::array<Range, 32> all;
  const std::span<Range> ranges(all.data(), std::min(addresses.size(), all.size()));
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::uint64_t first = addresses[i] & most;
    ranges[i] = {first >> unit_bits, (std::min(first + width - 1, most) >> unit_bits) + 1};
  }
  const auto before = [](const Range& a, const Range& b) { return a.begin < b.begin; };
  if (!std::is_sorted(ranges.begin(), ranges.end(), before)) std::sort(ranges.begin(), ranges.end(), before);
  const std::size_t had = runs.size();
  const auto append = [&](Range range) {
    while (range.begin < range.end) {
      const std::uint64_t count = std::min(range.end - range.begin, AccessRun::most);
      runs.emplace_back(range.begin, count);
      range.begin += count;
    }
  };
  Range joined = ranges.front();
  for (const Range& range : ranges) {
    if (range.begin <= joined.end) {
      joined.end = std::max(joined.end, range.end);
    } else {
      append(joined);
      joined = range;
    }
  }
  append(joined);
  return static_cast<std::uint8_t>(runs.size() - had);
}

std::uint8_t append_local_runs(std::span<const std::uint64_t> addresses, std::uint32_t mask,
                               std::uint32_t width, std::uint64_t local_base, std::uint64_t warp,
                               std::vector<AccessRun>& runs)
{
  constexpr std::uint64_t threads = 32;
  constexpr std::uint64_t of_a_warp = std::uint64_t{1} << 24U;  // 512 KiB a thread: CUDA Programming Guide
  constexpr std::uint64_t all = std::uint64_t{1} << 55U;        // where no global address is
  const std::uint64_t begin = all + warp * of_a_warp % all;
  std::uint8_t count = 0;
  for (std::uint32_t byte = 0; byte < width && count < 128; byte += 4) {
    std::array<std::uint64_t, threads> places{};
    std::size_t lanes = 0;
    for (std::uint64_t lane = 0; lane < threads; ++lane) {
      if ((mask >> lane & 1U) == 0) continue;
      const std::uint64_t offset = (addresses[lanes] - local_base + byte) % (of_a_warp / threads);
      places[lanes++] = begin + offset / 4 * 4 * threads + lane * 4;
    }
    count = static_cast<std::uint8_t>(count + append_runs({places.data(), lanes}, 4, sector_bits, runs));
  }
  return count;
}

}  // namespace smsim

#include "occupancy/cliffs.h"

#include "base/numbers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace smsim {
namespace {

KernelConfig with(KernelConfig kernel, LaunchNumber what, std::uint64_t value)
{
  if (what == LaunchNumber::registers_per_thread)
    kernel.registers_per_thread = static_cast<std::uint32_t>(value);
  if (what == LaunchNumber::shared_bytes) {
    // What is more is dynamic, since only that can go beyond the default; what is less is taken from it
    // first.
    kernel.static_shared_bytes = std::min(kernel.static_shared_bytes, value);
    kernel.dynamic_shared_bytes = value - kernel.static_shared_bytes;
  }
  if (what == LaunchNumber::block_size) kernel.block = {static_cast<std::uint32_t>(value), 1, 1};
  return kernel;
}

struct ValueRange {
  std::uint64_t least;
  std::uint64_t most;
};

ValueRange range_of(const ArchConfig& arch, LaunchNumber what)
{
  switch (what) {
  case LaunchNumber::registers_per_thread:
    return {1, arch.register_file.max_per_thread};
  case LaunchNumber::shared_bytes:
    return {0, arch.shared_memory.max_per_block};
  case LaunchNumber::block_size:
    return {1, arch.sm.max_threads_per_block};
  }
  return {0, 0};
}

/// The nearest value on one side with another number of blocks. With block size blocks may go either way, so
/// every value is asked, and so are the few of registers. With shared memory blocks never rise, and there are
/// many values: the place where they change is found by halves.
std::optional<Cliff> nearest(const ArchConfig& arch, const KernelConfig& kernel, LaunchNumber what,
                             bool upward)
{
  const ValueRange range = range_of(arch, what);
  Cliff cliff{what, launch_number(kernel, what), 0, resident_blocks(arch, kernel), 0, 0};
  const std::uint64_t last = upward ? range.most : range.least;
  const auto blocks_with = [&](std::uint64_t value) {
    return resident_blocks(arch, with(kernel, what, value));
  };
  const auto found = [&](std::uint64_t value) {
    const Occupancy occupancy = calculate_occupancy(arch, with(kernel, what, value));
    cliff.to = value;
    cliff.blocks_after = occupancy.blocks_per_sm;
    cliff.occupancy_after = occupancy.ratio();
    return cliff;
  };
  std::uint64_t same = cliff.from;
  if (upward ? same >= last : same <= last) return std::nullopt;
  if (what == LaunchNumber::shared_bytes) {
    std::uint64_t other = last;
    if (blocks_with(other) == cliff.blocks_before) return std::nullopt;
    while (std::max(same, other) - std::min(same, other) > 1) {
      const std::uint64_t middle = std::midpoint(same, other);
      (blocks_with(middle) == cliff.blocks_before ? same : other) = middle;
    }
    return found(other);
  }
  while (same != last) {
    same = upward ? same + 1 : same - 1;
    if (blocks_with(same) != cliff.blocks_before) return found(same);
  }
  return std::nullopt;
}

constexpr LaunchNumber launch_numbers[] = {LaunchNumber::registers_per_thread, LaunchNumber::shared_bytes,
                                           LaunchNumber::block_size};

}  // namespace

std::uint64_t launch_number(const KernelConfig& kernel, LaunchNumber which)
{
  switch (which) {
  case LaunchNumber::registers_per_thread:
    return kernel.registers_per_thread;
  case LaunchNumber::shared_bytes:
    return kernel.static_shared_bytes + kernel.dynamic_shared_bytes;
  case LaunchNumber::block_size:
    return kernel.threads_per_block();
  }
  return 0;
}

std::vector<Cliff> nearest_cliffs(const ArchConfig& arch, const KernelConfig& kernel)
{
  std::vector<Cliff> cliffs;
  for (const LaunchNumber what : launch_numbers)
    for (const bool upward : {false, true})
      if (const auto cliff = nearest(arch, kernel, what, upward)) cliffs.push_back(*cliff);
  return cliffs;
}

std::string cliff_text(const Cliff& cliff)
{
  std::string text;
  switch (cliff.what) {
  case LaunchNumber::registers_per_thread:
    text = std::to_string(cliff.to) + " registers per thread instead of " + std::to_string(cliff.from);
    break;
  case LaunchNumber::shared_bytes:
    text = size_text(cliff.to) + " of shared memory instead of " + size_text(cliff.from);
    break;
  case LaunchNumber::block_size:
    text = std::to_string(cliff.to) + " threads per block instead of " + std::to_string(cliff.from);
    break;
  }
  if (cliff.blocks_after == 0) return text + " cannot launch";
  const auto tenths = static_cast<std::uint64_t>(std::llround(cliff.occupancy_after * 1000));
  return text + " give " + std::to_string(cliff.blocks_after) +
         (cliff.blocks_after == 1 ? " block" : " blocks") + " per SM instead of " +
         std::to_string(cliff.blocks_before) + " (" + decimal_text(tenths, 1) + " %)";
}

std::vector<CurvePoint> occupancy_curve(const ArchConfig& arch, const KernelConfig& kernel, LaunchNumber over)
{
  const ValueRange range = range_of(arch, over);
  std::uint64_t step = 1;
  std::uint64_t start = range.least;
  if (over == LaunchNumber::shared_bytes) step = 1024;
  if (over == LaunchNumber::block_size) start = step = arch.sm.warp_size;
  std::vector<CurvePoint> points;
  const auto add = [&](std::uint64_t value) {
    points.push_back({value, calculate_occupancy(arch, with(kernel, over, value))});
  };
  for (std::uint64_t value = start; value <= range.most; value += step)
    add(value);
  if (points.empty() || points.back().value != range.most) add(range.most);
  return points;
}

}  // namespace smsim

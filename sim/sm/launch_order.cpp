#include "sm/launch_order.h"

#include "base/random.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace smsim {
namespace {

/// Draw sites of the rounds, beyond those of any program.
constexpr std::uint32_t first_site = 0xFFFF'0000U;
constexpr std::uint32_t rounds = 4;

class Counter {
 public:
  Counter(const BoundProgram& program, std::uint64_t block, std::uint32_t warp)
      : program_(program), block_(block), warp_(warp)
  {
  }

  /// Of [begin, end), whose regions begin with number `region`, for `lanes` active lanes.
  std::uint64_t count(std::uint32_t begin, std::uint32_t end, std::uint32_t region, std::uint32_t lanes) const
  {
    std::uint64_t sum = 0;
    const std::vector<Region>& regions = program_.regions;
    while (region < regions.size() && regions[region].begin < end) {
      const Region& r = regions[region];
      sum += r.begin - begin + of_region(region, lanes);
      begin = r.end;
      while (region < regions.size() && regions[region].begin < r.end)
        ++region;
    }
    return sum + (end - begin);
  }

 private:
  std::uint64_t of_region(std::uint32_t number, std::uint32_t lanes) const
  {
    const Region& r = program_.regions[number];
    if (r.kind == Region::Kind::loop)
      return r.count.of(block_, warp_) * count(r.begin, r.end, number + 1, lanes);
    const std::uint32_t here = r.lanes.of(block_, warp_, lanes);
    const std::uint32_t there = lanes - here;
    return (here > 0 ? count(r.begin, r.middle, number + 1, here) : 0) +
           (there > 0 ? count(r.middle, r.end, program_.first_region_from[r.middle], there) : 0);
  }

  const BoundProgram& program_;
  std::uint64_t block_;
  std::uint32_t warp_;
};

bool differs_by_block(const Varying& value) { return value.drawn || value.per == Varying::Per::block; }

}  // namespace

std::uint64_t instructions_of_warp(const BoundProgram& program, std::uint64_t block,
                                   std::uint32_t warp_in_block, std::uint32_t lanes)
{
  return Counter(program, block, warp_in_block)
      .count(0, static_cast<std::uint32_t>(program.ops.size()), 0, lanes);
}

LaunchOrder::LaunchOrder(BlockOrder order, std::uint64_t clusters, std::uint32_t cluster,
                         const BoundProgram& program, const KernelConfig& kernel, std::uint32_t warp_size,
                         std::uint64_t seed)
    : order_(order), clusters_(clusters), seed_(seed)
{
  while (half_bits_ < 32 && (std::uint64_t{1} << (2 * half_bits_)) < clusters)
    ++half_bits_;
  if (order != BlockOrder::longest_first ||
      std::none_of(program.regions.begin(), program.regions.end(), [](const Region& region) {
        return differs_by_block(region.count) || differs_by_block(region.lanes.value);
      }))
    return;
  const auto warps = static_cast<std::uint32_t>((kernel.threads_per_block() + warp_size - 1) / warp_size);
  std::vector<std::uint64_t> length(clusters, 0);
  for (std::uint64_t block = 0; block < clusters * cluster; ++block)
    for (std::uint32_t warp = 0; warp < warps; ++warp)
      length[block / cluster] +=
          instructions_of_warp(program, block, warp, kernel.lanes_of_warp(warp, warp_size));
  longest_.resize(clusters);
  std::iota(longest_.begin(), longest_.end(), std::uint64_t{0});
  std::stable_sort(longest_.begin(), longest_.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return length[a] > length[b]; });
}

std::uint64_t LaunchOrder::operator[](std::uint64_t index) const
{
  if (!longest_.empty()) return longest_[index];
  if (order_ != BlockOrder::random) return index;
  // What falls outside the grid is permuted again, until it falls inside.
  do
    index = permuted(index);
  while (index >= clusters_);
  return index;
}

/// A Feistel network: whatever the round function, it is a permutation.
std::uint64_t LaunchOrder::permuted(std::uint64_t index) const
{
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = index >> half_bits_;
  std::uint64_t right = index & mask;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const std::uint64_t mixed = left ^ (draw_u32({seed_, right, 0, first_site + round, 0}) & mask);
    left = right;
    right = mixed;
  }
  return (left << half_bits_) | right;
}

}  // namespace smsim

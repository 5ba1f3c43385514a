#include "sm/global_memory.h"

#include "base/random.h"
#include "workload/address_pattern.h"

#include <algorithm>

namespace smsim {
namespace {

constexpr std::uint32_t sector_bytes = 32;

std::uint32_t sectors_of(const BoundOp& op) { return (op.bytes + sector_bytes - 1) / sector_bytes; }

}  // namespace

GlobalMemory::GlobalMemory(const ArchConfig& arch, const KernelConfig& kernel, const BoundProgram& program,
                           std::uint64_t l1_bytes, std::uint64_t seed)
    : config_(arch.memory), levels_(arch.memory), seed_(seed), blocks_(kernel.blocks()),
      warps_per_block_(static_cast<std::uint32_t>((kernel.threads_per_block() + arch.sm.warp_size - 1) /
                                                  arch.sm.warp_size))
{
  if (program.uses_cache)
    cache_.emplace(L1Shape{l1_bytes, static_cast<std::uint32_t>(arch.memory.l1.line), arch.memory.l1.ways});
}

Cycle GlobalMemory::access(const BoundOp& op, const Access& which, Cycle departure)
{
  if (cache_) cache_->changes.clear();
  if (op.address.kind == AddressPattern::Kind::none) {
    const Level level = level_of(op, which);
    if (op.access == smsim::Access::load && op.levels.below_l1 > 0)
      levels_.count_l1_decision(level == Level::l1);
    return levels_.ready_at(departure, level, op.bytes);
  }
  if (op.address.kind == AddressPattern::Kind::traced) return traced(op, which, departure);
  const bool is_spill = op.address.kind == AddressPattern::Kind::local;
  if (is_spill) levels_.count_spill(op.access);
  if (op.access == smsim::Access::load) return cached_load(op, which, departure);
  if (is_spill && cache_->has_room()) {
    const std::uint32_t given_back = cache_->keep(address(op, which), sectors_of(op), which.owner());
    if (given_back > 0) levels_.write_back(departure, std::uint64_t{given_back} * sector_bytes);
    return levels_.ready_at(departure, Level::l1, op.bytes);
  }
  if (op.access == smsim::Access::store) cache_->store(address(op, which), sectors_of(op));
  return levels_.ready_at(departure, level_of(op, which), op.bytes);
}

Level GlobalMemory::level_of(const BoundOp& op, const Access& which) const
{
  std::uint64_t draw = 0;
  if (op.draws_level)
    draw = draw_u32({seed_, which.block.value(), which.warp, op.draw_site, which.repetition});
  if (draw < op.levels.below_l1) return Level::l1;
  return draw < op.levels.below_l2 ? Level::l2 : Level::dram;
}

Cycle GlobalMemory::traced(const BoundOp& op, const Access& which, Cycle departure)
{
  std::uint64_t sectors = 0;
  for (const AccessRun& run : which.sectors)
    sectors += run.count();
  const std::uint64_t bytes = sectors * sector_bytes;
  if (op.access == smsim::Access::load)
    return found_or_fetched(cache_->load(which.sectors, departure, which.owner()), level_of(op, which), bytes,
                            departure);
  if (op.access == smsim::Access::store)
    for (const AccessRun& run : which.sectors)
      cache_->store(run.first() * sector_bytes, run.count());
  return levels_.ready_at(departure, level_of(op, which), bytes);
}

Cycle GlobalMemory::cached_load(const BoundOp& op, const Access& which, Cycle departure)
{
  return found_or_fetched(cache_->load(address(op, which), sectors_of(op), departure, which.owner()),
                          level_of(op, which), op.bytes, departure);
}

/// `next` serves what L1 does not have of `bytes`.
Cycle GlobalMemory::found_or_fetched(const L1Cache::Lookup& found, Level next, std::uint64_t bytes,
                                     Cycle departure)
{
  levels_.count_l1_decision(found.missing == 0);
  if (found.missing == 0) return std::max(levels_.ready_at(departure, Level::l1, bytes), found.filled);
  const Cycle fetched = levels_.ready_at(departure, next, std::uint64_t{found.missing} * sector_bytes);
  cache_->fill(fetched);
  // Behind the fetch: an access does not wait for what it drives out.
  if (found.given_back > 0) levels_.write_back(departure, std::uint64_t{found.given_back} * sector_bytes);
  return std::max(fetched, found.filled);
}

std::uint64_t GlobalMemory::address(const BoundOp& op, const Access& which) const
{
  // The draws of a random address are another site's than those of the level.
  return address_of(op.address,
                    {seed_, which.block.value(), which.warp, warps_per_block_, blocks_, op.draw_site + 1U,
                     which.repetition},
                    op.bytes);
}

}  // namespace smsim

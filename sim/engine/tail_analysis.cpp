#include "engine/tail_analysis.h"

#include <algorithm>

namespace smsim {
namespace {

std::int64_t signed_of(std::uint64_t value) { return static_cast<std::int64_t>(value); }

/// a * b / c, rounded down, with a * b larger than 64 bits hold.
std::int64_t scaled(std::uint64_t a, std::uint64_t b, std::uint64_t c)
{
  return c == 0 ? 0 : signed_of(a * (b / c) + a * (b % c) / c);
}

}  // namespace

OccupancyLoss occupancy_loss(const RunResult& result)
{
  const std::uint64_t slots = result.occupancy.warps_per_sm * result.sms.size();
  const std::uint64_t allocated = result.allocated_warp_cycles();
  OccupancyLoss loss;
  loss.total = signed_of(slots * result.cycles) - signed_of(result.active_warp_cycles());
  loss.exited_warps = signed_of(allocated - result.active_warp_cycles());
  const std::int64_t tail =
      signed_of(slots * result.tail_cycles()) - signed_of(result.tail_allocated_warp_cycles());
  loss.before_tail = loss.total - loss.exited_warps - tail;

  const std::uint64_t blocks = result.blocks_run();
  const std::uint64_t places = result.block_places();
  const std::uint64_t waves = (blocks + places - 1) / places;
  const std::uint64_t warps = result.occupancy.warps_per_block;
  const std::uint64_t cycles = result.block_cycles();  // of all blocks together
  const std::int64_t partial = scaled(warps * (places * waves - blocks), cycles, blocks);
  const std::int64_t outlasts = signed_of(result.longest_block()) - scaled(waves, cycles, blocks);
  const auto upto = [](std::int64_t value, std::int64_t most) {
    return std::clamp<std::int64_t>(value, 0, std::max<std::int64_t>(most, 0));
  };
  loss.partial_wave = upto(partial, tail);
  loss.uneven_blocks =
      upto(signed_of(warps * places) * std::max<std::int64_t>(outlasts, 0), tail - loss.partial_wave);
  loss.launch_order = tail - loss.partial_wave - loss.uneven_blocks;
  return loss;
}

std::optional<double> nsight_tail_effect(const RunResult& result)
{
  if (result.grid % result.block_places() == 0) return std::nullopt;
  return 1.0 / static_cast<double>(result.full_waves() + 1);
}

double sm_imbalance(const RunResult& result)
{
  std::uint64_t most = 0;
  for (const SmResult& sm : result.sms)
    most = std::max(most, sm.active_cycles);
  const std::uint64_t sum = result.active_cycles();
  if (sum == 0) return 0;
  return static_cast<double>(most) * static_cast<double>(result.sms.size()) / static_cast<double>(sum) - 1;
}

WithoutTail without_tail(const ArchConfig& arch, const KernelConfig& kernel, const RunResult& result)
{
  WithoutTail found;
  const std::uint64_t places = result.block_places();
  const std::uint64_t full = result.grid / places * places;
  if (full > 0) found.grid_below = full;
  found.grid_above = full == result.grid ? full : full + places;
  const std::uint64_t threads = kernel.threads_per_block();
  const std::uint64_t all = threads * result.grid;
  const auto distance = [&](std::uint64_t size) { return size > threads ? size - threads : threads - size; };
  KernelConfig tried = kernel;
  for (std::uint64_t size = arch.sm.warp_size; size <= arch.sm.max_threads_per_block;
       size += arch.sm.warp_size) {
    if (size == threads || (found.block && distance(found.block->threads) <= distance(size))) continue;
    tried.block = {static_cast<std::uint32_t>(size), 1, 1};
    const std::uint64_t resident = resident_blocks(arch, tried) * result.sms.size();
    const std::uint64_t grid = (all + size - 1) / size;
    if (resident > 0 && grid % resident == 0) found.block = {size, grid};
  }
  return found;
}

}  // namespace smsim

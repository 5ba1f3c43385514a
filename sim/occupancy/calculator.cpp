#include "occupancy/calculator.h"

#include "base/numbers.h"

#include <algorithm>
#include <limits>

namespace smsim {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }
constexpr std::uint64_t round_up(std::uint64_t a, std::uint64_t unit) { return divide_up(a, unit) * unit; }

/// The numbers behind an Occupancy, without its texts.
struct Limits {
  std::array<std::uint64_t, limiter_count> blocks{};  ///< by Limiter; `unlimited` where it does not limit
  std::uint64_t warps_per_block = 0;
  std::uint64_t registers_per_warp = 0;
  std::uint64_t shared_bytes_per_block = 0;

  std::uint64_t& of(Limiter which) { return blocks[static_cast<std::size_t>(which)]; }
  [[nodiscard]] std::uint64_t least() const { return *std::min_element(blocks.begin(), blocks.end()); }
};

std::uint64_t shared_bytes_per_block(const ArchConfig& arch, const KernelConfig& kernel)
{
  return round_up(kernel.static_shared_bytes + kernel.dynamic_shared_bytes +
                      arch.shared_memory.reserved_per_block,
                  arch.shared_memory.allocation_unit);
}

bool too_many_threads(const ArchConfig& arch, const KernelConfig& kernel)
{
  return kernel.threads_per_block() > arch.sm.max_threads_per_block;
}
bool too_many_registers_per_thread(const ArchConfig& arch, const KernelConfig& kernel)
{
  return kernel.registers_per_thread > arch.register_file.max_per_thread;
}
std::uint64_t registers_of_launch_check(const ArchConfig& arch, const Limits& limits)
{
  return limits.registers_per_warp *
         round_up(limits.warps_per_block, arch.register_file.block_warp_granularity);
}
bool too_much_static_shared(const ArchConfig& arch, const KernelConfig& kernel)
{
  return kernel.static_shared_bytes > arch.shared_memory.default_max_per_block;
}
bool too_much_shared(const ArchConfig& arch, const Limits& limits)
{
  return limits.shared_bytes_per_block >
         arch.shared_memory.max_per_block + arch.shared_memory.reserved_per_block;
}
bool too_many_barriers(const ArchConfig& arch, const KernelConfig& kernel)
{
  return kernel.barriers > arch.sm.barriers_per_block_limit;
}

Limits calculate_limits(const ArchConfig& arch, const KernelConfig& kernel)
{
  Limits limits;
  const std::uint64_t warps = divide_up(kernel.threads_per_block(), arch.sm.warp_size);
  limits.warps_per_block = warps;
  limits.registers_per_warp = round_up(std::uint64_t{kernel.registers_per_thread} * arch.sm.warp_size,
                                       arch.register_file.allocation_unit);
  limits.shared_bytes_per_block = shared_bytes_per_block(arch, kernel);

  limits.of(Limiter::warps) = too_many_threads(arch, kernel) ? 0 : arch.sm.max_warps / warps;
  limits.of(Limiter::blocks) = arch.sm.max_blocks;

  if (too_many_registers_per_thread(arch, kernel) ||
      registers_of_launch_check(arch, limits) > arch.register_file.max_per_block) {
    limits.of(Limiter::registers) = 0;
  } else if (limits.registers_per_warp == 0) {
    limits.of(Limiter::registers) = unlimited;
  } else {
    const std::uint64_t warps_per_sub_partition =
        arch.registers_per_sub_partition() / limits.registers_per_warp;
    limits.of(Limiter::registers) = warps_per_sub_partition * arch.sm.sub_partitions / warps;
  }

  if (too_much_static_shared(arch, kernel) || too_much_shared(arch, limits))
    limits.of(Limiter::shared_memory) = 0;
  else if (limits.shared_bytes_per_block == 0)
    limits.of(Limiter::shared_memory) = unlimited;
  else
    limits.of(Limiter::shared_memory) = chosen_carveout(arch, kernel) / limits.shared_bytes_per_block;

  const bool barriers_limit = arch.sm.max_barriers.has_value() && kernel.barriers > 0;
  if (too_many_barriers(arch, kernel))
    limits.of(Limiter::barriers) = 0;
  else
    limits.of(Limiter::barriers) = barriers_limit ? *arch.sm.max_barriers / kernel.barriers : unlimited;
  return limits;
}

/// Why not even one block fits an empty SM; "" where one does.
std::string why_not_launchable(const ArchConfig& arch, const KernelConfig& kernel, const Limits& limits)
{
  const auto number = [](std::uint64_t n) { return std::to_string(n); };
  if (too_many_threads(arch, kernel))
    return number(kernel.threads_per_block()) + " threads per block; the architecture allows " +
           number(arch.sm.max_threads_per_block);
  if (too_many_registers_per_thread(arch, kernel))
    return number(kernel.registers_per_thread) + " registers per thread; the architecture allows " +
           number(arch.register_file.max_per_thread);
  if (registers_of_launch_check(arch, limits) > arch.register_file.max_per_block) {
    const std::uint32_t granularity = arch.register_file.block_warp_granularity;
    const bool rounded = limits.warps_per_block % granularity != 0;
    return number(limits.registers_per_warp) + " registers per warp times " + number(limits.warps_per_block) +
           " warps" + (rounded ? ", rounded up to a multiple of " + number(granularity) + "," : "") + " is " +
           number(registers_of_launch_check(arch, limits)) +
           " registers per block; the architecture allows " + number(arch.register_file.max_per_block);
  }
  if (too_much_static_shared(arch, kernel))
    return size_text(kernel.static_shared_bytes) + " of static shared memory; at most " +
           size_text(arch.shared_memory.default_max_per_block) + " can be static, more must be dynamic";
  if (too_much_shared(arch, limits))
    return size_text(kernel.static_shared_bytes + kernel.dynamic_shared_bytes) +
           " of shared memory per block; the architecture allows " +
           size_text(arch.shared_memory.max_per_block);
  if (too_many_barriers(arch, kernel))
    return number(kernel.barriers) + " named barriers per block; the architecture allows " +
           number(arch.sm.barriers_per_block_limit);
  if (limits.least() > 0) return {};
  for (const LimiterInfo& info : limiter_table)
    if (limits.blocks[static_cast<std::size_t>(info.limiter)] == 0)
      return std::string("not one block fits an empty SM: ") + info.label + " is 0";
  return {};
}

}  // namespace

std::uint64_t chosen_carveout(const ArchConfig& arch, const KernelConfig& kernel)
{
  const std::uint64_t largest = arch.max_shared_memory();
  std::uint64_t preferred = largest;
  if (kernel.carveout.kind == Carveout::Kind::percent) preferred = kernel.carveout.value * largest / 100;
  if (kernel.carveout.kind == Carveout::Kind::bytes) preferred = std::min(kernel.carveout.value, largest);
  const std::uint64_t needed = std::max(preferred, shared_bytes_per_block(arch, kernel));
  for (const std::uint64_t choice : arch.shared_memory.carveouts)
    if (choice >= needed) return choice;
  return largest;
}

std::uint64_t resident_blocks(const ArchConfig& arch, const KernelConfig& kernel)
{
  return calculate_limits(arch, kernel).least();
}

Occupancy calculate_occupancy(const ArchConfig& arch, const KernelConfig& kernel)
{
  const Limits limits = calculate_limits(arch, kernel);
  Occupancy result;
  result.blocks_per_sm = limits.least();
  result.warps_per_block = limits.warps_per_block;
  result.warps_per_sm = result.blocks_per_sm * limits.warps_per_block;
  result.max_warps_per_sm = arch.sm.max_warps;
  result.registers_per_warp = limits.registers_per_warp;
  result.registers_per_block = limits.registers_per_warp * limits.warps_per_block;
  result.shared_bytes_per_block = limits.shared_bytes_per_block;
  result.shared_bytes_per_sm = chosen_carveout(arch, kernel);
  for (const LimiterInfo& info : limiter_table) {
    const std::uint64_t blocks = limits.blocks[static_cast<std::size_t>(info.limiter)];
    if (blocks != unlimited) result.limits[static_cast<std::size_t>(info.limiter)] = blocks;
    if (blocks == result.blocks_per_sm) result.limiters.push_back(info.limiter);
  }
  result.not_launchable = why_not_launchable(arch, kernel, limits);
  return result;
}

Suggestion suggest_launch(const ArchConfig& arch, const KernelConfig& kernel)
{
  Suggestion best;
  std::uint64_t most_threads = 0;
  const std::uint64_t warp = arch.sm.warp_size;
  const std::uint64_t all_threads = std::uint64_t{arch.sm.max_warps} * warp;
  KernelConfig tried = kernel;
  for (std::uint64_t whole_warps = round_up(arch.sm.max_threads_per_block, warp); whole_warps > 0;
       whole_warps -= warp) {
    // The last warp may be cut short by the limit, where that is no multiple of a warp.
    const std::uint64_t threads = std::min<std::uint64_t>(whole_warps, arch.sm.max_threads_per_block);
    tried.block = {static_cast<std::uint32_t>(threads), 1, 1};
    const std::uint64_t blocks = resident_blocks(arch, tried);
    if (blocks * threads <= most_threads) continue;
    most_threads = blocks * threads;
    best = {threads, blocks * arch.sms};
    if (most_threads == all_threads) break;
  }
  return best;
}

}  // namespace smsim

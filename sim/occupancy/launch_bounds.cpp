#include "occupancy/launch_bounds.h"

#include "occupancy/calculator.h"

namespace smsim {
namespace {

std::string number(std::uint64_t n) { return std::to_string(n); }

}  // namespace

std::optional<std::uint32_t> registers_within(const ArchConfig& arch, const LaunchBounds& bounds,
                                              std::string& why)
{
  KernelConfig kernel;
  kernel.block = {bounds.threads, 1, 1};
  kernel.barriers = 0;
  const std::string blocks = number(bounds.min_blocks) + (bounds.min_blocks == 1 ? " block" : " blocks");
  const std::uint64_t warps = (std::uint64_t{bounds.threads} + arch.sm.warp_size - 1) / arch.sm.warp_size;
  why.clear();
  if (bounds.threads > arch.sm.max_threads_per_block)
    why = number(bounds.threads) + " threads per block; the architecture allows " +
          number(arch.sm.max_threads_per_block);
  else if (bounds.min_blocks > arch.sm.max_blocks)
    why = blocks + " per SM; the architecture allows " + number(arch.sm.max_blocks);
  else if (bounds.min_blocks * warps > arch.sm.max_warps)
    why = blocks + " of " + number(bounds.threads) + " threads are " + number(bounds.min_blocks * warps) +
          " warps; an SM holds " + number(arch.sm.max_warps);
  if (!why.empty()) return std::nullopt;
  for (std::uint32_t registers = arch.register_file.max_per_thread; registers > 0; --registers) {
    kernel.registers_per_thread = registers;
    if (calculate_occupancy(arch, kernel).limit(Limiter::registers).value_or(0) >= bounds.min_blocks)
      return registers;
  }
  kernel.registers_per_thread = 1;
  why = blocks + " of " + number(bounds.threads) +
        " threads do not fit an SM's registers even with one register a thread; " +
        number(calculate_occupancy(arch, kernel).limit(Limiter::registers).value_or(0)) + " would";
  return std::nullopt;
}

}  // namespace smsim

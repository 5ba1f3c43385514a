// Random launches over all presets against NVIDIA's own header, on a machine that has the CUDA toolkit: CMake
// defines SMSIM_CUDA_OCCUPANCY where it finds cuda_occupancy.h. Elsewhere nothing is compiled;
// test_occupancy_oracle.cpp holds 20 000 of the header's answers for everybody.
#ifdef SMSIM_CUDA_OCCUPANCY

#include "base/random.h"
#include "occupancy/calculator.h"
#include "support/kernels.h"

#include <cuda_occupancy.h>
#include <doctest/doctest.h>

#include <climits>
#include <string>

using namespace smsim;

namespace {

cudaOccDeviceProp device_of(const ArchConfig& arch)
{
  const std::size_t point = arch.compute_capability.find('.');
  cudaOccDeviceProp device;
  device.computeMajor = std::stoi(arch.compute_capability.substr(0, point));
  device.computeMinor = std::stoi(arch.compute_capability.substr(point + 1));
  device.maxThreadsPerBlock = static_cast<int>(arch.sm.max_threads_per_block);
  device.maxThreadsPerMultiprocessor = static_cast<int>(arch.sm.max_warps * arch.sm.warp_size);
  device.regsPerBlock = static_cast<int>(arch.register_file.max_per_block);
  device.regsPerMultiprocessor = static_cast<int>(arch.register_file.registers);
  device.warpSize = static_cast<int>(arch.sm.warp_size);
  device.sharedMemPerBlock = arch.shared_memory.default_max_per_block;
  device.sharedMemPerMultiprocessor = arch.max_shared_memory();
  device.numSms = static_cast<int>(arch.sms);
  device.sharedMemPerBlockOptin = arch.shared_memory.max_per_block;
  device.reservedSharedMemPerBlock = arch.shared_memory.reserved_per_block;
  return device;
}

KernelConfig random_kernel(const ArchConfig& arch, std::uint32_t index)
{
  const auto below = [&](std::uint32_t which, std::uint64_t bound) {
    return draw_u32({9, index, 0, which, 0}) % bound;
  };
  KernelConfig kernel;
  kernel.block = {static_cast<std::uint32_t>(1 + below(0, 1100)), 1, 1};
  kernel.registers_per_thread = static_cast<std::uint32_t>(below(1, 256));
  if (below(2, 2) == 0) kernel.static_shared_bytes = below(3, arch.shared_memory.default_max_per_block + 1);
  if (below(4, 2) == 0) kernel.dynamic_shared_bytes = below(5, arch.shared_memory.max_per_block + 2000);
  if (below(6, 3) == 0) kernel.carveout = {Carveout::Kind::percent, below(7, 101)};
  if (below(8, 3) == 0)
    kernel.barriers = static_cast<std::uint32_t>(below(9, arch.sm.barriers_per_block_limit + 1));
  return kernel;
}

std::string described(const ArchConfig& arch, const KernelConfig& kernel)
{
  return arch.name + ", " + std::to_string(kernel.threads_per_block()) + " threads, " +
         std::to_string(kernel.registers_per_thread) + " registers, " +
         std::to_string(kernel.static_shared_bytes) + " + " + std::to_string(kernel.dynamic_shared_bytes) +
         " B, carveout " + std::to_string(kernel.carveout.value) + ", " + std::to_string(kernel.barriers) +
         " barriers";
}

int as_int(const BlockLimit& limit) { return limit ? static_cast<int>(*limit) : INT_MAX; }

}  // namespace

TEST_CASE("random launches on every preset have the answer of the CUDA toolkit's header on this machine")
{
  for (const PresetInfo& preset : list_arch_presets()) {
    const ArchConfig arch = test::arch(preset.name);
    const cudaOccDeviceProp device = device_of(arch);
    for (std::uint32_t i = 0; i < 2000; ++i) {
      const KernelConfig kernel = random_kernel(arch, i);
      INFO(described(arch, kernel));
      cudaOccFuncAttributes function;
      function.maxThreadsPerBlock = INT_MAX;
      function.numRegs = static_cast<int>(kernel.registers_per_thread);
      function.sharedSizeBytes = kernel.static_shared_bytes;
      function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
      function.maxDynamicSharedSizeBytes = kernel.dynamic_shared_bytes;
      function.numBlockBarriers = static_cast<int>(kernel.barriers);
      cudaOccDeviceState state;
      if (kernel.carveout.kind == Carveout::Kind::percent)
        state.carveoutConfig = static_cast<int>(kernel.carveout.value);

      cudaOccResult theirs{};
      REQUIRE(cudaOccMaxActiveBlocksPerMultiprocessor(&theirs, &device, &function, &state,
                                                      static_cast<int>(kernel.threads_per_block()),
                                                      kernel.dynamic_shared_bytes) == CUDA_OCC_SUCCESS);
      const Occupancy ours = calculate_occupancy(arch, kernel);
      REQUIRE(static_cast<int>(ours.blocks_per_sm) == theirs.activeBlocksPerMultiprocessor);
      REQUIRE(as_int(ours.limit(Limiter::warps)) == theirs.blockLimitWarps);
      REQUIRE(as_int(ours.limit(Limiter::blocks)) == theirs.blockLimitBlocks);
      REQUIRE(as_int(ours.limit(Limiter::registers)) == theirs.blockLimitRegs);
      REQUIRE(as_int(ours.limit(Limiter::shared_memory)) == theirs.blockLimitSharedMem);
      REQUIRE(as_int(ours.limit(Limiter::barriers)) == theirs.blockLimitBarriers);
      REQUIRE(ours.registers_per_block == static_cast<std::uint64_t>(theirs.allocatedRegistersPerBlock));
      REQUIRE(ours.shared_bytes_per_block == theirs.allocatedSharedMemPerBlock);

      int grid = 0;
      int block = 0;
      REQUIRE(cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &device, &function, &state, nullptr,
                                                    kernel.dynamic_shared_bytes) == CUDA_OCC_SUCCESS);
      const Suggestion suggestion = suggest_launch(arch, kernel);
      REQUIRE(suggestion.block_size == static_cast<std::uint64_t>(block));
      REQUIRE(suggestion.min_grid == static_cast<std::uint64_t>(grid));
    }
  }
}

#endif

// What one architecture is: every limit, width and latency that the model reads, already checked.
// The keys, their ranges and their words are declared once, in arch_fields.h; arch_loader.h reads and writes
// files.
#pragma once

#include "config/policy_parameters.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsim {

/// SM limits. Source of the presets' figures: CUDA Programming Guide, appendix "Compute Capabilities".
struct SmLimits {
  std::uint32_t sub_partitions = 4;
  std::uint32_t warp_size = 32;
  std::uint32_t max_warps = 64;
  std::uint32_t max_blocks = 32;
  std::uint32_t max_threads_per_block = 1024;
  std::optional<std::uint32_t> max_barriers;  ///< nothing: barriers do not limit blocks
  std::uint32_t barriers_per_block_limit = 16;
};

/// When a finished warp's registers and slot can go to another block.
enum class ReleasePolicy { block, warp };

struct RegisterFileConfig {
  std::uint32_t registers = 65536;      ///< 32-bit registers of the SM
  std::uint32_t allocation_unit = 256;  ///< registers; a warp gets a multiple of it
  std::uint32_t max_per_thread = 255;
  std::uint32_t max_per_block = 65536;
  std::uint32_t block_warp_granularity = 4;  ///< the launch check rounds a block's warps up to it
  std::uint32_t banks = 2;
  std::uint32_t read_ports = 1;
  std::uint32_t read_window = 3;  ///< cycles; 0: ports are not modelled
  ReleasePolicy release = ReleasePolicy::block;
};

/// Sizes in bytes.
struct SharedMemoryConfig {
  std::uint64_t unified_capacity = 0;
  std::vector<std::uint64_t> carveouts;  ///< ascending
  std::uint64_t default_max_per_block = 0;
  std::uint64_t max_per_block = 0;
  std::uint64_t reserved_per_block = 0;
  std::uint64_t allocation_unit = 1;
  std::uint32_t banks = 32;
};

enum class Placement { balanced, modulo };

/// In which order the blocks of a grid are launched.
enum class BlockOrder { grid, longest_first, random };
/// Blocks go to the SMs in turn, or fill one before the next.
enum class FillOrder { breadth_first, depth_first };

struct DispatchConfig {
  std::uint32_t launch_interval = 0;  ///< cycles between two blocks on one SM; 0: no limit
  std::uint32_t launch_latency = 0;   ///< cycles from launch to a warp's first issue
  Placement placement = Placement::balanced;
  BlockOrder order = BlockOrder::grid;
  FillOrder fill = FillOrder::breadth_first;
  std::uint32_t max_cluster = 1;             ///< blocks of a thread-block cluster
  std::optional<std::uint32_t> sms_per_gpc;  ///< nothing: all SMs are in one GPC
};

struct SchedulerConfig {
  std::string policy = "gto";
  std::uint32_t switch_penalty = 0;  ///< cycles lost after a change to another warp
  PolicyValues parameters{};
};

enum class Scope { sub_partition, sm };

struct PipeConfig {
  std::string name;
  std::uint32_t lanes = 32;
  Scope scope = Scope::sub_partition;
};

enum class Dependencies { scoreboard, control_bits };

/// How a warp whose lanes took both sides of a branch goes on: one side to its end and then the other
/// (before Volta), or either while the other waits.
enum class Divergence { stack, independent };

/// What an opcode does, apart from its pipe.
enum class Control { none, nop, exit, barrier, arrive, branch, fence, sleep };
enum class MemorySpace { none, global, local, shared };
enum class Access { load, store, atomic };
/// What a warp is charged while it waits for the result.
enum class ResultClass { by_kind, wait, short_scoreboard, long_scoreboard };

/// Exactly one of pipe, memory and control is given.
struct OpcodeConfig {
  std::string name;
  std::string pipe;  ///< "" unless it is a math opcode
  MemorySpace memory = MemorySpace::none;
  Control control = Control::none;
  Access access = Access::load;
  std::uint32_t latency = 0;
  std::uint32_t interval = 0;  ///< 0: the pipe's, warp_size / lanes
  ResultClass result = ResultClass::by_kind;
};

/// A rate in thousandths of a byte per cycle and SM, so that sharing it out stays exact.
struct BandwidthConfig {
  std::uint32_t latency = 0;  ///< cycles from issue to use with nothing in the way
  std::optional<std::uint64_t> millibytes_per_cycle;
};

/// The L1 data cache behind addresses; its size is what the carveout leaves.
struct L1Config {
  std::uint32_t latency = 32;
  std::uint64_t line = 128;  ///< bytes; a power of two
  std::uint32_t ways = 4;
};

/// A sub-partition's instruction cache.
struct InstructionSupplyConfig {
  std::optional<std::uint32_t> lines;  ///< nothing: instructions are always there
  std::uint32_t line_instructions = 8;
  std::uint32_t miss_latency = 30;
};

struct MemoryConfig {
  std::uint32_t queue_depth = 5;
  std::uint32_t front_latency = 11;
  std::uint32_t sub_partition_interval = 4;
  std::uint32_t sm_interval = 2;
  std::optional<std::uint32_t> max_outstanding;
  L1Config l1;
  BandwidthConfig l2;
  BandwidthConfig dram;
  std::uint32_t constant_miss_latency = 79;
};

struct ArchConfig {
  std::string name;
  std::string compute_capability;  ///< "9.0"
  std::uint32_t sms = 1;
  std::uint64_t clock_khz = 1'000'000;
  SmLimits sm;
  RegisterFileConfig register_file;
  SharedMemoryConfig shared_memory;
  DispatchConfig dispatch;
  SchedulerConfig scheduler;
  Dependencies dependencies = Dependencies::scoreboard;
  Divergence divergence = Divergence::independent;
  std::vector<PipeConfig> pipes;
  std::vector<OpcodeConfig> opcodes;
  InstructionSupplyConfig instruction_supply;
  MemoryConfig memory;

  [[nodiscard]] std::uint32_t warps_per_sub_partition() const { return sm.max_warps / sm.sub_partitions; }
  [[nodiscard]] std::uint32_t registers_per_sub_partition() const
  {
    return register_file.registers / sm.sub_partitions;
  }
  /// The largest carveout: what the SM can give to shared memory at most, in bytes.
  [[nodiscard]] std::uint64_t max_shared_memory() const { return shared_memory.carveouts.back(); }
};

}  // namespace smsim

// Every key of an architecture file, declared once: its name, range, words and meaning.
//
// `describe(visitor, config)` walks the keys in the order of the file. Three visitors walk them: the loader
// (arch_loader.cpp), the writer of the effective configuration (arch_writer.cpp) and the JSON Schema
// (schema.cpp). A key without default must be written in the file or in one of its bases.
#pragma once

#include "config/arch_config.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace smsim {

/// Inclusive range of an integer key.
struct Range {
  std::uint64_t least;
  std::uint64_t most;
};

/// May a file leave the key out?
/// `if_given`: a key that many entries have no use for; the effective configuration leaves it out where it is
/// 0.
enum class Presence { required, optional, if_given };

/// The words of an enumeration, in the order of the documentation.
template <class Enum, std::size_t n>
using Words = std::array<std::pair<std::string_view, Enum>, n>;

inline constexpr Words<ReleasePolicy, 2> release_words{
    {{"block", ReleasePolicy::block}, {"warp", ReleasePolicy::warp}}};
inline constexpr Words<Placement, 2> placement_words{
    {{"balanced", Placement::balanced}, {"modulo", Placement::modulo}}};
inline constexpr Words<BlockOrder, 3> order_words{{{"grid", BlockOrder::grid},
                                                   {"longest_first", BlockOrder::longest_first},
                                                   {"random", BlockOrder::random}}};
inline constexpr Words<FillOrder, 2> fill_words{
    {{"breadth_first", FillOrder::breadth_first}, {"depth_first", FillOrder::depth_first}}};
inline constexpr Words<Scope, 2> scope_words{{{"sub_partition", Scope::sub_partition}, {"sm", Scope::sm}}};
inline constexpr Words<Dependencies, 2> dependencies_words{
    {{"scoreboard", Dependencies::scoreboard}, {"control_bits", Dependencies::control_bits}}};
inline constexpr Words<Divergence, 2> divergence_words{
    {{"stack", Divergence::stack}, {"independent", Divergence::independent}}};
inline constexpr Words<Control, 7> control_words{{{"nop", Control::nop},
                                                  {"exit", Control::exit},
                                                  {"barrier", Control::barrier},
                                                  {"arrive", Control::arrive},
                                                  {"branch", Control::branch},
                                                  {"fence", Control::fence},
                                                  {"sleep", Control::sleep}}};
inline constexpr Words<MemorySpace, 3> memory_words{
    {{"global", MemorySpace::global}, {"local", MemorySpace::local}, {"shared", MemorySpace::shared}}};
inline constexpr Words<Access, 3> access_words{
    {{"load", Access::load}, {"store", Access::store}, {"atomic", Access::atomic}}};
inline constexpr Words<ResultClass, 3> result_words{{{"wait", ResultClass::wait},
                                                     {"short_scoreboard", ResultClass::short_scoreboard},
                                                     {"long_scoreboard", ResultClass::long_scoreboard}}};

template <class V>
void describe(V& v, SmLimits& c)
{
  v.integer("sub_partitions", c.sub_partitions, Range{1, 64}, "sub-partitions (warp schedulers) of the SM");
  v.integer("warp_size", c.warp_size, Range{1, 64}, "threads of a warp");
  v.integer("max_warps", c.max_warps, Range{1, 4096},
            "resident warps per SM; a multiple of sub_partitions, at most 64 in each");
  v.integer("max_blocks", c.max_blocks, Range{1, 4096}, "resident blocks per SM");
  v.integer("max_threads_per_block", c.max_threads_per_block, Range{1, 65536}, "threads a block may have");
  v.optional_integer("max_barriers", c.max_barriers, Range{1, 65536},
                     "hardware barriers of the SM, shared by its blocks; none: they do not limit the blocks");
  v.integer("barriers_per_block_limit", c.barriers_per_block_limit, Range{1, 64},
            "named barriers a block may use");
}

template <class V>
void describe(V& v, RegisterFileConfig& c)
{
  v.integer("registers", c.registers, Range{1, 1U << 24U},
            "32-bit registers of the SM; a multiple of sub_partitions");
  v.integer("allocation_unit", c.allocation_unit, Range{1, 65536}, "registers; a warp gets a multiple of it");
  v.integer("max_per_thread", c.max_per_thread, Range{1, 1024},
            "registers a thread may use (instruction set limit)");
  v.integer("max_per_block", c.max_per_block, Range{1, 1U << 24U}, "registers a block may use");
  v.integer("block_warp_granularity", c.block_warp_granularity, Range{1, 64},
            "warps; the check against max_per_block rounds a block's warps up to a multiple of it");
  v.integer("banks", c.banks, Range{1, 64},
            "register banks of a sub-partition; register r is in bank r mod banks");
  v.integer("read_ports", c.read_ports, Range{1, 8}, "operands that a bank serves in a cycle");
  v.integer("read_window", c.read_window, Range{0, 64},
            "cycles in which an instruction's operands are read; 0: register ports are not modelled");
  v.choice("release", c.release, release_words,
           "when a finished warp's slot and registers become free: with its block, or at once");
}

template <class V>
void describe(V& v, SharedMemoryConfig& c)
{
  constexpr Range size{0, 1U << 30U};
  v.size("unified_capacity", c.unified_capacity, size, "the array that L1 and shared memory share");
  v.sizes("carveouts", c.carveouts, size,
          "the sizes of shared memory that the SM can be configured to, ascending");
  v.size("default_max_per_block", c.default_max_per_block, size,
         "shared memory a block may use without opting in to more");
  v.size("max_per_block", c.max_per_block, size, "shared memory a block may use after opting in");
  v.size("reserved_per_block", c.reserved_per_block, size,
         "shared memory that the system takes for each block");
  v.size("allocation_unit", c.allocation_unit, Range{1, 1U << 20U}, "a block gets a multiple of it");
  v.integer("banks", c.banks, Range{1, 1024}, "banks of 4 bytes; lanes that hit one bank take turns",
            Presence::optional);
}

template <class V>
void describe(V& v, DispatchConfig& c)
{
  constexpr Range cycles{0, 1'000'000};
  v.integer("launch_interval", c.launch_interval, cycles,
            "cycles between two block launches on one SM; 0: no limit", Presence::optional);
  v.integer("launch_latency", c.launch_latency, cycles,
            "cycles from a block's launch to its warps' first issue", Presence::optional);
  v.choice("placement", c.placement, placement_words,
           "a block's warps go to the emptiest sub-partition, or warp i to sub-partition i mod n",
           Presence::optional);
  v.choice("order", c.order, order_words, "in which order the blocks of a grid are launched",
           Presence::optional);
  v.choice("fill", c.fill, fill_words, "blocks go to the SMs in turn, or fill one SM before the next",
           Presence::optional);
  v.integer("max_cluster", c.max_cluster, Range{1, 64},
            "blocks that a thread-block cluster may have; 1: none", Presence::optional);
  v.optional_integer("sms_per_gpc", c.sms_per_gpc, Range{1, 65536},
                     "SMs of a GPC, which takes a cluster as a whole; none: all SMs are in one",
                     Presence::optional);
}

template <class V>
void describe(V& v, SchedulerConfig& c)
{
  v.text("policy", c.policy, "warp-scheduling policy; `smsim list policies` names them");
  v.integer("switch_penalty", c.switch_penalty, Range{0, 1'000'000},
            "cycles in which nothing issues after a change to another warp; hardware loses none",
            Presence::if_given);
  for (std::size_t i = 0; i < policy_parameters.size(); ++i) {
    const PolicyParameter& parameter = policy_parameters[i];
    v.integer(parameter.key, c.parameters[i], Range{parameter.least, parameter.most}, parameter.doc,
              Presence::if_given);
  }
}

template <class V>
void describe(V& v, PipeConfig& c)
{
  v.integer("lanes", c.lanes, Range{1, 64}, "lanes; a warp occupies the pipe for warp_size / lanes cycles");
  v.choice("scope", c.scope, scope_words, "each sub-partition has one, or the SM has one that they share",
           Presence::optional);
}

template <class V>
void describe(V& v, OpcodeConfig& c)
{
  constexpr Range cycles{0, 1'000'000};
  v.text("pipe", c.pipe, "math opcode: the pipe it runs on", Presence::optional);
  v.choice("memory", c.memory, memory_words, "memory opcode: the space it accesses", Presence::optional);
  v.choice("control", c.control, control_words, "control opcode: what it does", Presence::optional);
  v.choice("access", c.access, access_words, "memory opcode: what it does", Presence::optional);
  v.integer("latency", c.latency, cycles, "cycles from issue until a dependent instruction can issue",
            Presence::if_given);
  v.integer("interval", c.interval, cycles, "math opcode: cycles it occupies its pipe; 0: the pipe's own",
            Presence::if_given);
  v.choice("result", c.result, result_words, "the state of a warp that waits for its result",
           Presence::optional);
}

template <class V>
void describe(V& v, BandwidthConfig& c)
{
  v.integer("latency", c.latency, Range{1, 1'000'000}, "cycles from issue to use with nothing in the way");
  v.rate("bytes_per_cycle", c.millibytes_per_cycle,
         "bandwidth per SM in bytes per cycle; none: without limit");
}

template <class V>
void describe(V& v, L1Config& c)
{
  v.integer("latency", c.latency, Range{1, 1'000'000}, "cycles from issue to use for an L1 hit");
  v.size("line", c.line, Range{32, 1024}, "bytes of a cache line; a power of two; 128 B if left out",
         Presence::optional);
  v.integer("ways", c.ways, Range{1, 1024}, "lines of a set; 4 if left out", Presence::optional);
}

template <class V>
void describe(V& v, InstructionSupplyConfig& c)
{
  v.optional_integer("lines", c.lines, Range{1, 1'000'000},
                     "lines of a sub-partition's instruction cache; none: instructions are always there");
  v.integer("line_instructions", c.line_instructions, Range{1, 1024}, "instructions of a line");
  v.integer("miss_latency", c.miss_latency, Range{1, 1'000'000},
            "cycles that a warp waits for a missing line");
}

template <class V>
void describe(V& v, MemoryConfig& c)
{
  constexpr Range cycles{1, 1'000'000};
  v.integer("queue_depth", c.queue_depth, Range{1, 4096}, "entries of a sub-partition's memory queue");
  v.integer("front_latency", c.front_latency, Range{0, 1'000'000},
            "cycles from issue until an access leaves the queue");
  v.integer("sub_partition_interval", c.sub_partition_interval, cycles,
            "least cycles between two departures of a sub-partition");
  v.integer("sm_interval", c.sm_interval, cycles, "least cycles between two departures of the SM");
  v.optional_integer("max_outstanding", c.max_outstanding, Range{1, 1'000'000},
                     "global and local accesses in flight per SM; none: without limit");
  v.section("l1", c.l1, "the L1 data cache");
  v.section("l2", c.l2, "the SM's share of the L2 cache");
  v.section("dram", c.dram, "the SM's share of device memory");
  v.integer("constant_miss_latency", c.constant_miss_latency, Range{1, 1'000'000},
            "cycles that an instruction waits whose immediate constant misses its cache", Presence::optional);
}

template <class V>
void describe(V& v, ArchConfig& c)
{
  v.text("name", c.name, "what reports call the architecture");
  v.version("compute_capability", c.compute_capability,
            "major.minor, such as 9.0; which generation the GPU is of");
  v.integer("sms", c.sms, Range{1, 65536}, "SMs of the GPU");
  v.decimal("clock_mhz", c.clock_khz, "SM clock; turns cycles into time in reports");
  v.section("sm", c.sm, "limits of the SM");
  v.section("register_file", c.register_file, "the register file");
  v.section("shared_memory", c.shared_memory, "shared memory and its carveouts");
  v.section("dispatch", c.dispatch, "how blocks are launched");
  v.section("scheduler", c.scheduler, "the warp schedulers");
  v.choice("dependencies", c.dependencies, dependencies_words, "how a warp knows that its operands are ready",
           Presence::optional);
  v.choice("divergence", c.divergence, divergence_words,
           "the two sides of a branch run one after the other, or either while the other waits",
           Presence::optional);
  v.table("pipes", c.pipes, 64, "math pipes by name");
  v.table("opcodes", c.opcodes, 4096,
          "opcodes by mnemonic: each has exactly one of pipe, memory and control");
  v.section("instruction_supply", c.instruction_supply,
            "how instructions come to the schedulers; always there if left out", Presence::optional);
  v.section("memory", c.memory, "the memory path");
}

}  // namespace smsim

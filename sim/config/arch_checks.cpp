#include "config/arch_checks.h"

#include "base/numbers.h"
#include "base/spelling.h"

#include <algorithm>
#include <string>

namespace smsim {
namespace {

class Checker {
 public:
  Checker(const ArchConfig& arch, const YamlNode& root, Diagnostics& diagnostics)
      : arch_(arch), root_(root), diagnostics_(diagnostics)
  {}

  void run()
  {
    check_sub_partitions();
    check_shared_memory();
    check_pipes();
    for (const OpcodeConfig& opcode : arch_.opcodes) check_opcode(opcode);
    check_memory();
  }

 private:
  void error(std::initializer_list<std::string_view> keys, const std::string& what, const std::string& allowed = {})
  {
    const YamlNode* node = &root_;
    std::string path;
    for (const std::string_view key : keys) {
      path += (path.empty() ? "" : ".") + std::string(key);
      if (const YamlNode* next = node->find(key)) node = next;
    }
    diagnostics_.error(node->mark, path, what, allowed);
  }

  void check_sub_partitions()
  {
    const std::string parts = std::to_string(arch_.sm.sub_partitions);
    if (arch_.sm.max_warps % arch_.sm.sub_partitions != 0)
      error({"sm", "max_warps"}, std::to_string(arch_.sm.max_warps) + " warps cannot be shared out evenly",
            "allowed: a multiple of sub_partitions, " + parts);
    else if (arch_.warps_per_sub_partition() > 64)
      error({"sm", "max_warps"}, std::to_string(arch_.warps_per_sub_partition()) + " warps in each sub-partition",
            "allowed: at most 64 in each, so up to " + std::to_string(64 * arch_.sm.sub_partitions));
    if (arch_.register_file.registers % arch_.sm.sub_partitions != 0)
      error({"register_file", "registers"},
            std::to_string(arch_.register_file.registers) + " registers cannot be shared out evenly",
            "allowed: a multiple of sub_partitions, " + parts);
  }

  void check_shared_memory()
  {
    const SharedMemoryConfig& shared = arch_.shared_memory;
    for (std::size_t i = 1; i < shared.carveouts.size(); ++i)
      if (shared.carveouts[i] <= shared.carveouts[i - 1])
        error({"shared_memory", "carveouts"},
              size_text(shared.carveouts[i]) + " comes after " + size_text(shared.carveouts[i - 1]), "allowed: ascending sizes");
    const std::uint64_t largest = *std::max_element(shared.carveouts.begin(), shared.carveouts.end());
    if (largest > shared.unified_capacity)
      error({"shared_memory", "carveouts"}, size_text(largest) + " is more than the array holds",
            "allowed: up to unified_capacity, " + size_text(shared.unified_capacity));
    if (shared.max_per_block + shared.reserved_per_block > largest)
      error({"shared_memory", "max_per_block"},
            size_text(shared.max_per_block) + " and the reserve exceed the largest carveout",
            "allowed: up to " + size_text(largest - std::min(largest, shared.reserved_per_block)));
    if (shared.default_max_per_block > shared.max_per_block)
      error({"shared_memory", "default_max_per_block"},
            size_text(shared.default_max_per_block) + " is more than a block may have after opting in",
            "allowed: up to max_per_block, " + size_text(shared.max_per_block));
  }

  void check_pipes()
  {
    for (const PipeConfig& pipe : arch_.pipes)
      if (pipe.lanes > arch_.sm.warp_size || arch_.sm.warp_size % pipe.lanes != 0)
        error({"pipes", pipe.name, "lanes"},
              std::to_string(pipe.lanes) + " lanes do not divide a warp of " + std::to_string(arch_.sm.warp_size),
              "allowed: a divisor of warp_size");
  }

  void check_opcode(const OpcodeConfig& opcode)
  {
    const bool math = !opcode.pipe.empty();
    const bool memory = opcode.memory != MemorySpace::none;
    const bool control = opcode.control != Control::none;
    if (static_cast<int>(math) + static_cast<int>(memory) + static_cast<int>(control) != 1) {
      error({"opcodes", opcode.name}, "needs exactly one of the keys pipe, memory and control");
      return;
    }
    if (math) {
      std::vector<std::string> pipes;
      for (const PipeConfig& pipe : arch_.pipes) pipes.push_back(pipe.name);
      if (std::find(pipes.begin(), pipes.end(), opcode.pipe) == pipes.end())
        error({"opcodes", opcode.name, "pipe"}, "no pipe is named '" + opcode.pipe + "'", allowed_words(opcode.pipe, pipes));
      if (opcode.latency == 0) error({"opcodes", opcode.name}, "a math opcode needs a latency of at least 1");
    }
    if (opcode.memory == MemorySpace::shared && opcode.latency == 0)
      error({"opcodes", opcode.name}, "a shared-memory opcode needs a latency of at least 1");
    if (opcode.memory == MemorySpace::shared && opcode.latency != 0 && opcode.latency < arch_.memory.front_latency)
      error({"opcodes", opcode.name, "latency"}, std::to_string(opcode.latency) + " cycles are less than the queue alone takes",
            "allowed: from memory.front_latency, " + std::to_string(arch_.memory.front_latency));
    const bool levels_decide = opcode.memory == MemorySpace::global || opcode.memory == MemorySpace::local;
    if (levels_decide && opcode.latency != 0)
      error({"opcodes", opcode.name, "latency"}, "has no effect: memory.l1, l2 and dram say how long an access takes");
    const bool timed_control = opcode.control == Control::barrier || opcode.control == Control::branch;
    if (control && !timed_control && opcode.latency != 0)
      error({"opcodes", opcode.name, "latency"}, "has no effect: this opcode has no result");
    if (!math && opcode.interval != 0)
      error({"opcodes", opcode.name, "interval"}, "has no effect: only a math opcode occupies a pipe");
    if (control && opcode.result != ResultClass::by_kind)
      error({"opcodes", opcode.name, "result"}, "has no effect: this opcode has no result");
    if (!memory && root_has({"opcodes", opcode.name, "access"}))
      error({"opcodes", opcode.name, "access"}, "has no effect: only a memory opcode accesses memory");
    if (memory && !root_has({"opcodes", opcode.name, "access"}))
      error({"opcodes", opcode.name}, "a memory opcode needs the key access", "allowed: load, store, atomic");
  }

  void check_memory()
  {
    const auto not_below_front = [&](std::string_view level, std::uint32_t latency) {
      if (latency < arch_.memory.front_latency)
        error({"memory", level, "latency"}, std::to_string(latency) + " cycles are less than the queue alone takes",
              "allowed: from front_latency, " + std::to_string(arch_.memory.front_latency));
    };
    not_below_front("l1", arch_.memory.l1_latency);
    not_below_front("l2", arch_.memory.l2.latency);
    not_below_front("dram", arch_.memory.dram.latency);
  }

  bool root_has(std::initializer_list<std::string_view> keys) const
  {
    const YamlNode* node = &root_;
    for (const std::string_view key : keys) {
      node = node->find(key);
      if (!node) return false;
    }
    return true;
  }

  const ArchConfig& arch_;
  const YamlNode& root_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_arch(const ArchConfig& arch, const YamlNode& root, Diagnostics& diagnostics)
{
  Checker(arch, root, diagnostics).run();
}

}  // namespace smsim

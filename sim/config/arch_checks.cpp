#include "config/arch_checks.h"

#include "base/numbers.h"
#include "base/spelling.h"
#include "config/policy_parameters.h"

#include <algorithm>
#include <string>

namespace smsim {
namespace {

class Checker {
 public:
  Checker(const ArchConfig& arch, const YamlNode& root, Diagnostics& diagnostics)
      : arch_(arch), root_(root), diagnostics_(diagnostics)
  {
  }

  void run(const std::vector<std::string>& broken)
  {
    const auto sound = [&](std::initializer_list<std::string_view> sections) {
      return std::none_of(broken.begin(), broken.end(), [&](const std::string& section) {
        return std::find(sections.begin(), sections.end(), section) != sections.end();
      });
    };
    if (sound({"sm"})) check_warps();
    if (sound({"sm", "register_file"})) check_registers();
    if (sound({"shared_memory"})) check_shared_memory();
    if (sound({"sm", "pipes"})) check_pipes();
    if (sound({"pipes", "opcodes", "memory"}))
      for (const OpcodeConfig& opcode : arch_.opcodes)
        check_opcode(opcode);
    if (sound({"memory"})) check_memory();
    if (sound({"scheduler"})) check_policy_parameters();
  }

 private:
  void error(std::initializer_list<std::string_view> keys, const std::string& what,
             const std::string& allowed = {})
  {
    const YamlNode* node = &root_;
    std::string path;
    for (const std::string_view key : keys) {
      path += (path.empty() ? "" : ".") + std::string(key);
      if (const YamlNode* next = node->find(key)) node = next;
    }
    diagnostics_.error(node->mark, path, what, allowed);
  }

  void check_warps()
  {
    if (arch_.sm.max_warps % arch_.sm.sub_partitions != 0)
      error({"sm", "max_warps"}, std::to_string(arch_.sm.max_warps) + " warps cannot be shared out evenly",
            "allowed: a multiple of sub_partitions, " + std::to_string(arch_.sm.sub_partitions));
    else if (arch_.warps_per_sub_partition() > 64)
      error({"sm", "max_warps"},
            std::to_string(arch_.warps_per_sub_partition()) + " warps in each sub-partition",
            "allowed: at most 64 in each, so up to " + std::to_string(64 * arch_.sm.sub_partitions));
  }

  void check_registers()
  {
    if (arch_.register_file.registers % arch_.sm.sub_partitions != 0)
      error({"register_file", "registers"},
            std::to_string(arch_.register_file.registers) + " registers cannot be shared out evenly",
            "allowed: a multiple of sub_partitions, " + std::to_string(arch_.sm.sub_partitions));
  }

  void check_shared_memory()
  {
    const SharedMemoryConfig& shared = arch_.shared_memory;
    const YamlNode& list = *root_.find("shared_memory")->find("carveouts");
    for (std::size_t i = 0; i < shared.carveouts.size(); ++i) {
      const YamlNode& item = list.items[i];
      if (i > 0 && shared.carveouts[i] <= shared.carveouts[i - 1])
        diagnostics_.error(item.mark, "shared_memory.carveouts",
                           item.text + " comes after " + list.items[i - 1].text, "allowed: ascending sizes");
      if (shared.carveouts[i] > shared.unified_capacity)
        diagnostics_.error(item.mark, "shared_memory.carveouts", item.text + " is more than the array holds",
                           "allowed: up to unified_capacity, " + size_text(shared.unified_capacity));
    }
    const std::uint64_t largest = *std::max_element(shared.carveouts.begin(), shared.carveouts.end());
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
              std::to_string(pipe.lanes) + " lanes do not divide a warp of " +
                  std::to_string(arch_.sm.warp_size),
              "allowed: a divisor of warp_size");
  }

  void check_opcode(const OpcodeConfig& opcode)
  {
    const bool math = !opcode.pipe.empty();
    const bool memory = opcode.memory != MemorySpace::none;
    const bool control = opcode.control != Control::none;
    const bool shared = opcode.memory == MemorySpace::shared;
    if (static_cast<int>(math) + static_cast<int>(memory) + static_cast<int>(control) != 1) {
      error({"opcodes", opcode.name}, "needs exactly one of the keys pipe, memory and control");
      return;
    }
    const auto has = [&](std::string_view key) {
      return root_.find("opcodes")->find(opcode.name)->find(key) != nullptr;
    };
    const auto useless = [&](std::string_view key, const std::string& why) {
      if (has(key)) error({"opcodes", opcode.name, key}, "has no effect", why);
    };
    if (math) check_pipe_of(opcode);
    if ((math || shared) && !has("latency"))
      error({"opcodes", opcode.name, "latency"}, "missing key",
            math ? "a math opcode needs it" : "a shared-memory opcode needs it");
    else if (math && opcode.latency == 0)
      error({"opcodes", opcode.name, "latency"}, "out of range: 0", "allowed: from 1");
    else if (shared && opcode.latency < arch_.memory.front_latency)
      error({"opcodes", opcode.name, "latency"},
            std::to_string(opcode.latency) + " cycles are less than the queue alone takes",
            "allowed: from memory.front_latency, " + std::to_string(arch_.memory.front_latency));
    if (memory && !shared) useless("latency", "memory.l1, l2 and dram say how long an access takes");
    if (memory && !has("access"))
      error({"opcodes", opcode.name, "access"}, "missing key",
            "a memory opcode needs it: load, store or atomic");
    if (!memory) useless("access", "only a memory opcode accesses memory");
    if (!math) useless("interval", "only a math opcode occupies a pipe");
    if (control) useless("result", "a control opcode has no result");
    const bool timed = opcode.control == Control::barrier || opcode.control == Control::branch;
    if (control && !timed) useless("latency", "this opcode has no result");
    if (opcode.control == Control::barrier && opcode.latency == 0)
      error({"opcodes", opcode.name, "latency"}, has("latency") ? "out of range: 0" : "missing key",
            "a barrier opens at least 1 cycle after the last arrival");
  }

  void check_pipe_of(const OpcodeConfig& opcode)
  {
    std::vector<std::string> pipes;
    for (const PipeConfig& pipe : arch_.pipes)
      pipes.push_back(pipe.name);
    if (std::find(pipes.begin(), pipes.end(), opcode.pipe) == pipes.end())
      error({"opcodes", opcode.name, "pipe"}, "no pipe is named '" + opcode.pipe + "'",
            allowed_words(opcode.pipe, pipes));
  }

  void check_policy_parameters()
  {
    const std::string& policy = arch_.scheduler.policy;
    for (std::size_t i = 0; i < policy_parameters.size(); ++i)
      if (arch_.scheduler.parameters[i] != 0 && policy_parameters[i].policy != policy)
        error({"scheduler", policy_parameters[i].key},
              "is a parameter of policy '" + std::string(policy_parameters[i].policy) + "', not of '" +
                  policy + "'",
              "parameters of '" + policy + "': " + parameter_keys(policy) + "; for '" +
                  std::string(policy_parameters[i].policy) + "' where its name stands: " +
                  std::string(policy_parameters[i].policy) + ":" + std::string(policy_parameters[i].key) +
                  "=" + std::to_string(arch_.scheduler.parameters[i]));
  }

  void check_memory()
  {
    const auto not_below_front = [&](std::string_view level, std::uint32_t latency) {
      if (latency < arch_.memory.front_latency)
        error({"memory", level, "latency"},
              std::to_string(latency) + " cycles are less than the queue alone takes",
              "allowed: from front_latency, " + std::to_string(arch_.memory.front_latency));
    };
    if ((arch_.memory.l1.line & (arch_.memory.l1.line - 1)) != 0)
      error({"memory", "l1", "line"}, size_text(arch_.memory.l1.line) + " is no power of two",
            "allowed: 32, 64, 128, 256, 512 or 1024 B");
    not_below_front("l1", arch_.memory.l1.latency);
    not_below_front("l2", arch_.memory.l2.latency);
    not_below_front("dram", arch_.memory.dram.latency);
  }

  const ArchConfig& arch_;
  const YamlNode& root_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_arch(const ArchConfig& arch, const YamlNode& root, const std::vector<std::string>& broken,
                Diagnostics& diagnostics)
{
  Checker(arch, root, diagnostics).run(broken);
}

}  // namespace smsim

// A warp's program: instructions in order, and regions of them: loops, and splits (`if`) whose two sides
// lanes take. No architecture is known here; mnemonics are words until bound_program.h binds them to one.
#pragma once

#include "base/diagnostics.h"
#include "isa/assembly.h"
#include "stats/warp_states.h"
#include "workload/address_pattern.h"
#include "workload/kernel_trace.h"
#include "workload/varying.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace smsim {

/// Which level serves an access, as probabilities. A draw u in [0, 2^32) is L1 below `below_l1`, L2 below
/// `below_l2`, else DRAM.
struct LevelMix {
  std::uint64_t below_l1 = 0;
  std::uint64_t below_l2 = 0;

  static constexpr std::uint64_t one = std::uint64_t{1} << 32U;
  [[nodiscard]] bool needs_draw() const
  {
    const auto sure = [](std::uint64_t p) { return p == 0 || p == one; };
    return !(sure(below_l1) && sure(below_l2));
  }
  friend bool operator==(const LevelMix&, const LevelMix&) = default;
};

/// Dependence counters of a warp (SB0 to SB5 in NVIDIA's encodings).
inline constexpr std::size_t dependence_counters = 6;

struct Instruction {
  Mark mark;
  std::string mnemonic;
  std::optional<RegisterId> destination;
  std::vector<SourceOperand> sources;
  std::vector<std::uint64_t> immediates;

  std::uint32_t stall = 1;                  ///< the warp's next issue is at least this many cycles later
  WarpState stall_state = WarpState::wait;  ///< what the warp is charged meanwhile
  std::uint32_t sectors = 0;  ///< 32-byte sectors a global or local access touches; 0: 4 bytes a thread
  LevelMix levels;            ///< who serves a global or local access
  bool levels_given = false;  ///< the instruction itself says so
  std::uint32_t bank_conflicts = 0;          ///< passes that a shared access takes; 0: not given, one
  std::optional<std::uint32_t> lane_stride;  ///< shared access: 4-byte words between neighbouring lanes
  AddressPattern address;                    ///< global or local access through the cache
  std::uint64_t constant_miss = 0;           ///< draws of 2^32 in which its immediate constant misses

  // Control bits: dependence counters that it raises (-1: none) and waits for, and whether it yields.
  std::int8_t write_counter = -1;  ///< lowered when the result is readable
  std::int8_t read_counter = -1;   ///< lowered when the sources have been read
  std::uint8_t wait_mask = 0;
  bool yield = false;

  std::uint32_t place = 0;  ///< of a traced program: where in the code it stands, in instructions
};

/// How many of the active lanes take the `then` side of a split: a number, or a fraction in 1 / 2^32.
struct LaneShare {
  bool is_fraction = false;
  Varying value;

  static constexpr std::uint64_t whole = std::uint64_t{1} << 32U;
  /// Fractions are rounded to the nearest lane, a half upwards; no more lanes than are active.
  [[nodiscard]] std::uint32_t of(std::uint64_t block, std::uint32_t warp, std::uint32_t active) const
  {
    const std::uint64_t given = value.of(block, warp);
    const std::uint64_t lanes = is_fraction ? (active * given + whole / 2) / whole : given;
    return static_cast<std::uint32_t>(lanes < active ? lanes : active);
  }
};

/// A range of instructions that is not gone through once and by all lanes. Regions nest and are kept
/// outermost first, in the order of `begin`; none is empty.
/// loop: [begin, end) is repeated. split: some lanes go through [begin, middle), the others through
/// [middle, end), which may be empty.
struct Region {
  enum class Kind : std::uint8_t { loop, split };
  Kind kind = Kind::loop;
  std::uint32_t begin = 0;
  std::uint32_t middle = 0;
  std::uint32_t end = 0;
  Varying count;    ///< loop
  LaneShare lanes;  ///< split
  Mark mark;        ///< split: of its lanes

  static Region loop(std::uint32_t begin, std::uint32_t end, std::uint64_t count)
  {
    return {Kind::loop, begin, end, end, {Varying::Per::all, {count}}, {}, {}};
  }
};

inline constexpr std::size_t max_region_depth = 12;
inline constexpr std::size_t max_instructions = 1U << 16U;

struct Program {
  std::vector<Instruction> code;
  std::vector<Region> regions;
  /// A traced program: its code is what the kernel's instructions are, in no order, and this is which of them
  /// each warp executed.
  std::shared_ptr<const KernelTrace> trace;
};

/// Gives the numbers of regions that are drawn a run's seed, and each a site of its own. Those of
/// instructions count from 0 and do not get there, so that no change of an instruction changes what a region
/// draws.
void seed_draws(std::vector<Region>& regions, std::uint64_t seed);

/// The instruction as a reader knows it: its mnemonic and what it writes and reads, without brackets.
std::string instruction_text(const Instruction& instruction);

/// The largest general register that the program names, or nothing if it names none.
std::optional<RegisterId> highest_register(const Program& program);

}  // namespace smsim

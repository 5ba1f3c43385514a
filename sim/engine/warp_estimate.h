// What a warp would do if it were alone, by arithmetic instead of a run: how long it takes, how much of that
// it issues, and for how long it occupies each unit that it shares with others. Little's law then says how
// many warps use up the busiest unit: cycles of a warp / cycles that it occupies the unit.
//
// The warp goes through the program in order; each instruction waits for what it reads and nothing else. Not
// seen: queues, register ports, other warps at a barrier, and L1 hits behind an `address:` (taken as misses,
// but for spilled values). Of a traced kernel it is the warp of the first block that executes the most. A
// number that varies is its average, both sides of a split count in full.
#pragma once

#include "sm/bound_program.h"

#include <string>
#include <vector>

namespace smsim {

struct WarpEstimate {
  double instructions = 0;  ///< issue slots that it uses
  double waits = 0;         ///< times that it cannot issue in the cycle behind an instruction
  double cycles = 0;        ///< until its last result is there

  struct Unit {
    std::string name;   ///< "issue slots", "pipe fma", "DRAM bandwidth"
    double cycles = 0;  ///< that a warp occupies it; of an SM's unit, a scheduler's share of the SM's time
  };
  std::vector<Unit> units;  ///< the busiest first; empty where the program has no instruction

  /// Instructions in a row, and cycles of a wait; averages.
  [[nodiscard]] double run_length() const { return instructions / (waits > 0 ? waits : 1); }
  [[nodiscard]] double wait_length() const { return waits > 0 ? (cycles - instructions) / waits : 0; }
  /// Warps of each scheduler that use up the busiest unit.
  [[nodiscard]] double warps_needed() const { return units.empty() ? 0 : cycles / units.front().cycles; }
};

WarpEstimate estimate_warp(const ArchConfig& arch, const BoundProgram& program);

}  // namespace smsim

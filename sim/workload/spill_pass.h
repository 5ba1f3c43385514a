// The spill pass: rewrites a program so that it needs no more registers than a cap allows. What does not fit
// lives in local memory: a value (a register of the program) that is spilled has a slot there, each
// instruction that reads it is preceded by a load of the slot into a scratch register, each that writes it is
// followed by a store of one.
//
// Deterministic: the values that the fewest executed instructions read or write go first. docs/model.md,
// "Register caps", has the rules.
#pragma once

#include "workload/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace smsim {

struct SpillRequest {
  std::uint32_t need = 0;      ///< registers that the launch states
  std::uint32_t cap = 0;       ///< registers that a thread is given; fewer
  Mark mark;                   ///< of the cap
  std::string path;            ///< of the cap
  bool uses_counters = false;  ///< dependences are kept by counters (control bits), not by registers
};

/// What a cap did to a program.
struct Spills {
  std::uint32_t need = 0;
  std::uint32_t cap = 0;
  std::vector<RegisterId> values;  ///< registers of the program that live in local memory, slot by slot
  std::uint32_t scratch = 0;       ///< registers that loads and stores of slots go through

  [[nodiscard]] std::uint64_t local_bytes_per_thread() const { return 4 * values.size(); }
};

/// The opcodes of what the pass puts in.
inline constexpr const char* spill_load = "ld.local";
inline constexpr const char* spill_store = "st.local";

/// Rewrites `program`. An instruction whose operands do not fit the cap is an error, and so is a program that
/// uses all dependence counters itself where one is needed; `program` then stays as it is.
Spills spill_registers(Program& program, const SpillRequest& request, Diagnostics& diagnostics);

}  // namespace smsim

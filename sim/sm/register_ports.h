// The register file's read ports of one sub-partition. Asked in the issue phase, when an instruction has been
// picked: by how many cycles do bank conflicts delay the reading of its operands? It never says whether a
// warp may issue.
//
// An instruction that allocates at a reads its operands in cycles a+1 ... a+window. Bank b is reserved
// through cycle f(b); c(b) reads of it take ceil(c(b) / ports) cycles. a is the first cycle >= t for which
// max(a, f(b)) + c(b) <= a + window holds for every bank.
// Source: Huerta et al., "Dissecting and Modeling the Architecture of Modern GPU Cores", MICRO'25, section 5.
#pragma once

#include "base/ids.h"
#include "config/arch_config.h"
#include "sm/bound_program.h"
#include "sm/state_key.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace smsim {

/// What `reads` operands of a bank need of it.
inline BankNeed bank_need(const RegisterFileConfig& config, std::size_t bank, std::uint32_t reads)
{
  const std::uint32_t cycles = (reads + config.read_ports - 1) / config.read_ports;
  // An instruction that needs more cycles of a bank than the window has would wait forever: it gets the bank
  // for as long as it needs, once nobody else has it.
  const std::uint32_t slack = config.read_window > cycles ? config.read_window - cycles : 0;
  return {static_cast<std::uint8_t>(bank), static_cast<std::uint8_t>(cycles),
          static_cast<std::uint8_t>(slack)};
}

class RegisterPorts {
 public:
  explicit RegisterPorts(const RegisterFileConfig& config)
      : config_(config), reserved_through_(config.banks, Cycle{0}), needed_(config.banks, 0)
  {
  }

  /// The cycle at which an instruction that issues at `t` allocates; reserves the ports. `needs` is what it
  /// needs of the banks if nothing is kept for it.
  Cycle allocate(Cycle t, WarpSlot warp, std::span<const BankRead> reads, std::span<const BankNeed> needs,
                 bool reuses)
  {
    if (!keeps_) {
      if (reuses) keep(warp, reads);
      return reserve(t, needs);
    }
    const std::span<const BankNeed> remaining = kept_warp_ == warp ? without_kept(reads) : needs;
    const Cycle a = reserve(t, remaining);
    keeps_ = false;
    if (reuses) keep(warp, reads);
    return a;
  }

  /// What was kept for the warp's next instruction is of other lanes.
  void forget(WarpSlot warp)
  {
    if (kept_warp_ == warp) keeps_ = false;
  }

  /// The warp for which something is kept.
  [[nodiscard]] WarpSlot kept_for() const { return keeps_ ? kept_warp_ : no_warp; }
  void append_to(StateKey& key) const
  {
    for (const Cycle through : reserved_through_)
      key.time(through);
    if (!keeps_) return;
    for (const int reg : kept_)
      key.number(static_cast<std::uint64_t>(reg) + 1);
  }

 private:
  static constexpr std::size_t slots = 8;

  Cycle reserve(Cycle t, std::span<const BankNeed> needs)
  {
    Cycle a = t;
    for (const BankNeed& need : needs) {
      const Cycle reserved = reserved_through_[need.bank];
      if (reserved > a + need.slack) a = Cycle{reserved.value() - need.slack};
    }
    for (const BankNeed& need : needs)
      reserved_through_[need.bank] = std::max(a, reserved_through_[need.bank]) + need.cycles;
    return a;
  }

  /// The needs of the operands that are not kept from the instruction before.
  std::span<const BankNeed> without_kept(std::span<const BankRead> reads)
  {
    std::fill(needed_.begin(), needed_.end(), 0U);
    for (const BankRead& read : reads)
      if (kept_[read.slot] != static_cast<int>(read.reg)) ++needed_[read.bank];
    remaining_.clear();
    for (std::size_t bank = 0; bank < needed_.size(); ++bank)
      if (needed_[bank] > 0) remaining_.push_back(bank_need(config_, bank, needed_[bank]));
    return remaining_;
  }

  void keep(WarpSlot warp, std::span<const BankRead> reads)
  {
    kept_.fill(-1);
    for (const BankRead& read : reads)
      if (read.reuse) kept_[read.slot] = static_cast<int>(read.reg);
    kept_warp_ = warp;
    keeps_ = true;
  }

  RegisterFileConfig config_;
  std::vector<Cycle> reserved_through_;  ///< by bank
  std::vector<std::uint32_t> needed_;    ///< scratch, by bank
  std::vector<BankNeed> remaining_;      ///< scratch
  std::array<int, slots> kept_{};        ///< register kept for each operand slot, -1: none
  WarpSlot kept_warp_;
  bool keeps_ = false;  ///< the last instruction had an operand to keep
};

}  // namespace smsim

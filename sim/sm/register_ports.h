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

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace smsim {

class RegisterPorts {
 public:
  explicit RegisterPorts(const RegisterFileConfig& config)
      : ports_(config.read_ports), window_(config.read_window), reserved_through_(config.banks, Cycle{0}),
        needed_(config.banks, 0)
  {
  }

  /// The cycle at which an instruction that issues at `t` allocates; reserves the ports.
  Cycle allocate(Cycle t, WarpSlot warp, std::span<const BankRead> reads)
  {
    if (reads.empty()) {
      kept_warp_valid_ = false;
      return t;
    }
    std::fill(needed_.begin(), needed_.end(), 0U);
    for (const BankRead& read : reads)
      if (!is_kept(warp, read)) ++needed_[read.bank];
    Cycle a = t;
    for (std::size_t bank = 0; bank < needed_.size(); ++bank) {
      const std::uint32_t cycles = (needed_[bank] + ports_ - 1) / ports_;
      needed_[bank] = cycles;
      // An instruction that needs more cycles of a bank than the window has would wait forever: it gets the
      // bank for as long as it needs, once nobody else has it.
      const std::uint32_t slack = window_ > cycles ? window_ - cycles : 0;
      if (cycles > 0 && reserved_through_[bank] > a + slack)
        a = Cycle{reserved_through_[bank].value() - slack};
    }
    for (std::size_t bank = 0; bank < needed_.size(); ++bank)
      if (needed_[bank] > 0) reserved_through_[bank] = std::max(a, reserved_through_[bank]) + needed_[bank];
    keep(warp, reads);
    return a;
  }

 private:
  static constexpr std::size_t slots = 8;

  [[nodiscard]] bool is_kept(WarpSlot warp, const BankRead& read) const
  {
    return kept_warp_valid_ && kept_warp_ == warp && kept_[read.slot] == static_cast<int>(read.reg);
  }

  void keep(WarpSlot warp, std::span<const BankRead> reads)
  {
    kept_.fill(-1);
    for (const BankRead& read : reads)
      if (read.reuse) kept_[read.slot] = static_cast<int>(read.reg);
    kept_warp_ = warp;
    kept_warp_valid_ = true;
  }

  std::uint32_t ports_;
  std::uint32_t window_;
  std::vector<Cycle> reserved_through_;  ///< by bank
  std::vector<std::uint32_t> needed_;    ///< scratch, by bank
  std::array<int, slots> kept_{};        ///< register kept for each operand slot, -1: none
  WarpSlot kept_warp_;
  bool kept_warp_valid_ = false;
};

}  // namespace smsim

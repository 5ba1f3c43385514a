// What a SASS mnemonic is to smsim: arch_configs/sass/sass.yaml, read once for a trace.
#pragma once

#include "base/diagnostics.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace smsim {

class SassTable {
 public:
  enum class Unknown { error, alu };

  /// The shipped table. Errors in it go to `diagnostics`.
  static SassTable shipped(Diagnostics& diagnostics);

  /// The word of the longest row that the dotted name begins with; empty if there is none.
  [[nodiscard]] std::string_view find(std::string_view mnemonic) const;
  /// What an instruction without a row becomes, unless that is an error.
  [[nodiscard]] const std::string& alu() const { return alu_; }

  Unknown unknown = Unknown::alu;

 private:
  std::string alu_;
  std::unordered_map<std::string, std::string> rows_;
};

}  // namespace smsim

// Reads `derived` and `when`, and finds what the names in their expressions stand for.
#pragma once

#include "sweep/sweep.h"

namespace smsim {

class SweepNames {
 public:
  /// The sweep's bases and axes are read already.
  SweepNames(Sweep& sweep, Diagnostics& diagnostics) : sweep_(sweep), diagnostics_(diagnostics) {}

  void read_derived(const YamlNode& node);
  void read_when(const YamlNode& node);

 private:
  SweepExpression read_expression(const YamlNode& node, const std::string& path);
  std::size_t variable(const Expression::Name& name, const std::string& path);
  SweepVariable resolve(const Expression::Name& name, const std::string& path);

  Sweep& sweep_;
  Diagnostics& diagnostics_;
};

/// The value at a dotted path, where the longest key that exists goes first, as for `--set`.
const YamlNode* find_yaml_path(const YamlNode& root, std::string_view path);

}  // namespace smsim

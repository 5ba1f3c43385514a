// From a point to what is run: the base documents with the point's values laid on them, read and checked.
#pragma once

#include "config/arch_config.h"
#include "sweep/points.h"
#include "workload/workload_loader.h"

namespace smsim {

/// A point as it is run, and its name: a hash of the whole effective configuration.
struct BuiltPoint {
  ArchConfig arch;
  Workload workload;
  std::string id;  ///< 20 hexadecimal digits
};

/// A parameter's value as a result file keeps it.
struct ParameterValue {
  bool is_number = false;
  double number = 0;
  std::string text;
};

/// One for each thread.
class PointBuilder {
 public:
  explicit PointBuilder(const Sweep& sweep) : sweep_(sweep), scope_(sweep) {}

  /// @throws InputError with all that is wrong, without places.
  BuiltPoint build(const SweepPoint& point);

  /// By parameter_names(); what cannot be worked out is an empty text.
  std::vector<ParameterValue> parameters(const SweepPoint& point);

 private:
  const Sweep& sweep_;
  PointScope scope_;
};

/// Lays a value on the architecture or the workload that `key` is of. `written` is where the key is, for
/// errors.
void lay_on_base(const std::string& key, const Mark& written, const YamlNode& value, YamlNode& arch,
                 YamlNode& workload, Diagnostics& diagnostics);

/// A derived key's value as a node.
YamlNode derived_node(const ExpressionValue& value);

/// The hash of an effective configuration.
std::string point_id(const ArchConfig& arch, const Workload& workload, std::uint64_t seed,
                     std::uint64_t max_cycles);

}  // namespace smsim

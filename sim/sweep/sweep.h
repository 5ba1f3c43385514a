// A sweep: base architectures and workloads, axes over their keys, and how points are taken from them.
// Read and checked by sweep_loader.h; points.h says which points it has. Nothing here changes once it is
// read, so that any number of threads may look at it.
#pragma once

#include "sweep/axis.h"
#include "sweep/expression.h"
#include "workload/trace_loader.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace smsim {

/// More points than this are a mistake more often than a plan.
inline constexpr std::uint64_t points_without_asking = 10'000'000;

/// One of the architectures or workloads that every sample is run with.
struct SweepBase {
  std::string name;   ///< as the sweep file has it
  YamlNode document;  ///< with `set` laid on it, without places
  YamlNode values;    ///< what expressions read: for an architecture every key, defaults too
  std::shared_ptr<const Workload> traced{};  ///< of a traced kernel, which is read once

  /// The base, if it is a workload, as `changed` says, which is `document` with values of axes.
  Workload workload(YamlNode changed, Diagnostics& diagnostics) const
  {
    return traced ? relaunched(*traced, std::move(changed), diagnostics)
                  : load_workload_document(std::move(changed), {}, diagnostics);
  }
};

/// What a name in an expression stands for.
struct SweepVariable {
  enum class Kind { arch, workload, seed, axis, derived, arch_key, workload_key };
  Kind kind = Kind::axis;
  std::size_t index = 0;  ///< of the axis or the derived key
  std::string key;

  struct BaseValue {
    bool is_number = false;
    double number = 0;
    std::string text;
    bool missing = false;
  };
  std::vector<BaseValue> by_base;  ///< a key that no axis varies; names: of each architecture or workload
};

struct SweepExpression {
  Expression expression;
  std::vector<std::size_t> variables;  ///< of Sweep::variables, by the expression's names
};

/// A key whose value follows from others.
struct DerivedKey {
  std::string key;
  Mark mark;
  SweepExpression value;
};

struct Sample {
  enum class Method { cross, zip, random, latin_hypercube };
  Method method = Method::cross;
  std::uint64_t points = 0;  ///< random, latin_hypercube
  std::uint64_t seed = 1;

  [[nodiscard]] bool draws() const { return method == Method::random || method == Method::latin_hypercube; }
};

struct SweepFile {
  std::string name;
  std::string sha256;
};

struct Sweep {
  std::string name;
  std::string description;
  std::vector<SweepBase> archs;
  std::vector<SweepBase> workloads;
  std::vector<Axis> axes;
  Sample sample;
  std::vector<DerivedKey> derived;
  std::vector<SweepExpression> when;  ///< all of them hold in every point
  std::vector<std::uint64_t> seeds;   ///< of the runs' own draws
  std::uint64_t max_cycles = 0;       ///< a run that has not ended then has failed
  std::vector<SweepVariable> variables;

  std::string text;              ///< the sweep file
  std::vector<SweepFile> files;  ///< that one and all that it stands on, by name
  std::string fingerprint;       ///< equal for sweeps with the same points in the same order
};

/// The names of a point's parameters, in the order of parameter_values (points.h): arch, workload, the axes,
/// the derived keys, seed.
std::vector<std::string> parameter_names(const Sweep& sweep);

}  // namespace smsim

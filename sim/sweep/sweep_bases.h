// The architectures and workloads that a sweep file names, with its `set` laid on them.
#pragma once

#include "base/diagnostics.h"
#include "sweep/sweep.h"

#include <filesystem>
#include <set>

namespace smsim {

class SweepBases {
 public:
  /// `folder`: where the sweep file lies.
  SweepBases(std::filesystem::path folder, Diagnostics& diagnostics)
      : folder_(std::move(folder)), diagnostics_(diagnostics)
  {
  }

  /// `node` is a name or a list of them; `set` may be nothing.
  std::vector<SweepBase> read_archs(const YamlNode& node, const YamlNode* set);
  std::vector<SweepBase> read_workloads(const YamlNode& node, const YamlNode* set);

  /// All files that were read, each once, by name; without the folder of the shipped ones or the sweep's.
  [[nodiscard]] std::vector<SweepFile> files() const;

 private:
  std::vector<YamlNode> names_in(const YamlNode& node, const std::string& path, const std::string& what);
  void lay(const YamlNode* set, bool of_workload, YamlNode& document);
  void remember_sources(const YamlNode& node);

  std::filesystem::path folder_;
  Diagnostics& diagnostics_;
  std::set<std::shared_ptr<const SourceText>> sources_;
};

}  // namespace smsim

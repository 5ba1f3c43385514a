// Architecture files: find, read, merge with their bases and with --set, check; and write the effective one.
#pragma once

#include "base/diagnostics.h"
#include "config/arch_config.h"
#include "config/yaml_node.h"

#include <filesystem>
#include <string>
#include <vector>

namespace smsim {

/// Where shipped files lie: a folder with arch_configs/ and workloads/ in it.
/// The environment's SMSIM_DATA, else the installed folder, else the source tree that was built.
std::filesystem::path data_folder();

/// A preset's name is its file's, without folder and ending.
struct PresetInfo {
  std::string name;
  std::filesystem::path path;
};
/// The shipped architectures, ordered by compute capability, then name.
std::vector<PresetInfo> list_arch_presets();

/// The preset that stands for a compute capability ("9.0"), from arch_configs/batch/compute_capabilities.yaml; "" where
/// none does.
std::string preset_of_compute_capability(const std::string& compute_capability);
/// The compute capabilities that have one.
std::vector<std::string> known_compute_capabilities();

/// Reads an architecture by preset name or file path, lays it over its bases, applies the `--set` overrides
/// ("path=value", in order) and checks everything. Errors go to `diagnostics`; the answer is then not usable.
ArchConfig load_arch(const std::string& name_or_path, const std::vector<std::string>& overrides, Diagnostics& diagnostics);

/// The whole configuration as a document without base; yaml_text() of it loads again to the same.
YamlNode arch_document(const ArchConfig& arch);

/// Lays "path=value" overrides on a document.
void apply_overrides(YamlNode& root, const std::vector<std::string>& overrides, Diagnostics& diagnostics);

}  // namespace smsim

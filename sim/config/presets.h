// The architectures that come with smsim, and where they lie.
#pragma once

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
/// The shipped architectures, ordered by name.
std::vector<PresetInfo> list_arch_presets();
/// What presets share; not complete, so only for `base:`.
std::vector<PresetInfo> list_arch_bases();

/// The preset that stands for a compute capability ("9.0"), from
/// arch_configs/batch/compute_capabilities.yaml; "" where none does.
std::string preset_of_compute_capability(const std::string& compute_capability);
/// The compute capabilities that have one.
std::vector<std::string> known_compute_capabilities();

}  // namespace smsim

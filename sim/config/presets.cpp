#include "config/presets.h"

#include "config/yaml_reader.h"

#include <algorithm>
#include <cstdlib>

namespace smsim {
namespace {

namespace fs = std::filesystem;

std::vector<PresetInfo> presets_in(const fs::path& folder)
{
  std::vector<PresetInfo> presets;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(folder, ignored))
    if (file.path().extension() == ".yaml") presets.push_back({file.path().stem().string(), file.path()});
  std::sort(presets.begin(), presets.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return presets;
}

std::vector<std::pair<std::string, std::string>> compute_capability_table()
{
  Diagnostics diagnostics;
  const auto root =
      read_yaml_file(data_folder() / "arch_configs" / "batch" / "compute_capabilities.yaml", diagnostics);
  throw_if_errors(diagnostics);
  std::vector<std::pair<std::string, std::string>> rows;
  for (const YamlEntry& entry : root->entries)
    rows.emplace_back(entry.key, entry.value.text);
  return rows;
}

}  // namespace

fs::path data_folder()
{
  if (const char* chosen = std::getenv("SMSIM_DATA")) return chosen;  // NOLINT(concurrency-mt-unsafe)
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  fs::path installed = program.parent_path().parent_path() / "share" / "smsim";
  if (!program.empty() && fs::exists(installed / "arch_configs", ignored)) return installed;
  return SMSIM_SOURCE_DIR;
}

std::vector<PresetInfo> list_arch_presets() { return presets_in(data_folder() / "arch_configs"); }

std::vector<PresetInfo> list_arch_bases() { return presets_in(data_folder() / "arch_configs" / "base"); }

std::string preset_of_compute_capability(const std::string& compute_capability)
{
  for (const auto& [key, preset] : compute_capability_table())
    if (key == compute_capability) return preset;
  return {};
}

std::vector<std::string> known_compute_capabilities()
{
  std::vector<std::string> known;
  for (const auto& row : compute_capability_table())
    known.push_back(row.first);
  return known;
}

}  // namespace smsim

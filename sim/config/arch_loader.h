// Architecture files: find, read, merge with their bases and with --set, check; and write the effective one.
#pragma once

#include "base/diagnostics.h"
#include "config/arch_config.h"
#include "config/presets.h"
#include "config/yaml_node.h"

#include <filesystem>
#include <string>
#include <vector>

namespace smsim {

/// Reads an architecture by preset name or file path, lays it over its bases, applies the `--set` overrides
/// ("path=value", in order) and checks everything. Errors go to `diagnostics`; the answer is then not usable.
/// `named` is where the user gave the name, if not alone.
ArchConfig load_arch(const std::string& name_or_path, const std::vector<std::string>& overrides,
                     Diagnostics& diagnostics, const Mark& named = {});

/// The same for the architecture file at `path` that was read already as `root`.
ArchConfig load_arch_document(YamlNode root, const std::filesystem::path& path,
                              const std::vector<std::string>& overrides, Diagnostics& diagnostics);

/// The whole configuration as a document without base; yaml_text() of it loads again to the same.
YamlNode arch_document(const ArchConfig& arch);

/// Lays "path=value" overrides on a document: a map is merged key by key, anything else replaces what was
/// there.
void apply_overrides(YamlNode& root, const std::vector<std::string>& overrides, Diagnostics& diagnostics);

}  // namespace smsim

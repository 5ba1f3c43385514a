// Architecture files: find, read, merge with their bases and with --set, check; and write the effective one.
#pragma once

#include "base/diagnostics.h"
#include "config/arch_config.h"
#include "config/presets.h"
#include "config/yaml_node.h"

#include <filesystem>
#include <optional>
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

/// The document behind a preset's name or a path (relative to `folder`), laid over its bases: what build_arch
/// takes, once overrides are laid on it. Nothing where it cannot be read.
std::optional<YamlNode> read_arch_document(const std::string& name_or_path,
                                           const std::filesystem::path& folder, Diagnostics& diagnostics,
                                           const Mark& named = {});

/// `keys`: each key by itself, not the rules between them.
enum class ArchChecks { keys, all };
ArchConfig build_arch(const YamlNode& document, Diagnostics& diagnostics,
                      ArchChecks checks = ArchChecks::all);

/// The whole configuration as a document without base; yaml_text() of it loads again to the same.
YamlNode arch_document(const ArchConfig& arch);

/// Lays "path=value" overrides on a document: a map is merged key by key, anything else replaces what was
/// there.
void apply_overrides(YamlNode& root, const std::vector<std::string>& overrides, Diagnostics& diagnostics);

}  // namespace smsim

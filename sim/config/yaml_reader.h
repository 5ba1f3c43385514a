// Reads YAML text into YamlNodes. yaml_reader.cpp is the only file that includes yaml-cpp: its events are
// taken, not its nodes, so that duplicate keys, second documents and empty files are seen and every place is
// exact.
//
// Taken away on purpose: anchors, aliases and tags. `base:` and generators do their work in smsim's files.
#pragma once

#include "config/yaml_node.h"

#include <filesystem>
#include <optional>

namespace smsim {

/// A configuration file may not be larger than this.
inline constexpr std::uint64_t yaml_file_limit = 4U << 20U;

/// The document's root, or nothing if the text is no single YAML document; then `diagnostics` says why.
std::optional<YamlNode> parse_yaml(const std::shared_ptr<const SourceText>& source, Diagnostics& diagnostics);

/// Reads and parses a file.
std::optional<YamlNode> read_yaml_file(const std::filesystem::path& path, Diagnostics& diagnostics);

/// A value as `--set path=value` writes it: YAML in one line. Columns count from the start of the option's
/// word.
std::optional<YamlNode> parse_set_value(std::string_view option, std::size_t value_start,
                                        Diagnostics& diagnostics);

}  // namespace smsim

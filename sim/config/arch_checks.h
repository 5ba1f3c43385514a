// What no single key can say: the rules between the keys of an architecture.
#pragma once

#include "config/arch_config.h"
#include "config/yaml_node.h"

namespace smsim {

/// Checks a configuration whose keys are each in range, but for those of the `broken` sections, which nothing
/// is said about; `root` is the merged document, for the places of errors.
void check_arch(const ArchConfig& arch, const YamlNode& root, const std::vector<std::string>& broken,
                Diagnostics& diagnostics);

}  // namespace smsim

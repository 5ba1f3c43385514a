// Reads the `program:` list of a workload file: assembly lines, maps with attributes, loops and generators.
#pragma once

#include "config/kernel_config.h"
#include "config/yaml_node.h"
#include "workload/program.h"

namespace smsim {

/// What an access is served by where its instruction does not say.
struct ProgramDefaults {
  LevelMix levels;
};

/// Reads the list at `node`. Errors go to `diagnostics`. `kernel` is null where the launch is wrong: then
/// nothing is checked against it.
Program read_program(const YamlNode& node, const std::string& path, const KernelConfig* kernel,
                     const ProgramDefaults& defaults, Diagnostics& diagnostics);

}  // namespace smsim

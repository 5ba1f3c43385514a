// The `launch` section of a workload: grid, block and what a block needs.
#pragma once

#include "base/diagnostics.h"
#include "config/kernel_config.h"
#include "config/yaml_node.h"

namespace smsim {

KernelConfig read_launch(const YamlNode& launch, Diagnostics& diagnostics);

}  // namespace smsim

// Reads a number of a program that may vary: one for all, a list of values, or a distribution.
#pragma once

#include "config/kernel_config.h"
#include "config/yaml_node.h"
#include "workload/varying.h"

#include <string>

namespace smsim {

/// What the number counts, and so what it may be: 0 to 10^12 rounds, 0 to 64 lanes, or a fraction from 0 to 1
/// of the lanes, kept in 1 / 2^32.
enum class Quantity { count, lanes, fraction };

/// Errors go to `diagnostics`; what has any is 1 for all. `kernel` is null where the launch is wrong: then
/// nothing is checked against it.
Varying read_varying(const YamlNode& node, const std::string& path, Quantity quantity,
                     const KernelConfig* kernel, Diagnostics& diagnostics);

}  // namespace smsim

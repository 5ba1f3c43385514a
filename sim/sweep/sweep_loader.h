// Sweep files: read and check, with every error at its place.
#pragma once

#include "sweep/sweep.h"

#include <filesystem>

namespace smsim {

/// Reads a sweep file ("-" is standard input) and all that it names. Paths in it are relative to its folder.
/// Errors go to `diagnostics`; the answer is then not usable.
Sweep load_sweep(const std::filesystem::path& path, Diagnostics& diagnostics);

/// The same for the sweep file at `path` that was read already as `root`.
Sweep load_sweep_document(const YamlNode& root, const std::filesystem::path& path, Diagnostics& diagnostics);

/// What a sweep without errors can still have against it: values that its base architectures and workloads
/// can never have, a derived key that names none, conditions that leave no point. Errors go to `diagnostics`.
void check_sweep_values(const Sweep& sweep, Diagnostics& diagnostics);

}  // namespace smsim

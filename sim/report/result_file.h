// Reads a JSON result of `smsim run` back, for reports on more than one run. Everything that is wrong with
// the file is told with its place; a file that is cut off, no result, or of another version is refused.
#pragma once

#include "base/diagnostics.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace smsim {

/// Version of the results that `smsim run` writes and that this program reads: `schema_version`.
inline constexpr int result_schema_version = 1;

/// Errors go to `diagnostics`; the answer is then not usable.
nlohmann::ordered_json read_result_file(const std::string& path, Diagnostics& diagnostics);

}  // namespace smsim

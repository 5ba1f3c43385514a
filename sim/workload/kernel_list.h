// kernelslist.g: an application's kernels in order, a line each, between the copies to and from the GPU that
// were traced with them.
#pragma once

#include "base/diagnostics.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace smsim {

/// Does the name end as a list's does: .g?
bool is_kernel_list_name(std::string_view name);

/// The traces that the list names, in its order. They lie beside it; one that does not is an error, and so is
/// a list without any.
std::vector<std::filesystem::path> read_kernel_list(const std::filesystem::path& path,
                                                    Diagnostics& diagnostics);

}  // namespace smsim

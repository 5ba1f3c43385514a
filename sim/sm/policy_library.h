// Policies in shared libraries: found by a path where a policy's name could stand, loaded once, held to the
// boundary of include/smsim/policy.h. A library stays loaded until the program ends.
//
// What a library does wrong ends in a RunError that names it: it cannot be loaded, is made for another
// version, throws, or picks a warp that cannot issue. It runs inside this program: what crashes there crashes
// here.
#pragma once

#include "base/diagnostics.h"

#include <string_view>

namespace smsim {

struct PolicyInfo;

/// The policy of the library that `path` names, with the parameters behind it, as in "./mine.so:limit=4". No
/// such file, a bad parameter and a name that another policy has are errors at `mark`, and the answer is
/// null. Two calls with the same words give the same policy. May be called from several threads.
/// @throws RunError where the file is no policy that this program can run.
const PolicyInfo* load_policy(std::string_view path, const Mark& mark, Diagnostics& diagnostics);

}  // namespace smsim

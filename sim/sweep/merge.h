// Joins the stores of a sweep's shards into one.
#pragma once

#include "sweep/store.h"

namespace smsim {

struct MergeReport {
  std::uint64_t points = 0;  ///< of the sweep
  std::uint64_t joined = 0;
  std::uint64_t failed = 0;
  std::vector<std::string> missing;  ///< a line for each shard that is not whole
};

/// Writes `output` whole or not at all. @throws InputError where the stores are not of one sweep, version and
/// division, or one is given twice; RunError where it cannot be written.
MergeReport merge_stores(const std::vector<std::string>& inputs, const std::string& output);

}  // namespace smsim

// --shard i/N, or --shard slurm inside a job array.
#pragma once

#include "cli.h"
#include "sweep/store.h"

namespace smsim::cli {

/// @throws UsageError.
Shard read_shard(const OptionParser& parser);

}  // namespace smsim::cli

// Thread-block clusters: which SMs take one as a whole, and how many the GPU holds at once.
#pragma once

#include "base/diagnostics.h"
#include "occupancy/calculator.h"

#include <cstdint>
#include <vector>

namespace smsim {

/// SMs that take blocks together, for `sms` SMs: each by itself; or, for clusters, those of a GPC. The SMs of
/// a last GPC that is smaller than a cluster are left out: they hold none.
std::vector<std::uint32_t> sm_groups(const ArchConfig& arch, const KernelConfig& kernel, std::uint32_t sms);

/// Clusters that the SMs hold at once (cudaOccupancyMaxActiveClusters). An SM may hold several blocks of one.
std::uint64_t max_active_clusters(const ArchConfig& arch, const KernelConfig& kernel,
                                  const Occupancy& occupancy, std::uint32_t sms);

/// A cluster that the architecture does not have, that no GPC of `sms` SMs holds, or that does not divide the
/// grid is an error.
void check_cluster(const ArchConfig& arch, const KernelConfig& kernel, std::uint32_t sms,
                   Diagnostics& diagnostics);

}  // namespace smsim

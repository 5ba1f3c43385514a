#include "occupancy/clusters.h"

#include <algorithm>
#include <string>

namespace smsim {

std::vector<std::uint32_t> sm_groups(const ArchConfig& arch, const KernelConfig& kernel, std::uint32_t sms)
{
  if (kernel.cluster == 1) return std::vector<std::uint32_t>(sms, 1);
  const std::uint32_t gpc = arch.dispatch.sms_per_gpc.value_or(sms);
  std::vector<std::uint32_t> sizes(sms / gpc, gpc);
  if (sms % gpc >= kernel.cluster) sizes.push_back(sms % gpc);
  return sizes;
}

std::uint64_t max_active_clusters(const ArchConfig& arch, const KernelConfig& kernel,
                                  const Occupancy& occupancy, std::uint32_t sms)
{
  std::uint64_t clusters = 0;
  for (const std::uint32_t size : sm_groups(arch, kernel, sms))
    clusters += size * occupancy.blocks_per_sm / kernel.cluster;
  return clusters;
}

void check_cluster(const ArchConfig& arch, const KernelConfig& kernel, std::uint32_t sms,
                   Diagnostics& diagnostics)
{
  const std::string size = std::to_string(kernel.cluster);
  const auto error = [&](const std::string& what, const std::string& allowed) {
    diagnostics.error(kernel.cluster_mark, "launch.cluster", what, allowed);
  };
  const std::uint32_t gpc = std::min(arch.dispatch.sms_per_gpc.value_or(sms), sms);
  if (kernel.cluster > arch.dispatch.max_cluster)
    error("a cluster of " + size + " blocks", "allowed: 1 to " + std::to_string(arch.dispatch.max_cluster) +
                                                  " on " + arch.name + " (dispatch.max_cluster)");
  else if (kernel.cluster > gpc)
    error("a cluster of " + size + " blocks", "allowed: 1 to " + std::to_string(gpc) + ", the SMs of a GPC");
  if (kernel.blocks() % kernel.cluster != 0)
    error("a cluster of " + size + " does not divide the grid of " + std::to_string(kernel.blocks()) +
              " blocks",
          "every cluster is whole");
}

}  // namespace smsim

#include "base/numbers.h"
#include "occupancy/clusters.h"
#include "report/advice.h"
#include "report/occupancy_json.h"
#include "report/occupancy_reports.h"
#include "report/table_text.h"

#include <algorithm>
#include <cmath>

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

bool binds(const Occupancy& occupancy, Limiter limiter)
{
  return std::find(occupancy.limiters.begin(), occupancy.limiters.end(), limiter) != occupancy.limiters.end();
}

std::string header(const ArchConfig& arch, const KernelConfig& kernel)
{
  return std::to_string(kernel.threads_per_block()) + " threads, " +
         std::to_string(kernel.registers_per_thread) + " registers, " +
         size_text(kernel.static_shared_bytes + kernel.dynamic_shared_bytes) + " shared memory on " +
         arch.name + " (compute capability " + arch.compute_capability + ")\n\n";
}

std::string verdict_line(const Occupancy& occupancy)
{
  if (!occupancy.launchable()) return "Launch impossible: " + occupancy.not_launchable + ".\n";
  return "Launch possible; limited by " + limiters_text(occupancy.limiters) + ".\n";
}

std::string curve_value(LaunchNumber over, std::uint64_t value)
{
  return over == LaunchNumber::shared_bytes ? size_text(value) : std::to_string(value);
}

/// Whether the launch's own value belongs to a point: curves of block size and shared memory have one a warp
/// or a KiB.
bool is_current(const ArchConfig& arch, const KernelConfig& kernel, LaunchNumber over, std::uint64_t value)
{
  switch (over) {
  case LaunchNumber::registers_per_thread:
    return value == kernel.registers_per_thread;
  case LaunchNumber::shared_bytes:
    return value / 1024 == (kernel.static_shared_bytes + kernel.dynamic_shared_bytes) / 1024;
  case LaunchNumber::block_size:
    return (value - 1) / arch.sm.warp_size == (kernel.threads_per_block() - 1) / arch.sm.warp_size;
  }
  return false;
}

struct CurveName {
  const char* title;
  const char* key;  ///< in JSON
};
CurveName curve_name(LaunchNumber over)
{
  switch (over) {
  case LaunchNumber::registers_per_thread:
    return {"registers per thread", "registers_per_thread"};
  case LaunchNumber::shared_bytes:
    return {"shared memory per block", "shared_bytes"};
  case LaunchNumber::block_size:
    return {"threads per block", "threads_per_block"};
  }
  return {"", ""};
}

std::string blocks_text(std::uint64_t blocks)
{
  return std::to_string(blocks) + (blocks == 1 ? " block" : " blocks");
}

Json cliffs_json(const ArchConfig& arch, const KernelConfig& kernel)
{
  Json cliffs = Json::array();
  for (const Cliff& cliff : nearest_cliffs(arch, kernel))
    cliffs.push_back({{"of", curve_name(cliff.what).key},
                      {"from", cliff.from},
                      {"to", cliff.to},
                      {"blocks_per_sm", cliff.blocks_after},
                      {"occupancy", cliff.occupancy_after}});
  return cliffs;
}

}  // namespace

std::string occupancy_text(const ArchConfig& arch, const KernelConfig& kernel)
{
  const Occupancy occupancy = calculate_occupancy(arch, kernel);
  const Suggestion suggestion = suggest_launch(arch, kernel);
  ReportSection section("Occupancy");
  section.row("Theoretical Occupancy", percent(occupancy.ratio()), "%")
      .row("Theoretical Active Warps per SM", occupancy.warps_per_sm,
           "of " + std::to_string(occupancy.max_warps_per_sm) + " warps")
      .row("Blocks per SM", occupancy.blocks_per_sm, "blocks");
  for (const LimiterInfo& info : limiter_table) {
    const BlockLimit& limit = occupancy.limit(info.limiter);
    section.row(info.label, limit ? std::to_string(*limit) : "no limit",
                limit ? (binds(occupancy, info.limiter) ? "blocks  <- limits" : "blocks") : "");
  }
  section.row("Allocated Registers Per Block", occupancy.registers_per_block, "registers")
      .row("Allocated Shared Memory Per Block", size_text(occupancy.shared_bytes_per_block))
      .row("Shared Memory Configuration Size", size_text(occupancy.shared_bytes_per_sm))
      .row("Suggested Block Size", suggestion.block_size, "threads")
      .row("Suggested Minimum Grid", suggestion.min_grid, "blocks for " + std::to_string(arch.sms) + " SMs");
  if (kernel.cluster > 1)
    section.row("Max Active Clusters", max_active_clusters(arch, kernel, occupancy, arch.sms),
                "of " + std::to_string(kernel.cluster) + " blocks on " + std::to_string(arch.sms) + " SMs");
  return header(arch, kernel) + section.text() + verdict_line(occupancy);
}

std::string occupancy_json(const ArchConfig& arch, const KernelConfig& kernel)
{
  const Occupancy occupancy = calculate_occupancy(arch, kernel);
  const Suggestion suggestion = suggest_launch(arch, kernel);
  Json out;
  out["architecture"] = arch.name;
  out["compute_capability"] = arch.compute_capability;
  out["launchable"] = occupancy.launchable();
  out["not_launchable_reason"] = occupancy.launchable() ? Json(nullptr) : Json(occupancy.not_launchable);
  out["blocks_per_sm"] = occupancy.blocks_per_sm;
  out["warps_per_sm"] = occupancy.warps_per_sm;
  out["max_warps_per_sm"] = occupancy.max_warps_per_sm;
  out["occupancy"] = occupancy.ratio();
  out["limits"] = limits_json(occupancy);
  out["limiters"] = limiters_json(occupancy);
  out["allocated"] = {{"registers_per_block", occupancy.registers_per_block},
                      {"shared_bytes_per_block", occupancy.shared_bytes_per_block}};
  out["suggested"] = {{"block_size", suggestion.block_size}, {"min_grid", suggestion.min_grid}};
  if (kernel.cluster > 1) out["max_active_clusters"] = max_active_clusters(arch, kernel, occupancy, arch.sms);
  out["cliffs"] = cliffs_json(arch, kernel);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string curve_text(const ArchConfig& arch, const KernelConfig& kernel, LaunchNumber over)
{
  constexpr std::size_t bar_width = 40;
  std::string out =
      header(arch, kernel) + "Occupancy over " + curve_name(over).title + " (* marks this launch)\n\n";
  for (const CurvePoint& point : occupancy_curve(arch, kernel, over)) {
    std::string value = curve_value(over, point.value);
    value.insert(0, value.size() < 9 ? 9 - value.size() : 0, ' ');
    std::string share = percent(point.occupancy.ratio());
    share.insert(0, share.size() < 6 ? 6 - share.size() : 0, ' ');
    const auto filled = static_cast<std::size_t>(std::lround(point.occupancy.ratio() * bar_width));
    out.append(value).append(is_current(arch, kernel, over, point.value) ? " * " : "   ");
    out.append(share).append(" % |").append(filled, '#').append(bar_width - filled, ' ').append("| ");
    if (point.occupancy.launchable())
      out.append(blocks_text(point.occupancy.blocks_per_sm))
          .append(", ")
          .append(limiters_text(point.occupancy.limiters));
    else
      out.append("cannot launch");
    out += '\n';
  }
  return out;
}

std::string curve_json(const ArchConfig& arch, const KernelConfig& kernel, LaunchNumber over)
{
  Json points = Json::array();
  for (const CurvePoint& point : occupancy_curve(arch, kernel, over))
    points.push_back({{"value", point.value},
                      {"blocks_per_sm", point.occupancy.blocks_per_sm},
                      {"warps_per_sm", point.occupancy.warps_per_sm},
                      {"occupancy", point.occupancy.ratio()},
                      {"limiters", limiters_json(point.occupancy)}});
  const Json out = {{"architecture", arch.name}, {"over", curve_name(over).key}, {"points", points}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace smsim

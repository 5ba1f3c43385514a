#include "sm/resources.h"

#include <limits>

namespace smsim {

Resources::Resources(const ArchConfig& arch, const KernelConfig& kernel, const Occupancy& occupancy)
    : parts_(arch.sm.sub_partitions,
             Part{arch.warps_per_sub_partition(), arch.registers_per_sub_partition()}),
      warps_per_block_(static_cast<std::uint32_t>(occupancy.warps_per_block)),
      registers_per_warp_(static_cast<std::uint32_t>(occupancy.registers_per_warp)),
      shared_per_block_(occupancy.shared_bytes_per_block), barriers_per_block_(kernel.barriers),
      placement_(arch.dispatch.placement), free_blocks_(arch.sm.max_blocks),
      free_shared_(occupancy.shared_bytes_per_sm), free_barriers_(std::numeric_limits<std::uint64_t>::max())
{
  if (arch.sm.max_barriers)
    free_barriers_ = *arch.sm.max_barriers;
  else
    barriers_per_block_ = 0;
}

std::optional<std::vector<SubPartitionIndex>> Resources::place_block() const
{
  if (free_blocks_ == 0 || free_shared_ < shared_per_block_ || free_barriers_ < barriers_per_block_)
    return std::nullopt;
  std::vector<Part> parts = parts_;
  std::vector<SubPartitionIndex> placed;
  placed.reserve(warps_per_block_);
  const auto count = static_cast<SubPartitionIndex>(parts.size());
  const auto fits = [&](const Part& part) {
    return part.free_warps > 0 && part.free_registers >= registers_per_warp_;
  };
  SubPartitionIndex next = next_part_;
  for (std::uint32_t warp = 0; warp < warps_per_block_; ++warp) {
    SubPartitionIndex best = count;
    if (placement_ == Placement::modulo) {
      if (fits(parts[warp % count])) best = warp % count;
    } else {
      for (SubPartitionIndex step = 0; step < count; ++step) {
        const SubPartitionIndex candidate = (next + step) % count;
        if (fits(parts[candidate]) && (best == count || parts[candidate].free_warps > parts[best].free_warps))
          best = candidate;
      }
    }
    if (best == count) return std::nullopt;
    --parts[best].free_warps;
    parts[best].free_registers -= registers_per_warp_;
    next = (best + 1) % count;
    placed.push_back(best);
  }
  return placed;
}

std::uint32_t Resources::room(std::uint32_t most) const
{
  Resources left = *this;
  std::uint32_t blocks = 0;
  for (auto placed = left.place_block(); placed && blocks < most; placed = left.place_block()) {
    left.take_block(*placed);
    ++blocks;
  }
  return blocks;
}

void Resources::take_block(const std::vector<SubPartitionIndex>& warps)
{
  --free_blocks_;
  free_shared_ -= shared_per_block_;
  free_barriers_ -= barriers_per_block_;
  for (const SubPartitionIndex where : warps) {
    --parts_[where].free_warps;
    parts_[where].free_registers -= registers_per_warp_;
  }
  next_part_ = static_cast<SubPartitionIndex>((warps.back() + 1) % parts_.size());
}

void Resources::release_block()
{
  ++free_blocks_;
  free_shared_ += shared_per_block_;
  free_barriers_ += barriers_per_block_;
}

void Resources::release_warp(SubPartitionIndex where)
{
  ++parts_[where].free_warps;
  parts_[where].free_registers += registers_per_warp_;
}

}  // namespace smsim

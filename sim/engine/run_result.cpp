#include "engine/run_result.h"

namespace smsim {
namespace {

double ratio(std::uint64_t part, std::uint64_t whole)
{
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

StateCycles RunResult::states() const
{
  StateCycles sum{};
  for (const SmResult& sm : sms)
    for (const SubPartitionResult& part : sm.sub_partitions)
      for (std::size_t i = 0; i < warp_state_count; ++i)
        sum[i] += part.states[i];
  return sum;
}

MemoryCounts RunResult::memory() const
{
  MemoryCounts sum;
  for (const SmResult& sm : sms)
    sum += sm.memory;
  return sum;
}

std::uint64_t RunResult::active_warp_cycles() const
{
  std::uint64_t sum = 0;
  for (const SmResult& sm : sms)
    sum += sm.active_warp_cycles;
  return sum;
}

std::uint64_t RunResult::active_cycles() const
{
  std::uint64_t sum = 0;
  for (const SmResult& sm : sms)
    sum += sm.active_cycles;
  return sum;
}

std::uint64_t RunResult::thread_instructions() const
{
  std::uint64_t sum = 0;
  for (const SmResult& sm : sms)
    for (const SubPartitionResult& part : sm.sub_partitions)
      sum += part.thread_instructions;
  return sum;
}

double RunResult::average_active_lanes() const { return ratio(thread_instructions(), instructions()); }

double RunResult::ipc() const { return ratio(instructions(), cycles); }

double RunResult::achieved_occupancy() const
{
  return ratio(active_warp_cycles(), active_cycles() * occupancy.max_warps_per_sm);
}

double RunResult::achieved_occupancy_elapsed() const
{
  return ratio(active_warp_cycles(), cycles * sms.size() * occupancy.max_warps_per_sm);
}

double RunResult::waves() const { return ratio(grid, occupancy.blocks_per_sm * sms.size()); }

std::uint64_t RunResult::full_waves() const { return grid / (occupancy.blocks_per_sm * sms.size()); }

std::uint64_t RunResult::tail_empty_slot_cycles() const
{
  return occupancy.warps_per_sm * sms.size() * tail_cycles() - tail_active_warp_cycles;
}

}  // namespace smsim

#include "engine/run_result.h"

#include "stats/spread.h"

#include <algorithm>

namespace smsim {
namespace {

double ratio(std::uint64_t part, std::uint64_t whole)
{
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::uint64_t sum_of(const std::vector<SmResult>& sms, std::uint64_t SmResult::*member)
{
  std::uint64_t sum = 0;
  for (const SmResult& sm : sms)
    sum += sm.*member;
  return sum;
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

std::uint64_t RunResult::active_warp_cycles() const { return sum_of(sms, &SmResult::active_warp_cycles); }
std::uint64_t RunResult::active_cycles() const { return sum_of(sms, &SmResult::active_cycles); }
std::uint64_t RunResult::allocated_warp_cycles() const
{
  return sum_of(sms, &SmResult::allocated_warp_cycles);
}
std::uint64_t RunResult::tail_active_warp_cycles() const
{
  return sum_of(sms, &SmResult::tail_active_warp_cycles);
}
std::uint64_t RunResult::tail_allocated_warp_cycles() const
{
  return sum_of(sms, &SmResult::tail_allocated_warp_cycles);
}

std::uint64_t RunResult::blocks_run() const { return sum_of(sms, &SmResult::blocks); }
std::uint64_t RunResult::block_cycles() const { return sum_of(sms, &SmResult::block_cycles); }
Uint128 RunResult::block_cycles_squared() const
{
  Uint128 sum = 0;
  for (const SmResult& sm : sms)
    sum += sm.block_cycles_squared;
  return sum;
}
std::uint64_t RunResult::shortest_block() const
{
  std::uint64_t shortest = 0;
  bool any = false;
  for (const SmResult& sm : sms) {
    if (sm.blocks == 0) continue;
    shortest = any ? std::min(shortest, sm.shortest_block) : sm.shortest_block;
    any = true;
  }
  return shortest;
}
std::uint64_t RunResult::longest_block() const
{
  std::uint64_t longest = 0;
  for (const SmResult& sm : sms)
    longest = std::max(longest, sm.longest_block);
  return longest;
}

double RunResult::block_turnaround() const { return ratio(block_cycles(), blocks_run()); }
double RunResult::block_turnaround_deviation() const
{
  return deviation(blocks_run(), block_cycles(), block_cycles_squared());
}
double RunResult::block_fairness() const
{
  return jain_index(blocks_run(), block_cycles(), block_cycles_squared());
}
double RunResult::sub_partition_fairness() const
{
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  Uint128 squares = 0;
  for (const SmResult& sm : sms) {
    if (sm.blocks == 0) continue;
    for (const SubPartitionResult& part : sm.sub_partitions) {
      ++count;
      sum += part.issued();
      squares += Uint128{part.issued()} * part.issued();
    }
  }
  return jain_index(count, sum, squares);
}

std::uint64_t RunResult::thread_instructions() const
{
  std::uint64_t sum = 0;
  for (const SmResult& sm : sms)
    for (const SubPartitionResult& part : sm.sub_partitions)
      sum += part.thread_instructions;
  return sum;
}

std::uint64_t RunResult::pipe_cycles(std::size_t pipe) const
{
  std::uint64_t sum = 0;
  for (const SmResult& sm : sms)
    for (const SubPartitionResult& part : sm.sub_partitions)
      if (pipe < part.pipe_cycles.size()) sum += part.pipe_cycles[pipe];
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

double RunResult::waves() const { return ratio(grid, block_places()); }

std::uint64_t RunResult::full_waves() const { return grid / block_places(); }

std::uint64_t RunResult::tail_empty_slot_cycles() const
{
  return occupancy.warps_per_sm * sms.size() * tail_cycles() - tail_active_warp_cycles();
}

}  // namespace smsim

#include "report/advice.h"

#include "occupancy/cliffs.h"
#include "report/table_text.h"

#include <algorithm>

namespace smsim {
namespace {

std::string limiter_word(Limiter limiter)
{
  switch (limiter) {
  case Limiter::warps:
    return "the warp slots";
  case Limiter::blocks:
    return "the block slots";
  case Limiter::registers:
    return "registers";
  case Limiter::shared_memory:
    return "shared memory";
  case Limiter::barriers:
    return "barriers";
  }
  return {};
}

/// What a student would call the wait.
std::string plain_reason(WarpState state)
{
  switch (state) {
  case WarpState::barrier:
    return "waiting for other warps at a barrier";
  case WarpState::membar:
    return "waiting at a memory fence for their own accesses";
  case WarpState::sleeping:
    return "sleeping";
  case WarpState::imc_miss:
    return "waiting for immediate constants that missed their cache";
  case WarpState::drain:
    return "waiting for their last memory accesses after they had exited";
  case WarpState::no_instruction:
    return "waiting for their next instruction to be fetched";
  case WarpState::branch_resolving:
    return "waiting for branches to resolve";
  case WarpState::wait:
    return "waiting for the fixed latency of an arithmetic result or a stall count";
  case WarpState::long_scoreboard:
    return "waiting for data from global or local memory";
  case WarpState::short_scoreboard:
    return "waiting for data from shared memory or a special-function result";
  case WarpState::math_pipe_throttle:
    return "waiting for a busy math pipe";
  case WarpState::mio_throttle:
  case WarpState::lg_throttle:
    return "waiting for room in the memory queue";
  case WarpState::dispatch_stall:
    return "held back by register-bank conflicts";
  case WarpState::not_selected:
    return "ready, but not chosen";
  case WarpState::selected:
    return "issuing";
  }
  return {};
}

/// `full`: no more warps fit.
std::string what_to_try(WarpState state, bool full)
{
  switch (state) {
  case WarpState::barrier:
    return "more blocks per SM, or fewer warps in each, let other blocks work meanwhile";
  case WarpState::drain:
    return "more work per warp makes the wait a smaller part";
  case WarpState::wait:
    return full ? "more independent instructions in each would fill these cycles"
                : "more warps, or more independent instructions in each, would fill these cycles";
  case WarpState::long_scoreboard:
    return full ? "loads issued earlier in each would hide more of the latency"
                : "more warps, or loads issued earlier in each, would hide more of the latency";
  case WarpState::short_scoreboard:
    return full ? "loads from shared memory issued earlier would hide it"
                : "more warps, or loads from shared memory issued earlier, would hide it";
  case WarpState::math_pipe_throttle:
    return "the pipe is the limit: more warps do not help, fewer or other instructions do";
  case WarpState::mio_throttle:
  case WarpState::lg_throttle:
    return "fewer, wider or conflict-free accesses help; more warps do not";
  case WarpState::dispatch_stall:
    return "spread operands over the register banks, or reuse them";
  default:
    return "shorten it where you can";
  }
}

/// Ready warps that were not chosen: there were too many of them, or the policy let nobody issue.
std::string issue_slots_reason(const RunResult& result)
{
  std::uint64_t could_issue = 0;
  for (const SmResult& sm : result.sms)
    for (const SubPartitionResult& part : sm.sub_partitions)
      could_issue += part.eligible_cycles;
  const std::uint64_t declined = could_issue - result.instructions();
  if (2 * declined < could_issue) return "the issue slots are the limit: more warps do not help";
  return "the policy is the limit: it let nobody issue in " +
         fixed(100.0 * static_cast<double>(declined) / static_cast<double>(could_issue), 1) +
         " % of the cycles in which a warp could";
}

std::string blocks_word(std::uint64_t blocks)
{
  return std::to_string(blocks) + (blocks == 1 ? " block" : " blocks");
}

/// `more_warps_help`: nothing is used up.
std::string occupancy_sentence(const RunContext& context, bool more_warps_help)
{
  const std::uint64_t room = context.result.occupancy.blocks_per_sm * context.result.sms.size();
  if (context.result.grid < room)
    return "The grid is too small to fill the SM" + std::string(context.result.sms.size() == 1 ? "" : "s") +
           ": " + blocks_word(context.result.grid) + " where " + blocks_word(room) + " would fit." +
           (more_warps_help ? " Launch more blocks." : "");
  const Occupancy& occupancy = context.result.occupancy;
  std::string text = "Occupancy is limited by " + limiters_text(occupancy.limiters) + ": " +
                     std::to_string(occupancy.warps_per_sm) + " of " +
                     std::to_string(occupancy.max_warps_per_sm) + " warps fit";
  const double lost = occupancy.ratio() - context.result.achieved_occupancy();
  text += ", and " +
          fixed(context.result.achieved_occupancy() * static_cast<double>(occupancy.max_warps_per_sm), 1) +
          " were there on average";
  if (lost > 0.1) text += " (the grid's last blocks, uneven blocks or early exits left the rest empty)";
  return text + ".";
}

std::string stall_sentence(const RunContext& context, bool with_remedy)
{
  const StateCycles states = context.result.states();
  const std::uint64_t total = context.result.active_warp_cycles();
  std::size_t top = index_of(WarpState::not_selected);
  for (std::size_t i = 1; i < warp_state_count; ++i)
    if (states[i] > states[top]) top = i;
  const std::uint64_t issued = states[index_of(WarpState::selected)];
  if (states[top] == 0 || total == 0) return "Warps never waited: every warp issued in every cycle.";
  const WarpState state = warp_state_table[top].state;
  std::string text =
      "Warps spent " + fixed(100.0 * static_cast<double>(states[top]) / static_cast<double>(total), 1) +
      " % of their time " + plain_reason(state) + " (" + std::string(warp_state_table[top].label) +
      ") and issued in " + fixed(100.0 * static_cast<double>(issued) / static_cast<double>(total), 1) + " %";
  if (!with_remedy) return text + ".";
  const bool full = context.result.occupancy.warps_per_sm == context.result.occupancy.max_warps_per_sm;
  return text + ": " +
         (state == WarpState::not_selected ? issue_slots_reason(context.result) : what_to_try(state, full)) +
         ".";
}

/// Where a bandwidth, the issue slots or a pipe are used up no number of warps helps, whatever they seem to
/// wait for.
std::string used_up_sentence(const RunContext& context)
{
  constexpr double used_up = 0.9;
  constexpr double much_used = 0.8;  // a server that is busy for so long makes queues
  const std::optional<double> dram = dram_utilisation(context);
  const std::optional<double> l2 = l2_utilisation(context);
  const bool dram_binds = dram && *dram >= much_used;
  if (dram_binds || (l2 && *l2 >= much_used))
    return std::string(dram_binds ? "DRAM" : "L2") +
           " bandwidth is the limit: " + fixed(100 * (dram_binds ? *dram : *l2), 1) +
           " % of it was used. More warps do not help here; fewer bytes, or more of them served closer to "
           "the "
           "SM, do.";
  const RunResult& result = context.result;
  const double slots = static_cast<double>(result.active_cycles() * context.arch.sm.sub_partitions);
  const double issued = slots == 0 ? 0 : static_cast<double>(result.instructions()) / slots;
  if (issued >= used_up)
    return "The schedulers are the limit: they issued in " + fixed(100 * issued, 1) +
           " % of the cycles. More warps do not help here; fewer instructions do.";
  for (std::size_t i = 0; i < context.arch.pipes.size(); ++i)
    if (const double used = pipe_utilisation(context, i); used >= used_up)
      return "Pipe " + context.arch.pipes[i].name + " is the limit: it was busy in " + fixed(100 * used, 1) +
             " % of the cycles. More warps do not help here; fewer instructions for it do.";
  return {};
}

std::string cliff_sentence(const RunContext& context)
{
  if (context.result.waves() < 1) return {};
  for (const Cliff& cliff : nearest_cliffs(context.arch, context.workload.kernel)) {
    // A block of part of a warp is nobody's wish.
    const bool odd = cliff.what == LaunchNumber::block_size && cliff.to % context.arch.sm.warp_size != 0;
    if (!odd && cliff.occupancy_after > context.result.occupancy.ratio())
      return "Nearest gain: " + cliff_text(cliff) + ".";
  }
  return {};
}

}  // namespace

namespace {

std::optional<double> utilisation(const RunContext& context, std::uint64_t bytes,
                                  const BandwidthConfig& level)
{
  if (!level.millibytes_per_cycle || context.result.cycles == 0) return std::nullopt;
  const double most = static_cast<double>(*level.millibytes_per_cycle) / 1000 *
                      static_cast<double>(context.result.cycles) *
                      static_cast<double>(context.result.sms.size());
  return static_cast<double>(bytes) / most;
}

}  // namespace

std::optional<double> l2_utilisation(const RunContext& context)
{
  // What DRAM serves passes through L2 as well.
  const MemoryCounts counts = context.result.memory();
  return utilisation(context, counts.bytes[index_of(Level::l2)] + counts.bytes[index_of(Level::dram)],
                     context.arch.memory.l2);
}

std::optional<double> dram_utilisation(const RunContext& context)
{
  return utilisation(context, context.result.memory().bytes[index_of(Level::dram)], context.arch.memory.dram);
}

double pipe_utilisation(const RunContext& context, std::size_t pipe)
{
  const std::uint64_t each = context.arch.pipes[pipe].scope == Scope::sm ? 1 : context.arch.sm.sub_partitions;
  const std::uint64_t all = context.result.cycles * context.result.sms.size() * each;
  return all == 0 ? 0 : static_cast<double>(context.result.pipe_cycles(pipe)) / static_cast<double>(all);
}

std::string limiters_text(const std::vector<Limiter>& limiters)
{
  std::string out;
  for (std::size_t i = 0; i < limiters.size(); ++i) {
    if (i > 0) out += i + 1 == limiters.size() ? " and " : ", ";
    out += limiter_word(limiters[i]);
  }
  return out;
}

std::vector<std::string> advice(const RunContext& context)
{
  std::string limit = used_up_sentence(context);
  std::vector<std::string> sentences{occupancy_sentence(context, limit.empty())};
  if (!limit.empty()) {
    sentences.push_back(stall_sentence(context, false));
    sentences.push_back(std::move(limit));
    return sentences;
  }
  sentences.push_back(stall_sentence(context, true));
  if (std::string gain = cliff_sentence(context); !gain.empty()) sentences.push_back(std::move(gain));
  return sentences;
}

}  // namespace smsim

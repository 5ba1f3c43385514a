// The states of an active warp: one in each cycle, the first of this table that holds (model: warp states).
// Names and meanings are Nsight Compute's (Warp State Statistics); the order of precedence is smsim's choice,
// since the hardware's is not published.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace smsim {

enum class WarpState : std::uint8_t {
  selected,
  barrier,
  membar,
  sleeping,
  drain,
  no_instruction,
  branch_resolving,
  wait,
  long_scoreboard,
  short_scoreboard,
  imc_miss,
  math_pipe_throttle,
  mio_throttle,
  lg_throttle,
  dispatch_stall,
  not_selected,
};

struct WarpStateInfo {
  WarpState state;
  std::string_view key;    ///< in JSON and YAML
  std::string_view label;  ///< in reports
  std::string_view doc;
};

inline constexpr std::array<WarpStateInfo, 16> warp_state_table{{
    {WarpState::selected, "selected", "Selected", "issued an instruction"},
    {WarpState::barrier, "barrier", "Stall Barrier", "waits for the other warps of its block at a barrier"},
    {WarpState::membar, "membar", "Stall Membar", "waits at a memory fence for its own accesses"},
    {WarpState::sleeping, "sleeping", "Stall Sleeping", "sleeps for a time that it asked for"},
    {WarpState::drain, "drain", "Stall Drain", "has exited and waits for its memory accesses to finish"},
    {WarpState::no_instruction, "no_instruction", "Stall No Instruction",
     "waits for its next instruction to be fetched"},
    {WarpState::branch_resolving, "branch_resolving", "Stall Branch Resolving", "waits for a branch target"},
    {WarpState::wait, "wait", "Stall Wait", "waits out a fixed-latency result or a stall count"},
    {WarpState::long_scoreboard, "long_scoreboard", "Stall Long Scoreboard",
     "waits for data from global or local memory"},
    {WarpState::short_scoreboard, "short_scoreboard", "Stall Short Scoreboard",
     "waits for data from shared memory or a special-function result"},
    {WarpState::imc_miss, "imc_miss", "Stall IMC Miss",
     "waits for an immediate constant that missed its cache"},
    {WarpState::math_pipe_throttle, "math_pipe_throttle", "Stall Math Pipe Throttle",
     "waits for a busy math pipe"},
    {WarpState::mio_throttle, "mio_throttle", "Stall MIO Throttle",
     "waits for room in the memory queue (shared memory)"},
    {WarpState::lg_throttle, "lg_throttle", "Stall LG Throttle",
     "waits for room in the memory queue (global, local)"},
    {WarpState::dispatch_stall, "dispatch_stall", "Stall Dispatch Stall",
     "held back by register-port conflicts"},
    {WarpState::not_selected, "not_selected", "Stall Not Selected", "could have issued, but was not chosen"},
}};

inline constexpr std::size_t warp_state_count = warp_state_table.size();
constexpr std::size_t index_of(WarpState state) { return static_cast<std::size_t>(state); }

constexpr bool warp_state_table_is_in_order()
{
  for (std::size_t i = 0; i < warp_state_count; ++i)
    if (index_of(warp_state_table[i].state) != i) return false;
  return true;
}
static_assert(warp_state_table_is_in_order());

constexpr const WarpStateInfo& info(WarpState state) { return warp_state_table[index_of(state)]; }

/// Warp-cycles by state.
using StateCycles = std::array<std::uint64_t, warp_state_count>;

/// The state with this key, if there is one.
std::optional<WarpState> warp_state_of(std::string_view key);

}  // namespace smsim

// Small units of a sub-partition: wake queue, register ports, age order, scoreboard keys, issue groups.
#include "base/random.h"
#include "sm/issue_group.h"
#include "sm/register_ports.h"
#include "sm/scoreboard.h"
#include "sm/wake_queue.h"
#include "sm/warp_scheduler/age_order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

using namespace smsim;

TEST_CASE("the wake queue gives back every warp at its cycle, whatever the distance, like a sorted map")
{
  WakeQueue queue;
  std::map<std::uint64_t, WarpMask> expected;
  WarpMask waiting = 0;
  Cycle now{0};
  std::uint64_t draws = 0;
  const auto draw = [&](std::uint64_t below) { return draw_u32({7, 0, 0, 0, draws++}) % below; };
  for (int step = 0; step < 20'000; ++step) {
    for (std::uint32_t slot = 0; slot < 64; ++slot) {
      if ((waiting >> slot & 1U) != 0 || draw(4) != 0) continue;
      const std::uint64_t distance = 1 + (draw(2) ? draw(70) : draw(5000));
      queue.add(WarpSlot{slot}, now + distance, now);
      expected[now.value() + distance] |= WarpMask{1} << slot;
      waiting |= WarpMask{1} << slot;
    }
    REQUIRE(queue.next(now) == Cycle{expected.begin()->first});
    now = queue.next(now);
    const WarpMask woken = queue.take(now);
    REQUIRE(woken == expected.begin()->second);
    waiting &= ~woken;
    expected.erase(expected.begin());
  }
}

TEST_CASE("an empty wake queue has no next event") { CHECK(WakeQueue().next(Cycle{5}) == never); }

namespace {

RegisterFileConfig two_banks()
{
  RegisterFileConfig config;
  config.banks = 2;
  config.read_ports = 1;
  config.read_window = 3;
  return config;
}

/// Reads of the registers in operand slots 1, 2, 3.
std::vector<BankRead> reads(const std::vector<int>& registers, int reused = -1)
{
  std::vector<BankRead> out;
  for (std::size_t i = 0; i < registers.size(); ++i)
    out.push_back({static_cast<RegisterId>(registers[i]), static_cast<std::uint8_t>(registers[i] % 2),
                   static_cast<std::uint8_t>(i + 1), static_cast<int>(i) == reused});
  return out;
}

Cycle allocate(RegisterPorts& ports, Cycle t, WarpSlot warp, const std::vector<BankRead>& operands)
{
  std::vector<BankNeed> needs;
  bool reuses = false;
  for (std::uint8_t bank = 0; bank < 2; ++bank) {
    const auto in_bank = [&](const BankRead& read) { return read.bank == bank; };
    const auto count = std::count_if(operands.begin(), operands.end(), in_bank);
    if (count > 0) needs.push_back(bank_need(two_banks(), bank, static_cast<std::uint32_t>(count)));
  }
  for (const BankRead& read : operands)
    reuses = reuses || read.reuse;
  return ports.allocate(t, warp, operands, needs, reuses);
}

/// When each of `count` equal instructions allocates, if each issues as early as it can.
std::vector<std::uint64_t> allocations(const std::vector<BankRead>& operands, int count)
{
  RegisterPorts ports(two_banks());
  std::vector<std::uint64_t> out;
  Cycle t{0};
  for (int i = 0; i < count; ++i) {
    const Cycle a = allocate(ports, t, WarpSlot{0}, operands);
    out.push_back(a.value());
    t = a + 1;
  }
  return out;
}

}  // namespace

TEST_CASE("independent FFMAs with three operands of one bank allocate every 3 cycles")
{
  CHECK(allocations(reads({2, 4, 6}), 4) == std::vector<std::uint64_t>{0, 3, 6, 9});
}

TEST_CASE("with operands of mixed banks, 2 + 1, every 2 cycles in the steady state")
{
  const auto at = allocations(reads({2, 4, 5}), 6);
  for (std::size_t i = 2; i < at.size(); ++i)
    CHECK(at[i] - at[i - 1] == 2);
}

TEST_CASE("with one operand reused and the other two in different banks every cycle")
{
  const auto at = allocations(reads({2, 4, 5}, 0), 6);
  for (std::size_t i = 2; i < at.size(); ++i)
    CHECK(at[i] - at[i - 1] == 1);
}

TEST_CASE("a kept operand serves only the same warp, register and operand slot")
{
  RegisterPorts ports(two_banks());
  allocate(ports, Cycle{0}, WarpSlot{0}, reads({2, 4, 6}, 0));
  // Another warp: all three are read, so it waits as without reuse.
  CHECK(allocate(ports, Cycle{1}, WarpSlot{1}, reads({2, 4, 6})) == Cycle{3});
}

TEST_CASE("the register-port timelines of Huerta et al., Listing 1: 5, 6 and 7 cycles from the first clock "
          "read to the second")
{
  // Clock, FFMA R11, R10, R12, R14; FFMA R13, R16, Rx, Ry; NOP; clock. The fourth instruction after the first
  // FFMA reads the clock: one cycle each, and the bubbles of the second FFMA.
  const auto elapsed = [](int x, int y) {
    RegisterPorts ports(two_banks());
    Cycle t{1};
    t = allocate(ports, t, WarpSlot{0}, reads({10, 12, 14})) + 1;
    t = allocate(ports, t, WarpSlot{0}, reads({16, x, y})) + 1;
    t = allocate(ports, t, WarpSlot{0}, {}) + 1;
    return t.value() + 1 - 0;
  };
  CHECK(elapsed(19, 21) == 5);
  CHECK(elapsed(18, 21) == 6);
  CHECK(elapsed(18, 20) == 7);
}

TEST_CASE("the age order knows the oldest and the youngest of any set, as a list would")
{
  AgeOrder age;
  std::vector<std::uint32_t> order;  // oldest first
  WarpMask present = 0;
  std::uint64_t draws = 0;
  const auto draw = [&](std::uint64_t below) { return draw_u32({9, 0, 0, 0, draws++}) % below; };
  for (int step = 0; step < 5'000; ++step) {
    const auto slot = static_cast<std::uint32_t>(draw(64));
    const WarpMask mask = WarpMask{1} << slot;
    if ((present & mask) != 0) {
      present &= ~mask;
      std::erase(order, slot);
    } else {
      age.launch(WarpSlot{slot}, present);
      present |= mask;
      order.push_back(slot);
    }
    const WarpMask some = present & (std::uint64_t{draw(1ULL << 32U)} << 32U | draw(1ULL << 32U));
    if (some == 0) continue;
    const auto in_some = [&](std::uint32_t s) { return (some >> s & 1U) != 0; };
    CHECK(age.oldest(some).value() == *std::find_if(order.begin(), order.end(), in_some));
    CHECK(age.youngest(some).value() == *std::find_if(order.rbegin(), order.rend(), in_some));
  }
}

TEST_CASE("of results of the same cycle the state that comes first in the table wins, else the later result")
{
  const auto key = [](std::uint64_t cycle, WarpState state) { return make_ready(Cycle{cycle}, state); };
  CHECK(std::max(key(10, WarpState::wait), key(10, WarpState::long_scoreboard)) == key(10, WarpState::wait));
  CHECK(std::max(key(10, WarpState::wait), key(11, WarpState::long_scoreboard)) ==
        key(11, WarpState::long_scoreboard));
  CHECK(ready_state(key(77, WarpState::short_scoreboard)) == WarpState::short_scoreboard);
  CHECK(ready_cycle(key(77, WarpState::short_scoreboard)) == Cycle{77});
}

TEST_CASE("a group charges its warps: unit busy, then the dispatch hold, then not selected")
{
  IssueGroup group;
  group.throttle = WarpState::math_pipe_throttle;
  group.warps = 0b111;
  group.charged = Cycle{10};
  group.free_at = Cycle{13};
  StateCycles states{};
  group.charge(Cycle{20}, Cycle{15}, states);
  CHECK(states[index_of(WarpState::math_pipe_throttle)] == 9);
  CHECK(states[index_of(WarpState::dispatch_stall)] == 6);
  CHECK(states[index_of(WarpState::not_selected)] == 15);
  CHECK(group.charged == Cycle{20});
}

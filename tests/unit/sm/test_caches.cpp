// The L1 data cache, the instruction cache, address patterns and dependence counters, each alone.
#include "base/random.h"
#include "sm/dependence_counters.h"
#include "sm/instruction_cache.h"
#include "sm/l1_cache.h"
#include "workload/address_pattern.h"

#include <doctest/doctest.h>

#include <list>
#include <map>
#include <set>

using namespace smsim;

namespace {

/// Loads at `now` and fills at once; the answer is how many sectors were missing.
std::uint32_t load(L1Cache& cache, std::uint64_t address, std::uint32_t sectors, std::uint64_t now = 0)
{
  const L1Cache::Lookup found = cache.load(address, sectors, Cycle{now});
  cache.fill(Cycle{now});
  return found.missing;
}

}  // namespace

TEST_CASE("a sector is missing the first time and present the second")
{
  L1Cache cache({4096, 128, 4});
  CHECK(load(cache, 0, 4) == 4);
  CHECK(load(cache, 0, 4) == 0);
  CHECK(load(cache, 128, 1) == 1);
  CHECK(load(cache, 128, 4) == 3);  // the line is there, three of its sectors are not
}

TEST_CASE("an access over the end of a line takes sectors of two")
{
  L1Cache cache({4096, 128, 4});
  CHECK(load(cache, 96, 2) == 2);
  CHECK(load(cache, 96, 1) == 0);
  CHECK(load(cache, 128, 1) == 0);
  CHECK(load(cache, 0, 1) == 1);
}

TEST_CASE("of a full set the line that was used least recently goes")
{
  // 2 ways of 128 bytes, 4 sets: lines 0, 4, 8 are one set.
  L1Cache cache({1024, 128, 2});
  load(cache, 0 * 128, 4);
  load(cache, 4 * 128, 4);
  load(cache, 0 * 128, 4);              // line 4 is now the older
  CHECK(load(cache, 8 * 128, 4) == 4);  // and goes
  CHECK(load(cache, 0 * 128, 4) == 0);
  CHECK(load(cache, 4 * 128, 4) == 4);
}

TEST_CASE(
    "an access to sectors on their way merges: nothing is fetched twice, and it waits for the same fill")
{
  L1Cache cache({4096, 128, 4});
  CHECK(cache.load(0, 4, Cycle{10}).missing == 4);
  cache.fill(Cycle{300});
  const L1Cache::Lookup merged = cache.load(0, 4, Cycle{11});
  CHECK(merged.missing == 0);
  CHECK(merged.filled == Cycle{300});
  CHECK(cache.load(0, 4, Cycle{300}).filled == Cycle{0});
}

TEST_CASE("a store goes through without taking a place, a line that is there stays")
{
  L1Cache cache({4096, 128, 4});
  cache.store(0, 4);
  CHECK(load(cache, 0, 4) == 4);
  cache.store(0, 4);
  CHECK(load(cache, 0, 4) == 0);
}

TEST_CASE("what a spilled register stores takes a place, is there for the next load, and is given back once "
          "when its line must go")
{
  // 2 ways of 128 bytes, 4 sets: lines 0, 4, 8, 12 are one set.
  L1Cache cache({1024, 128, 2});
  REQUIRE(cache.has_room());
  CHECK(cache.keep(0 * 128, 4) == 0);
  CHECK(load(cache, 0 * 128, 4) == 0);
  CHECK(cache.keep(0 * 128, 4) == 0);  // written again: the same sectors
  CHECK(cache.keep(4 * 128, 2) == 0);
  CHECK(cache.keep(8 * 128, 4) == 4);  // line 0 goes
  const L1Cache::Lookup found = cache.load(0 * 128, 4, Cycle{0});
  cache.fill(Cycle{0});
  CHECK(found.missing == 4);
  CHECK(found.given_back == 2);         // line 4 goes: the two sectors that were written
  CHECK(load(cache, 4 * 128, 4) == 4);  // line 8 goes
  const L1Cache::Lookup clean = cache.load(8 * 128, 4, Cycle{0});
  CHECK(clean.given_back == 0);  // line 0 goes, which L2 has
}

TEST_CASE("a cache of no size misses everything")
{
  L1Cache cache({0, 128, 4});
  CHECK(load(cache, 0, 4) == 4);
  CHECK(load(cache, 0, 4) == 4);
}

TEST_CASE("the cache behaves like a list of lines in order of use, over random accesses")
{
  constexpr std::uint64_t sets = 5;  // no power of two
  constexpr std::size_t ways = 3;
  L1Cache cache({sets * ways * 128, 128, ways});
  std::map<std::uint64_t, std::list<std::pair<std::uint64_t, std::set<std::uint64_t>>>>
      model;  // by set, latest first
  std::uint64_t draws = 0;
  const auto draw = [&](std::uint64_t below) { return draw_u32({3, 0, 0, 0, draws++}) % below; };
  for (int step = 0; step < 20'000; ++step) {
    const std::uint64_t first = draw(200);
    const std::uint64_t count = 1 + draw(6);
    std::uint32_t missing = 0;
    for (std::uint64_t sector = first; sector < first + count; ++sector) {
      const std::uint64_t line = sector / 4;
      auto& set = model[line % sets];
      auto found =
          std::find_if(set.begin(), set.end(), [&](const auto& entry) { return entry.first == line; });
      if (found == set.end()) {
        if (set.size() == ways) set.pop_back();
        set.emplace_front(line, std::set<std::uint64_t>{});
      } else {
        set.splice(set.begin(), set, found);
      }
      if (set.front().second.insert(sector).second) ++missing;
    }
    REQUIRE(load(cache, first * 32, static_cast<std::uint32_t>(count), static_cast<std::uint64_t>(step)) ==
            missing);
  }
}

TEST_CASE("each slot of each warp is one place, whatever instruction asks and how often")
{
  std::set<std::uint64_t> places;
  for (std::uint64_t block = 0; block < 3; ++block)
    for (std::uint32_t warp = 0; warp < 4; ++warp)
      for (std::uint32_t slot = 0; slot < 5; ++slot) {
        AddressPattern pattern{AddressPattern::Kind::local};
        pattern.slot = slot;
        pattern.slots = 5;
        const std::uint64_t at = address_of(pattern, {1, block, warp, 4, 3, 7, 0}, 128);
        CHECK(at == address_of(pattern, {2, block, warp, 4, 3, 9, 100}, 128));
        CHECK(at % 128 == 0);
        places.insert(at);
      }
  CHECK(places.size() == 60);
  CHECK(*places.rbegin() - *places.begin() == 59 * 128);
  const AddressPattern streaming{AddressPattern::Kind::streaming, 0, 0};
  CHECK(address_of(streaming, {1, 0, 0, 4, 3, (1U << 17U), 0}, 128) < *places.begin());
}

TEST_CASE("streaming addresses are never met twice, other patterns stay in their footprint")
{
  const AddressPattern streaming{AddressPattern::Kind::streaming, 0, 0};
  const AddressPattern shared{AddressPattern::Kind::block_shared, 4096, 0};
  const AddressPattern strided{AddressPattern::Kind::strided, 1024, 64};
  const AddressPattern random{AddressPattern::Kind::random, 8192, 0};
  std::set<std::uint64_t> seen;
  std::map<std::uint64_t, std::set<std::uint64_t>> of_block;
  std::set<std::uint64_t> of_grid;
  for (std::uint64_t block = 0; block < 4; ++block)
    for (std::uint32_t warp = 0; warp < 3; ++warp)
      for (std::uint64_t repetition = 0; repetition < 200; ++repetition) {
        const AccessIdentity access{1, block, warp, 3, 4, 2, repetition};
        CHECK(seen.insert(address_of(streaming, access, 128)).second);
        of_block[block].insert(address_of(shared, access, 128));
        of_grid.insert(address_of(random, access, 32));
        const std::uint64_t at = address_of(strided, access, 128);
        AccessIdentity first = access;
        first.repetition = 0;
        CHECK(at - address_of(strided, first, 128) == repetition % 16 * 64);
      }
  for (const auto& [block, addresses] : of_block) {
    CHECK(addresses.size() == 32);
    CHECK(*addresses.rbegin() - *addresses.begin() < 4096);
  }
  CHECK(of_grid.size() == 256);  // all sectors of 8 KiB are met in 2 400 draws
  CHECK(*of_grid.rbegin() - *of_grid.begin() < 8192);
}

TEST_CASE(
    "an instruction line misses once, a line on its way serves all that ask, the least recently used goes")
{
  InstructionCache cache({2, 8, 30});
  CHECK(cache.same_line(0, 7));
  CHECK_FALSE(cache.same_line(7, 8));
  CHECK(cache.fetch(0, Cycle{0}) == Cycle{30});
  CHECK(cache.fetch(7, Cycle{5}) == Cycle{30});
  CHECK(cache.fetch(3, Cycle{40}) == Cycle{40});
  CHECK(cache.fetch(8, Cycle{50}) == Cycle{80});
  CHECK(cache.fetch(16, Cycle{60}) == Cycle{90});  // takes the place of line 0
  CHECK(cache.fetch(0, Cycle{100}) == Cycle{130});
  CHECK_FALSE(InstructionCache({}).modelled());
}

TEST_CASE("a counter that is raised at t is seen from t + 2 on, until it is lowered")
{
  DependenceCounters counters;
  counters.raise(3, Cycle{10}, Cycle{50}, WarpState::long_scoreboard);
  CHECK(ready_cycle(counters.zero_at(1U << 3U, Cycle{11})) == Cycle{0});
  CHECK(ready_cycle(counters.zero_at(1U << 3U, Cycle{12})) == Cycle{50});
  CHECK(ready_state(counters.zero_at(1U << 3U, Cycle{12})) == WarpState::long_scoreboard);
  CHECK(ready_cycle(counters.zero_at(1U << 2U, Cycle{12})) == Cycle{0});
  // Raised again: the earlier raise stays visible in the cycle in which the later is not yet.
  counters.raise(3, Cycle{20}, Cycle{90}, WarpState::long_scoreboard);
  CHECK(ready_cycle(counters.zero_at(1U << 3U, Cycle{21})) == Cycle{50});
  CHECK(ready_cycle(counters.zero_at(1U << 3U, Cycle{22})) == Cycle{90});
}

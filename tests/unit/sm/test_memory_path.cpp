// The memory queue, its shared stage and the levels behind it, each alone.
#include "sm/memory_levels.h"
#include "sm/memory_queue.h"

#include <doctest/doctest.h>

using namespace smsim;

namespace {

/// GA102's front end: queue of 5, 11 cycles to its end, one departure each 4 cycles, the SM's each 2.
MemoryConfig ga102()
{
  MemoryConfig config;
  config.queue_depth = 5;
  config.front_latency = 11;
  config.sub_partition_interval = 4;
  config.sm_interval = 2;
  config.l1.latency = 33;
  config.l2 = {250, 64'000};
  config.dram = {547, 10'000};
  return config;
}

/// Issue cycles of `count` accesses of each of `active` sub-partitions that issue whenever their queue has
/// room.
std::vector<std::vector<std::uint64_t>> issue_cycles(std::size_t active, std::size_t count)
{
  MemoryStage stage;
  std::vector<MemoryQueue> queues(active, MemoryQueue(ga102()));
  std::vector<std::vector<std::uint64_t>> issued(active);
  // The published table starts at cycle 2.
  for (std::uint64_t t = 2; issued.back().size() < count; ++t)
    for (std::size_t part = 0; part < active; ++part) {
      if (issued[part].size() == count || queues[part].free_at() > Cycle{t}) continue;
      queues[part].enter(Cycle{t}, 1, stage);
      issued[part].push_back(t);
    }
  return issued;
}

}  // namespace

TEST_CASE("one sub-partition issues five accesses back to back, the sixth at 13, then every 4 cycles (Huerta "
          "et al., Table 1)")
{
  const std::vector<std::uint64_t> expected{2, 3, 4, 5, 6, 13, 17, 21, 25, 29};
  CHECK(issue_cycles(1, 10)[0] == expected);
}

TEST_CASE("an entry of the queue is free from the cycle of its departure on, not before")
{
  MemoryStage stage;
  MemoryQueue queue(ga102());
  for (std::uint64_t t = 0; t < 5; ++t) {
    CHECK(queue.free_at() <= Cycle{t});
    CHECK(queue.enter(Cycle{t}, 1, stage) == Cycle{11 + 4 * t});
  }
  CHECK(queue.free_at() == Cycle{11});
}

TEST_CASE("an n-way bank conflict holds the shared stage for n passes")
{
  MemoryStage stage;
  MemoryQueue one(ga102());
  MemoryQueue other(ga102());
  CHECK(one.enter(Cycle{0}, 8, stage) == Cycle{11});
  CHECK(other.enter(Cycle{0}, 1, stage) == Cycle{11 + 8 * 2});
}

TEST_CASE("with nothing in the way an access is ready at issue + its level's latency")
{
  MemoryLevels levels(ga102());
  CHECK(levels.ready_at(Cycle{11}, Level::l1, 128) == Cycle{33});
  CHECK(levels.ready_at(Cycle{11}, Level::l2, 128) == Cycle{250});
  CHECK(MemoryLevels(ga102()).ready_at(Cycle{11}, Level::dram, 128) == Cycle{547});
}

TEST_CASE("a level with a bandwidth serves one access after the other, fractions of a cycle add up exactly")
{
  // 10 bytes a cycle: 128 bytes take 12.8 cycles.
  MemoryLevels levels(ga102());
  for (std::uint64_t n = 0; n < 50; ++n) {
    const std::uint64_t waited = (128 * n + 9) / 10;
    // 1/65536 of a cycle is lost at most for each access before.
    const Cycle ready = levels.ready_at(Cycle{11}, Level::dram, 128);
    CHECK(ready >= Cycle{547 + waited});
    CHECK(ready <= Cycle{547 + waited + 1});
  }
  CHECK(levels.counts().accesses[index_of(Level::dram)] == 50);
  CHECK(levels.counts().bytes[index_of(Level::dram)] == 50 * 128);
}

TEST_CASE("an access to DRAM passes L2 first and uses its bandwidth")
{
  MemoryConfig narrow = ga102();
  narrow.l2.millibytes_per_cycle = 1'000;  // 128 cycles each
  narrow.dram.millibytes_per_cycle.reset();
  MemoryLevels levels(narrow);
  CHECK(levels.ready_at(Cycle{11}, Level::dram, 128) == Cycle{547});
  CHECK(levels.ready_at(Cycle{11}, Level::l2, 128) == Cycle{250 + 128});
  CHECK(levels.ready_at(Cycle{11}, Level::l1, 128) == Cycle{33});
}

TEST_CASE("at most so many accesses are in flight: the next may issue when the first of them is done")
{
  OutstandingLimit limit(2);
  const auto issue = [&](std::uint64_t t, std::uint64_t done) {
    limit.reserve();
    limit.add(Cycle{t}, Cycle{done});
    return limit.free_at(Cycle{t});
  };
  CHECK(issue(0, 100) == Cycle{0});
  CHECK(issue(1, 50) == Cycle{50});
  CHECK(limit.full(Cycle{49}));
  CHECK_FALSE(limit.full(Cycle{50}));
  CHECK(issue(50, 300) == Cycle{100});
  // Two of one cycle count before it is known when they are done.
  OutstandingLimit two(2);
  two.reserve();
  CHECK_FALSE(two.full(Cycle{0}));
  two.reserve();
  CHECK(two.full(Cycle{0}));
}

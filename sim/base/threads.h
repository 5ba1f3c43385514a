// Runs one function on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace smsim {

/// Runs `work(i)` on `count` threads, i from 0, this one included, and waits for all. `work` may not throw.
inline void run_threads(std::uint32_t count, const std::function<void(std::uint32_t)>& work)
{
  std::vector<std::thread> others;
  for (std::uint32_t i = 1; i < count; ++i)
    others.emplace_back(work, i);
  work(0);
  for (std::thread& other : others)
    other.join();
}

/// Runs `work(i)` for all i below `items` on at most `threads` threads, each taking the next item when it is
/// done with one. `work` may not throw, and may not depend on which items were run before.
inline void run_items(std::uint32_t threads, std::size_t items, const std::function<void(std::size_t)>& work)
{
  std::atomic<std::size_t> next{0};
  run_threads(static_cast<std::uint32_t>(std::min<std::size_t>(threads, items)), [&](std::uint32_t) {
    for (std::size_t i = next++; i < items; i = next++)
      work(i);
  });
}

/// Lets others run while this thread waits for one of them.
inline void pause_thread() { std::this_thread::yield(); }

}  // namespace smsim

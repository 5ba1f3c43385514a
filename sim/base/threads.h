// Runs one function on several threads.
#pragma once

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

/// Lets others run while this thread waits for one of them.
inline void pause_thread() { std::this_thread::yield(); }

}  // namespace smsim

// Work spread over threads.
#include "base/threads.h"

#include <doctest/doctest.h>

using namespace smsim;

TEST_CASE("each item is run once, on fewer threads than items or more")
{
  for (const std::uint32_t threads : {1U, 2U, 7U, 64U}) {
    for (const std::size_t items : {0U, 1U, 5U, 1000U}) {
      CAPTURE(threads);
      CAPTURE(items);
      std::vector<int> runs(items + 1);
      run_items(threads, items, [&](std::size_t i) { ++runs[i]; });
      for (std::size_t i = 0; i < items; ++i)
        CHECK(runs[i] == 1);
      CHECK(runs[items] == 0);
    }
  }
}

#include "config/kernel_config.h"

#include <doctest/doctest.h>

using namespace smsim;

TEST_CASE("a carveout is the driver's default, a percentage or a size")
{
  CHECK(parse_carveout("default") == Carveout{});
  CHECK(parse_carveout("0%") == Carveout{Carveout::Kind::percent, 0});
  CHECK(parse_carveout("100%") == Carveout{Carveout::Kind::percent, 100});
  CHECK(parse_carveout("64 KiB") == Carveout{Carveout::Kind::bytes, 65536});
  CHECK(parse_carveout("0 B") == Carveout{Carveout::Kind::bytes, 0});
  for (const char* text :
       {"", "50", "0", "101%", "-1%", "1.5%", "%", "50 %", "64KB", "max", "Default", "18446744073709551615%"})
    CHECK_MESSAGE(!parse_carveout(text), text);
}

TEST_CASE("a grid and a block are counted over all their extents without overflow")
{
  KernelConfig kernel;
  kernel.grid = {2147483647, 65535, 65535};
  kernel.block = {1024, 2, 3};
  CHECK(kernel.blocks() == 9223090559730712575U);
  CHECK(kernel.threads_per_block() == 6144);
}

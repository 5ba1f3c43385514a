#include "base/random.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <set>

using namespace smsim;

TEST_CASE("draws are pinned: the same key gives the same number on every machine and in every version")
{
  CHECK(draw_u32({}) == 0x6627E8D5U);  // the published known answer of Philox4x32-10 for zeros
  CHECK(draw_u32({1, 0, 0, 0, 0}) == 3823634032U);
  CHECK(draw_u32({1, 2, 3, 4, 5}) == 740666899U);
  CHECK(draw_u32({~0ULL, 1000000, 31, 65535, 1000000000}) == 3531575766U);
}

TEST_CASE("keys that differ anywhere give different draws, up to the largest blocks, warps and sites")
{
  std::set<std::uint32_t> seen;
  std::size_t count = 0;
  const auto draw = [&](const DrawKey& key) {
    seen.insert(draw_u32(key));
    ++count;
  };
  const DrawKey base{7, 7, 7, 7, 7};
  for (std::uint64_t bit = 0; bit < 40; ++bit) {
    DrawKey key = base;
    key.block ^= std::uint64_t{1} << bit;
    draw(key);
    key = base;
    key.repetition ^= std::uint64_t{1} << bit;
    draw(key);
    key = base;
    key.seed ^= std::uint64_t{1} << bit;
    draw(key);
  }
  for (std::uint32_t bit = 0; bit < 12; ++bit) {
    DrawKey key = base;
    key.warp ^= 1U << bit;
    draw(key);
  }
  for (std::uint32_t bit = 0; bit < 16; ++bit) {
    DrawKey key = base;
    key.site ^= 1U << bit;
    draw(key);
  }
  draw(base);
  CHECK(seen.size() == count);
}

TEST_CASE("draws along each part of the key are uniform")
{
  constexpr std::uint64_t draws = 65536;
  const auto is_uniform = [](auto key_of) {
    std::array<std::uint64_t, 64> bins{};
    for (std::uint64_t i = 0; i < draws; ++i)
      ++bins[draw_u32(key_of(i)) >> 26];
    double chi_square = 0;
    for (const std::uint64_t n : bins) {
      const double off = static_cast<double>(n) - draws / 64.0;
      chi_square += off * off / (draws / 64.0);
    }
    return chi_square > 25 && chi_square < 120;  // 63 degrees of freedom: both ends beyond 1 in 10^4
  };
  CHECK(is_uniform([](std::uint64_t i) { return DrawKey{i, 0, 0, 0, 0}; }));
  CHECK(is_uniform([](std::uint64_t i) { return DrawKey{1, i, 0, 0, 0}; }));
  CHECK(is_uniform([](std::uint64_t i) {
    return DrawKey{1, 0, static_cast<std::uint32_t>(i % 4096), static_cast<std::uint32_t>(i / 4096), 0};
  }));
  CHECK(is_uniform([](std::uint64_t i) { return DrawKey{1, 0, 0, 0, i}; }));
}

TEST_CASE("a real draw has 52 bits, the first of them those of the whole number, and is never 0 or 1")
{
  CHECK(draw_unit({}) == 0x1.989fa35785a72p-2);
  CHECK(draw_unit({1, 2, 3, 4, 5}) == 0x1.612d709ea000cp-3);
  std::array<std::uint64_t, 64> low_bits{};
  for (std::uint64_t i = 0; i < 65536; ++i) {
    const DrawKey key{5, i, 0, 0, 0};
    const double unit = draw_unit(key);
    REQUIRE(unit >= smallest_unit);
    REQUIRE(unit <= largest_unit);
    REQUIRE(static_cast<std::uint32_t>(unit * 0x1p32) == draw_u32(key));
    ++low_bits[static_cast<std::uint64_t>(unit * 0x1p52) % 64];
  }
  for (const std::uint64_t n : low_bits)
    CHECK(std::abs(static_cast<double>(n) - 1024) < 5 * 32);  // five standard errors
}

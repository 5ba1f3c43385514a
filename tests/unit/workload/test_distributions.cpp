// Numbers drawn from distributions: their shapes, their bytes, and what they are the same for.
#include "sm/bound_program.h"
#include "support/kernels.h"
#include "workload/distribution.h"

#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/pareto.hpp>
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <set>

using namespace smsim;
using test::kernel;

namespace {

constexpr std::uint64_t most_of_all = 1'000'000'000'000;

Distribution unclipped(const decltype(Distribution::shape)& shape) { return {shape, 0, most_of_all}; }

struct Moments {
  double mean;
  double variance;
  double kurtosis;  ///< a normal distribution has 3
};

template <class Law>
Moments moments_of(const Law& law)
{
  return {mean(law), variance(law), kurtosis(law)};
}

/// Five standard errors: of the mean, sqrt(variance / n); of the variance, variance x sqrt((kurtosis - 1) /
/// n). Rounding to whole numbers adds 1/12 to the variance: nothing beside those of the tests below.
void check_moments(const Distribution& distribution, const Moments& right)
{
  constexpr std::uint64_t n = 100'000;
  double sum = 0;
  double squares = 0;
  for (std::uint64_t block = 0; block < n; ++block) {
    const double off = static_cast<double>(distribution.draw({2026, block, 0, 5, 0})) - right.mean;
    sum += off;
    squares += off * off;
  }
  CHECK(std::fabs(sum / n) < 5 * std::sqrt(right.variance / n));
  CHECK(std::fabs(squares / n - right.variance) < 5 * right.variance * std::sqrt((right.kurtosis - 1) / n));
}

/// What the only loop of a program with this count draws.
Varying count_of(const std::string& count, std::uint64_t seed = 1)
{
  std::vector<Region> regions =
      kernel(8, 256, "  - loop: {count: {" + count + "}, body: [nop]}\n").program.regions;
  seed_draws(regions, seed);
  return regions.at(0).count;
}

Varying fraction_of(const std::string& fraction)
{
  std::vector<Region> regions =
      kernel(8, 256, "  - if: {fraction: {" + fraction + "}, then: [nop]}\n").program.regions;
  seed_draws(regions, 1);
  return regions.at(0).lanes.value;
}

constexpr std::uint64_t whole = LaneShare::whole;

}  // namespace

TEST_CASE("quantiles are Boost.Math's to 1e-9")
{
  const boost::math::normal normal(200, 30);
  const boost::math::lognormal lognormal(std::log(150), 0.7);
  const boost::math::pareto pareto(20, 1.5);
  const auto is_near = [](double found, double right) { return std::fabs(found - right) <= 1e-9 * right; };
  for (double u = 0x1p-30; u < 1; u += 1.0 / 4099) {
    CAPTURE(u);
    CHECK(is_near(Normal{200, 30}.at(u), quantile(normal, u)));
    CHECK(is_near(Lognormal{150, 0.7}.at(u), quantile(lognormal, u)));
    CHECK(is_near(Pareto{20, 1.5}.at(u), quantile(pareto, u)));
  }
}

TEST_CASE("100 000 draws have the mean and the variance of their distribution")
{
  check_moments(unclipped(Normal{20'000, 1'500}), moments_of(boost::math::normal(20'000, 1'500)));
  check_moments(unclipped(Lognormal{10'000, 0.5}), moments_of(boost::math::lognormal(std::log(10'000), 0.5)));
  check_moments(unclipped(Pareto{10'000, 9}), moments_of(boost::math::pareto(10'000, 9)));
  constexpr double n = 10'000;
  check_moments(unclipped(Uniform{1, n}),
                {(n + 1) / 2, (n * n - 1) / 12, 3 - 6 * (n * n + 1) / (5 * (n * n - 1))});
  constexpr double pq = 0.25 * 0.75;
  check_moments(unclipped(Bimodal{1'000, 5'000, 0.25}), {2'000, 4'000.0 * 4'000 * pq, 1 / pq - 3});
}

TEST_CASE("a uniform draw takes each whole number from least to most equally often, both ends included")
{
  std::array<int, 8> bins{};
  for (std::uint64_t block = 0; block < 60'000; ++block)
    ++bins.at(unclipped(Uniform{1, 6}).draw({7, block, 0, 0, 0}));
  CHECK(bins[0] + bins[7] == 0);
  for (std::size_t face = 1; face <= 6; ++face)
    CHECK(std::abs(bins.at(face) - 10'000) < 457);  // five standard errors of 91.3
  const Distribution widest = unclipped(Uniform{0, 1e12});
  CHECK(widest.at(smallest_unit) == 0);
  CHECK(widest.largest() == most_of_all);
}

TEST_CASE("a draw is clipped, then rounded to the nearest, a half upwards")
{
  const auto at = [](double value) { return unclipped(Constant{value}).at(0.5); };
  CHECK(at(2.4999999) == 2);
  CHECK(at(2.5) == 3);
  CHECK(at(0.49999999999999994) == 0);
  CHECK(at(-7) == 0);
  CHECK(at(1e300) == most_of_all);
  const Distribution clipped{Normal{10, 100}, 5, 12};
  CHECK(clipped.at(0.1) == 5);
  CHECK(clipped.at(0.5) == 10);
  CHECK(clipped.largest() == 12);
  CHECK(unclipped(Lognormal{1, 1e12}).largest() == most_of_all);
  CHECK(unclipped(Lognormal{1, 1e12}).at(0.4) == 0);
  CHECK(unclipped(Pareto{1, 0.000001}).largest() == most_of_all);
}

TEST_CASE("draws are pinned: seed, block and warp give the same number on every machine and in every version")
{
  const Distribution all[] = {{Uniform{0, 999}, 0, most_of_all},
                              {Normal{500, 100}, 0, most_of_all},
                              {Lognormal{500, 1}, 0, most_of_all},
                              {Pareto{100, 1.5}, 0, most_of_all},
                              {Bimodal{1, 2, 0.5}, 0, most_of_all}};
  struct Row {
    std::uint64_t seed;
    std::uint64_t block;
    std::uint32_t warp;
    std::array<std::uint64_t, 5> draws;
  };
  const Row rows[] = {
      {1, 0, 0, {866, 611, 1519, 383, 2}},
      {1, 0, 1, {244, 431, 251, 121, 1}},
      {1, 1, 0, {263, 437, 266, 123, 1}},
      {2, 0, 0, {123, 384, 157, 109, 1}},
      {~0ULL, (1ULL << 40U) - 1, 31, {924, 643, 2095, 558, 2}},
      {12345, 678, 9, {712, 556, 876, 230, 2}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.seed);
    CAPTURE(row.block);
    CAPTURE(row.warp);
    for (std::size_t i = 0; i < std::size(all); ++i) {
      CAPTURE(i);
      CHECK(all[i].draw({row.seed, row.block, row.warp, 1U << 31U, 0}) == row.draws.at(i));
    }
  }
}

TEST_CASE("per block all warps of a block get one value, per warp each of every block its own")
{
  const std::string shape = "distribution: uniform, least: 0, most: 1000000000000";
  const Varying by_block = count_of("per: block, " + shape);
  const Varying by_warp = count_of("per: warp, " + shape);
  std::set<std::uint64_t> blocks;
  std::set<std::uint64_t> warps;
  for (std::uint64_t block = 0; block < 8; ++block) {
    blocks.insert(by_block.of(block, 0));
    for (std::uint32_t warp = 0; warp < 8; ++warp) {
      CHECK(by_block.of(block, warp) == by_block.of(block, 0));
      warps.insert(by_warp.of(block, warp));
    }
  }
  CHECK(blocks.size() == 8);
  CHECK(warps.size() == 64);
}

TEST_CASE("another seed or another place draws other numbers")
{
  const std::string shape = "per: block, distribution: uniform, least: 0, most: 1000000000000";
  CHECK(count_of(shape, 1).of(3, 0) != count_of(shape, 2).of(3, 0));
  const std::string loop = "  - loop: {count: {" + shape + "}, body: [nop]}\n";
  std::vector<Region> regions = kernel(8, 256, loop + loop).program.regions;
  seed_draws(regions, 1);
  CHECK(regions.at(0).count.of(3, 0) == count_of(shape, 1).of(3, 0));
  CHECK(regions.at(0).count.of(3, 0) != regions.at(1).count.of(3, 0));
}

TEST_CASE("the draws of a program's regions and of its instructions do not touch each other")
{
  const std::string drawn = "per: block, distribution: uniform, least: 0, most: 1000000000000";
  const std::string level = "{op: 'ld.global r1, [r2]', level: {l1: 0.5, dram: 0.5}}";
  const auto bound = [&](const std::string& count, const std::string& op) {
    Diagnostics diagnostics;
    const Workload w =
        kernel(8, 256, "  - loop: {count: " + count + ", body: [" + op + "]}\n  - " + level + "\n");
    return bind_program(w.program, test::arch("h100"), w.kernel, 9, diagnostics);
  };
  const BoundProgram plain = bound("{" + drawn + "}", "nop");
  CHECK(plain.regions.at(0).count.of(3, 0) == bound("{" + drawn + "}", level).regions.at(0).count.of(3, 0));
  CHECK(plain.ops.at(1).draw_site == bound("5", "nop").ops.at(1).draw_site);
  CHECK(plain.regions.at(0).count.site >= 3 * max_instructions);  // an instruction has at most three sites
}

TEST_CASE("a fraction is kept in 1 / 2^32, from 0 to 1")
{
  CHECK(fraction_of("per: warp, distribution: constant, value: 0.1").of(0, 0) == 429496730);
  CHECK(fraction_of("per: warp, distribution: normal, mean: 0.25, deviation: 0").of(0, 0) == whole / 4);
  CHECK(fraction_of("per: warp, distribution: lognormal, median: 0.1, sigma: 0").of(0, 0) == 429496730);
  const Varying wide = fraction_of("per: warp, distribution: normal, mean: 0.5, deviation: 1");
  std::set<std::uint64_t> seen;
  for (std::uint64_t block = 0; block < 100; ++block) {
    seen.insert(wide.of(block, 0));
    CHECK(wide.of(block, 0) <= whole);
  }
  CHECK(*seen.begin() == 0);
  CHECK(*seen.rbegin() == whole);
  CHECK(seen.size() > 20);
}

TEST_CASE("what a draw may be is known without drawing: a side with a barrier depends on it")
{
  const auto divides = [](const std::string& shape) {
    return fraction_of("per: warp, distribution: " + shape).may_be(1, whole - 1);
  };
  CHECK_FALSE(divides("constant, value: 0"));
  CHECK_FALSE(divides("constant, value: 1"));
  CHECK(divides("constant, value: 0.000001"));
  CHECK_FALSE(divides("bimodal, low: 0, high: 1, high_share: 0.5"));
  CHECK(divides("bimodal, low: 0, high: 0.5, high_share: 0.000001"));
  CHECK_FALSE(divides("bimodal, low: 0, high: 0.5, high_share: 0"));
  CHECK_FALSE(divides("bimodal, low: 0.5, high: 1, high_share: 1"));
  CHECK(divides("bimodal, low: 0, high: 1, high_share: 0.5, most: 0.9"));
  CHECK(divides("uniform, least: 0, most: 1"));
  CHECK_FALSE(divides("uniform, least: 1, most: 1"));
  CHECK(divides("normal, mean: 1, deviation: 0.1"));
  CHECK_FALSE(divides("normal, mean: 1, deviation: 0"));
  CHECK_FALSE(divides("normal, mean: 1, deviation: 0.1, least: 1"));
  CHECK(divides("lognormal, median: 1, sigma: 0.1"));
  CHECK_FALSE(divides("pareto, least: 1, alpha: 2"));
  CHECK(divides("pareto, least: 0.1, alpha: 2, most: 1"));
}

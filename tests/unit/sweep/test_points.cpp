// Which points a sweep has, and in which order.
#include "support/program.h"
#include "sweep/permutation.h"
#include "sweep/points.h"
#include "sweep/sweep_loader.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace smsim;

namespace {

Sweep sweep_of(const std::string& text)
{
  const std::string path =
      test::write_file(test::temporary_folder() + "/sweep.yaml",
                       "name: points\narch: h100\nworkload: latency_hiding\nset: {sms: 1}\n" + text);
  Diagnostics diagnostics;
  Sweep sweep = load_sweep(path, diagnostics);
  check_sweep_values(sweep, diagnostics);
  REQUIRE_MESSAGE(diagnostics.ok(), diagnostics.text());
  return sweep;
}

/// "32/100 32/200 ...": the axes' values of all points.
std::string points(const Sweep& sweep)
{
  std::string out;
  PointCursor cursor(sweep);
  for (std::uint64_t number = 0; const auto point = cursor.next(); ++number) {
    CHECK(point->number == number);
    out += out.empty() ? "" : " ";
    for (std::size_t i = 0; i < sweep.axes.size(); ++i)
      out += (i ? "/" : "") + flow_text(sweep.axes[i].value(point->places[i]));
  }
  return out;
}

/// One axis's numbers, point by point.
std::vector<double> numbers(const Sweep& sweep, std::size_t axis)
{
  std::vector<double> found;
  PointCursor cursor(sweep);
  while (const auto point = cursor.next())
    found.push_back(sweep.axes[axis].expression_value(point->places[axis]).number);
  return found;
}

const std::string two_axes = "axes:\n  sm.max_warps: [32, 64]\n  memory.l2.latency: [100, 200, 300]\n";

}  // namespace

TEST_CASE("a cross has every combination, the last axis fastest")
{
  const Sweep sweep = sweep_of(two_axes);
  CHECK(points(sweep) == "32/100 32/200 32/300 64/100 64/200 64/300");
  CHECK(count_points(sweep) == 6);
}

TEST_CASE("a zip takes the axes side by side")
{
  const Sweep sweep = sweep_of("sample: zip\naxes:\n  sm.max_warps: [32, 48, 64]\n  memory.l2.latency: "
                               "{range: [100, 300], step: 100}\n");
  CHECK(points(sweep) == "32/100 48/200 64/300");
}

TEST_CASE("what `when` excludes has no number, and the rest keep their order")
{
  const Sweep sweep =
      sweep_of(two_axes + "when:\n  - memory.l2.latency >= sm.max_warps * 3\n  - sm.max_warps < 64 or "
                          "memory.l2.latency != 200\n");
  CHECK(points(sweep) == "32/100 32/200 32/300 64/300");
  CHECK(count_points(sweep) == 4);
}

TEST_CASE("architectures are outermost, then workloads, the sample and, fastest, seeds")
{
  const std::string path =
      test::write_file(test::temporary_folder() + "/sweep.yaml",
                       "name: points\narch: [h100, a100]\nworkload: [vector_add, latency_hiding]\n"
                       "seeds: [7, 9]\naxes: {sm.max_warps: [32, 64]}\n");
  Diagnostics diagnostics;
  const Sweep sweep = load_sweep(path, diagnostics);
  REQUIRE(diagnostics.ok());
  std::string out;
  PointCursor cursor(sweep);
  while (const auto point = cursor.next())
    out += std::to_string(point->arch) + std::to_string(point->workload) +
           std::to_string(point->places[0].index) + std::to_string(point->seed) + " ";
  CHECK(out == "0007 0009 0017 0019 0107 0109 0117 0119 1007 1009 1017 1019 1107 1109 1117 1119 ");
}

TEST_CASE("a random sample's point depends on the sample's seed and its number alone")
{
  const std::string axes =
      "axes:\n  sm.max_warps: {range: [4, 64], step: 4}\n  memory.dram.latency: {log_range: [100, "
      "10000]}\n";
  const std::string five = points(sweep_of("sample: {random: 5}\n" + axes));
  const std::string fifty = points(sweep_of("sample: {random: 50}\n" + axes));
  CHECK(fifty.starts_with(five + " "));
  CHECK(points(sweep_of("sample: {random: 5, seed: 1}\n" + axes)) == five);
  CHECK(points(sweep_of("sample: {random: 5, seed: 2}\n" + axes)) != five);
  // Pinned: another machine draws the same.
  CHECK(five == "60/536 44/2232 16/188 52/188 16/122");
}

TEST_CASE("a random sample draws again what `when` excludes, and has as many points as it was asked for")
{
  const Sweep sweep =
      sweep_of("sample: {random: 200}\naxes: {sm.max_warps: {range: [4, 64], step: 4}}\nwhen: "
               "sm.max_warps > 48\n");
  const std::vector<double> warps = numbers(sweep, 0);
  CHECK(warps.size() == 200);
  CHECK(*std::min_element(warps.begin(), warps.end()) == 52);
  CHECK(std::set<double>(warps.begin(), warps.end()).size() == 4);
}

TEST_CASE("a random sample takes each value about as often as the others")
{
  const Sweep sweep = sweep_of("sample: {random: 4000}\naxes: {sm.max_warps: [16, 32, 48, 64]}\n");
  std::map<double, int> counts;
  for (const double warps : numbers(sweep, 0))
    ++counts[warps];
  for (const auto& [warps, count] : counts)
    CHECK(std::abs(count - 1000) < 110);  // 4 standard deviations
}

TEST_CASE("a Latin hypercube hits each of as many strata as there are points once, on every axis")
{
  const Sweep sweep =
      sweep_of("sample: {latin_hypercube: 100}\naxes:\n  memory.l2.latency: {range: [1, 100]}\n  "
               "memory.dram.latency: {range: [1, 100]}\n  sm.max_warps: {range: [4, 40], step: 4}\n");
  std::vector<double> l2 = numbers(sweep, 0);
  std::vector<double> dram = numbers(sweep, 1);
  CHECK(l2 != dram);
  CHECK_FALSE(std::is_sorted(l2.begin(), l2.end()));
  for (std::vector<double>* axis : {&l2, &dram}) {
    std::sort(axis->begin(), axis->end());
    for (std::size_t i = 0; i < axis->size(); ++i)
      CHECK((*axis)[i] == static_cast<double>(i + 1));
  }
  std::map<double, int> counts;
  for (const double warps : numbers(sweep, 2))
    ++counts[warps];
  CHECK(counts.size() == 10);
  for (const auto& [warps, count] : counts)
    CHECK(count == 10);
}

TEST_CASE("a permutation has every place once, whatever its size, and differs by seed and site")
{
  for (const std::uint64_t size : {1U, 2U, 3U, 17U, 256U, 1000U}) {
    std::set<std::uint64_t> seen;
    const Permutation permutation(size, 1, 0);
    for (std::uint64_t i = 0; i < size; ++i)
      seen.insert(permutation(i));
    CHECK(seen.size() == size);
    CHECK(*seen.rbegin() == size - 1);
  }
  const auto first = [](std::uint64_t seed, std::uint32_t site) {
    std::string out;
    for (std::uint64_t i = 0; i < 10; ++i)
      out += std::to_string(Permutation(1000, seed, site)(i)) + " ";
    return out;
  };
  CHECK(first(1, 0) != first(2, 0));
  CHECK(first(1, 0) != first(1, 1));
}

TEST_CASE("a derived key follows from axes, from keys of the base and from derived keys above it")
{
  const Sweep sweep =
      sweep_of("axes: {sm.max_warps: [32, 64]}\nderived:\n  sm.max_blocks: sm.max_warps / 2\n  "
               "register_file.registers: round_up(sm.max_blocks * 1000 + sm.sub_partitions, 256)\n");
  PointScope scope(sweep);
  PointCursor cursor(sweep);
  const auto point = cursor.next();
  scope.enter(*point);
  CHECK(scope.derived(0).number == 16);
  CHECK(scope.derived(1).number == 16128);
  CHECK(parameter_names(sweep) == std::vector<std::string>{"arch", "workload", "sm.max_warps",
                                                           "sm.max_blocks", "register_file.registers",
                                                           "seed"});
}

TEST_CASE("a fingerprint is of what is run: comments and layout do not change it, values and bases do")
{
  const auto print = [](const std::string& text) { return sweep_of(text).fingerprint; };
  const std::string plain = print("axes: {sm.max_warps: [32, 64]}\n");
  CHECK(print("# a comment\naxes:\n  sm.max_warps: [32, 64]  # and another\n") == plain);
  CHECK(print("description: a text\naxes: {sm.max_warps: [32, 64]}\n") == plain);
  CHECK(print("axes: {sm.max_warps: [64, 32]}\n") != plain);
  CHECK(print("seeds: 2\naxes: {sm.max_warps: [32, 64]}\n") != plain);
}

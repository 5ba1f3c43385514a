// The forms of an axis and the values that each stands for.
#include "base/text_file.h"
#include "config/yaml_reader.h"
#include "sweep/axis.h"

#include <doctest/doctest.h>

using namespace smsim;

namespace {

Axis axis(const std::string& text, bool drawn = false)
{
  Diagnostics diagnostics;
  const auto root = parse_yaml(make_source("sweep.yaml", "key: " + text), diagnostics);
  REQUIRE(root);
  Axis read = read_axis("key", {}, root->entries[0].value, drawn, diagnostics);
  CHECK_MESSAGE(diagnostics.ok(), diagnostics.text());
  return read;
}

/// All values of a short axis.
std::string values(const std::string& text)
{
  const Axis read = axis(text);
  std::string out;
  for (std::uint64_t i = 0; i < read.count(); ++i)
    out += (i ? " " : "") + flow_text(read.value({i, 0}));
  return out;
}

}  // namespace

TEST_CASE("a range has both ends and what lies a step apart between them")
{
  CHECK(values("{range: [3, 6]}") == "3 4 5 6");
  CHECK(values("{range: [200, 460], step: 50}") == "200 250 300 350 400 450");
  CHECK(values("{range: [0.5, 1], step: 0.25}") == "0.5 0.75 1");
  CHECK(values("{range: [8 KiB, 1 MiB], step: 504 KiB}") == "8 KiB 512 KiB 1016 KiB");
  CHECK(values("{range: [0%, 100%], step: 50%}") == "0% 50% 100%");
  CHECK(values("{range: [7, 7]}") == "7");
}

TEST_CASE("points of a range are evenly spaced and rounded to whole numbers or to the step")
{
  CHECK(values("{range: [0, 10], points: 5}") == "0 3 5 8 10");
  CHECK(values("{range: [0, 1000], points: 4, step: 100}") == "0 300 700 1000");
  CHECK(values("{range: [0.0, 0.1], points: 3}") == "0 0.05 0.1");
}

TEST_CASE("points of a log range have the same ratio, ends as they are written")
{
  CHECK(values("{log_range: [1, 1000], points: 4}") == "1 10 100 1000");
  CHECK(values("{log_range: [100, 10000], points: 5}") == "100 316 1000 3162 10000");
  CHECK(values("{log_range: [100, 10000], points: 5, step: 4}") == "100 316 1000 3164 10000");
  CHECK(values("{log_range: [8 KiB, 128 KiB], points: 3}") == "8 KiB 32 KiB 128 KiB");
}

TEST_CASE("powers of two double from end to end")
{
  CHECK(values("{powers_of_two: [16, 128]}") == "16 32 64 128");
  CHECK(values("{powers_of_two: [512 B, 2 KiB]}") == "512 B 1 KiB 2 KiB");
}

TEST_CASE("a list holds whatever a key takes: texts, lists, maps")
{
  CHECK(values("[gto, [0 B, 8 KiB], {latency: 3, interval: 4}]") ==
        "gto [0 B, 8 KiB] {latency: 3, interval: 4}");
}

TEST_CASE("expressions see numbers as numbers: sizes as bytes, percentages as their number, else the text")
{
  const Axis read = axis("[8 KiB, 50%, 12.5, gto, \"3\"]");
  const auto number = [&](std::uint64_t i) { return read.expression_value({i, 0}).number; };
  CHECK(number(0) == 8192);
  CHECK(number(1) == 50);
  CHECK(number(2) == 12.5);
  CHECK(*read.expression_value({3, 0}).text == "gto");
  CHECK(*read.expression_value({4, 0}).text == "3");
  CHECK(axis("{range: [1 KiB, 4 KiB], step: 1 KiB}").expression_value({2, 0}).number == 3072);
}

TEST_CASE("a range of a million million values takes no room")
{
  const Axis read = axis("{range: [1, 1000000000000]}");
  CHECK(read.count() == 1'000'000'000'000U);
  CHECK(read.value({999'999'999'999U, 0}).text == "1000000000000");
  CHECK(read.items.empty());
}

TEST_CASE("a draw takes each value of an axis with the same probability, of a log range each factor")
{
  const Axis list = axis("[a, b, c, d]");
  CHECK(list.place_of_draw(0.01).index == 0);
  CHECK(list.place_of_draw(0.2501).index == 1);
  CHECK(list.place_of_draw(0.999999).index == 3);
  const Axis log = axis("{log_range: [100, 10000]}", true);
  CHECK(log.count() == 0);
  CHECK(log.value(log.place_of_draw(0.5)).text == "1000");
  CHECK(log.value(log.place_of_draw(0.25)).text == "316");
  CHECK(log.expression_value(log.place_of_draw(0.5)).number == 1000);
}

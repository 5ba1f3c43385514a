// The arithmetic of sweep files.
#include "sweep/expression.h"

#include <doctest/doctest.h>

#include <map>

using namespace smsim;

namespace {

const std::string policy = "gto";
const std::map<std::string, ExpressionValue> known{{"sm.max_warps", {64, nullptr, false}},
                                                   {"registers", {65536, nullptr, false}},
                                                   {"scheduler.policy", {0, &policy, false}},
                                                   {"failed", {0, nullptr, true}}};

Expression parsed(const std::string& text)
{
  Diagnostics diagnostics;
  Expression expression = Expression::parse(text, {}, "", diagnostics);
  CHECK_MESSAGE(diagnostics.ok(), diagnostics.text());
  return expression;
}

std::vector<ExpressionValue> values_for(const Expression& expression)
{
  std::vector<ExpressionValue> values;
  for (const auto& name : expression.names())
    values.push_back(known.at(name.name));
  return values;
}

double value(const std::string& text)
{
  const Expression expression = parsed(text);
  return expression.evaluate(values_for(expression)).number;
}

bool holds(const std::string& text)
{
  const Expression expression = parsed(text);
  return expression.holds(values_for(expression));
}

}  // namespace

TEST_CASE("products bind before sums, sums before comparisons, comparisons before not, and, or")
{
  CHECK(value("2 + 3 * 4 - 6 / 2") == 11);
  CHECK(value("(2 + 3) * 4") == 20);
  CHECK(value("10 - 3 - 2") == 5);
  CHECK(value("-2 * -3") == 6);
  CHECK(value("17 % 5 + 0.5") == 2.5);
  CHECK(holds("1 + 1 == 2 and 2 * 2 > 3"));
  CHECK(holds("1 == 2 or 2 == 2 and 3 == 3"));
  CHECK_FALSE(holds("(1 == 2 or 2 == 2) and 3 == 4"));
  CHECK(holds("not 1 == 2 and not (2 < 1 or 3 != 3)"));
}

TEST_CASE("names stand for values, sizes for bytes, quoted words for texts")
{
  CHECK(value("registers / sm.max_warps / 32") == 32);
  CHECK(value("48 KiB + 1MiB + 3 B") == 48 * 1024 + 1024 * 1024 + 3);
  CHECK(holds("scheduler.policy == 'gto' and scheduler.policy != \"lrr\""));
  CHECK_FALSE(holds("scheduler.policy == 3"));
}

TEST_CASE("functions round to whole numbers and to units")
{
  CHECK(value("min(3, 2) + max(3, 2)") == 5);
  CHECK(value("floor(2.7) + ceil(2.2) + round(2.5)") == 8);
  CHECK(value("round_up(1057, 256)") == 1280);
  CHECK(value("round_down(1057, 256)") == 1024);
  CHECK(value("min(max(1, 5), round_up(3, 2))") == 4);
}

TEST_CASE("a comparison with a result that a failed point does not have is false, whichever it is")
{
  CHECK_FALSE(holds("failed < 5"));
  CHECK_FALSE(holds("failed >= 5"));
  CHECK_FALSE(holds("failed == failed"));
  CHECK_FALSE(holds("failed + 1 > 0"));
  CHECK(holds("failed > 0 or sm.max_warps == 64"));
}

TEST_CASE("and, or end early, so that a condition can guard a division")
{
  CHECK_FALSE(holds("sm.max_warps != 64 and 1 / (sm.max_warps - 64) > 0"));
  CHECK(holds("sm.max_warps == 64 or 1 / (sm.max_warps - 64) > 0"));
}

TEST_CASE("what cannot be worked out says why")
{
  CHECK_THROWS_WITH_AS(value("1 / (sm.max_warps - 64)"), "division by zero", ExpressionError);
  CHECK_THROWS_WITH_AS(holds("scheduler.policy > 3"), "'gto' is not a number", ExpressionError);
  CHECK_THROWS_WITH_AS(holds("scheduler.policy"), "'gto' is not a number", ExpressionError);
  CHECK_THROWS_AS(value("round_up(3, 0)"), ExpressionError);
}

TEST_CASE("each name is asked for once, in the order of the text")
{
  const Expression expression = parsed("b.c + a * b.c - a.b.c");
  std::vector<std::string> names;
  for (const auto& name : expression.names())
    names.push_back(name.name);
  CHECK(names == std::vector<std::string>{"b.c", "a", "a.b.c"});
}

TEST_CASE("an expression of any depth ends in an answer or in an error, never in the stack's end")
{
  for (const char* open : {"(", "-", "not ", "min("}) {
    std::string text;
    for (int i = 0; i < 50'000; ++i)
      text += open;
    Diagnostics diagnostics;
    Expression::parse(text, {}, "", diagnostics);
    CHECK(diagnostics.count() == 1);
  }
}

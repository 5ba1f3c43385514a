#include "base/diagnostics.h"
#include "base/text_file.h"

#include <doctest/doctest.h>

using namespace smsim;

TEST_CASE("errors are told in the order of file, line and column, whatever the order they were found in")
{
  const auto a = make_source("a.yaml", "one: 1\ntwo: 2\n");
  const auto b = make_source("b.yaml", "three: 3\n");
  Diagnostics diagnostics;
  diagnostics.error({b, 1, 8}, "three", "third");
  diagnostics.error({a, 2, 6}, "two", "second", "allowed: 3");
  diagnostics.error({a, 2, 1}, "", "first");
  diagnostics.error({a, 0, 0}, "", "about the whole file");
  CHECK_FALSE(diagnostics.ok());
  CHECK(diagnostics.count() == 4);
  CHECK(diagnostics.text() == "a.yaml: about the whole file\n"
                              "a.yaml:2:1: first\n"
                              "    2 | two: 2\n"
                              "      | ^\n"
                              "a.yaml:2:6: two: second; allowed: 3\n"
                              "    2 | two: 2\n"
                              "      |      ^\n"
                              "b.yaml:1:8: three: third\n"
                              "    1 | three: 3\n"
                              "      |        ^\n");
}

TEST_CASE(
    "the caret stands below its character, behind tabs, letters of any script and beyond the line's end")
{
  const auto source = make_source("f", "\tsm:\tx\nGr\xC3\xB6\xC3\x9F"
                                       "e: x\nshort\n" +
                                           std::string(12'345 - 4, '\n') + "last\n");
  const auto told = [&](int line, int column) {
    Diagnostics diagnostics;
    diagnostics.error({source, line, column}, "", "here");
    return diagnostics.text();
  };
  CHECK(told(1, 6) == "f:1:6: here\n    1 | \tsm:\tx\n      | \t   \t^\n");
  CHECK(told(2, 10) == "f:2:8: here\n    2 | Gr\xC3\xB6\xC3\x9F"
                       "e: x\n      |        ^\n");
  CHECK(told(3, 90) == "f:3:90: here\n    3 | short\n      |      ^\n");
  CHECK(told(12'345, 1) == "f:12345:1: here\n12345 | last\n      | ^\n");
  CHECK(told(99'999, 1) == "f:99999:1: here\n");
}

TEST_CASE("a long line is cut to the part around the place, between characters")
{
  std::string line;
  for (int i = 0; i < 100; ++i)
    line += "\xC3\xB6\xC3\xA4\xC3\xBC"
            "x";
  const auto source = make_source("f", line);
  for (int column = 1; column <= static_cast<int>(line.size()); ++column) {
    Diagnostics diagnostics;
    diagnostics.error({source, 1, column}, "", "here");
    const std::string text = diagnostics.text();
    CHECK(find_invalid_utf8(text) == std::string::npos);
    CHECK(text.size() < 400);
  }
}

TEST_CASE("control characters of a source line do not reach the terminal")
{
  const auto source = make_source("f", "a\x1B[31m: b");
  Diagnostics diagnostics;
  diagnostics.error({source, 1, 1}, "", "here");
  CHECK(diagnostics.text().find('\x1B') == std::string::npos);
}

TEST_CASE("the same error at the same place is told once, and no more than a hundred are told")
{
  const auto source = make_source("f", "x\n");
  Diagnostics diagnostics;
  for (int i = 0; i < 5; ++i)
    diagnostics.error({source, 1, 1}, "", "the same");
  CHECK(diagnostics.text() == "f:1:1: the same\n    1 | x\n      | ^\n");
  for (int i = 0; i < 100; ++i)
    diagnostics.error({source, 0, 0}, "", "number " + std::to_string(i));
  CHECK(diagnostics.text().find("f: number 99\n") != std::string::npos);
  CHECK(diagnostics.text().ends_with("\nand 1 more error\n"));
  diagnostics.error({source, 0, 0}, "", "one more");
  CHECK(diagnostics.text().ends_with("\nand 2 more errors\n"));
}

TEST_CASE("errors are thrown as one text")
{
  Diagnostics diagnostics;
  throw_if_errors(diagnostics);
  diagnostics.error({}, "key", "wrong");
  CHECK_THROWS_WITH_AS(throw_if_errors(diagnostics), "key: wrong\n", InputError);
}

#include "base/numbers.h"

#include <doctest/doctest.h>

#include <vector>

using namespace smsim;

TEST_CASE("a whole number is plain decimal digits and nothing else")
{
  CHECK(parse_integer("0") == 0);
  CHECK(parse_integer("7") == 7);
  CHECK(parse_integer("65536") == 65536);
  CHECK(parse_integer("18446744073709551615") == 18446744073709551615U);
  for (const char* text :
       {"", " ", "00", "010", "-1", "+1", "1 ", " 1", "1.0", "1e3", "0x10", "1_000", "1,000", "48abc",
        "18446744073709551616", "99999999999999999999999", "none", "~", "\xC2\xB2"})
    CHECK_MESSAGE(!parse_integer(text), text);
}

TEST_CASE("a size is a whole number of B, KiB or MiB")
{
  CHECK(parse_size("0") == 0);
  CHECK(parse_size("100") == 100);
  CHECK(parse_size("100 B") == 100);
  CHECK(parse_size("48KiB") == 48 * 1024);
  CHECK(parse_size("228 KiB") == 228 * 1024);
  CHECK(parse_size("1   MiB") == 1024 * 1024);
  CHECK(parse_size("17592186044415 MiB") == 17592186044415U * 1024 * 1024);
  for (const char* text :
       {"", "KiB", "48KB", "48 kib", "48 kB", "48 K", "48 k", "1 GiB", "1.5 KiB", "-1", "-1 KiB", "010 KiB",
        "1e3", "48 KiB ", " 48 KiB", "48\tKiB", "17592186044416 MiB", "18446744073709551616"})
    CHECK_MESSAGE(!parse_size(text), text);
}

TEST_CASE("a decimal is exact, to a given number of places")
{
  CHECK(parse_decimal("12.8", 3) == 12800);
  CHECK(parse_decimal("0", 3) == 0);
  CHECK(parse_decimal("0.001", 3) == 1);
  CHECK(parse_decimal("0.3", 1) == 3);
  CHECK(parse_decimal("12.8000", 3) == 12800);
  CHECK(parse_decimal("1000000000000", 6) == 1000000000000000000U);
  for (const char* text : {"", ".", ".5", "5.", "12.3456", "-1.5", "+1.5", "01.5", "1e3", "1.5e3", "1,5",
                           "1.2.3", "1.-5", "1. 5", "inf", "nan", "1000000000001"})
    CHECK_MESSAGE(!parse_decimal(text, 3), text);
}

TEST_CASE("sizes and decimals are written in the shortest exact form, which reads back")
{
  CHECK(size_text(0) == "0 B");
  CHECK(size_text(100) == "100 B");
  CHECK(size_text(1025) == "1025 B");
  CHECK(size_text(228 * 1024) == "228 KiB");
  CHECK(size_text(2 * 1024 * 1024) == "2 MiB");
  CHECK(size_text(1536 * 1024) == "1536 KiB");
  CHECK(decimal_text(12800, 3) == "12.8");
  CHECK(decimal_text(12000, 3) == "12");
  CHECK(decimal_text(1, 3) == "0.001");
  CHECK(decimal_text(0, 3) == "0");
  CHECK(decimal_text(42, 0) == "42");
  for (const std::uint64_t value :
       std::vector<std::uint64_t>{0, 1, 10, 999, 1000, 1001, 1024, 123456, 1048576, 1000000001}) {
    CHECK(parse_size(size_text(value)) == value);
    CHECK(parse_decimal(decimal_text(value, 3), 3) == value);
  }
}

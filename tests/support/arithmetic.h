// Arithmetic as documents write it, so that a test can work it out again.
#pragma once

#include <string>

namespace smsim::test {

/// Whether `text` is numbers, + - x / ( ) and %, and has an equals sign: "20 / 32 = 62.5 %".
bool is_equation(const std::string& text);

/// Whether all sides are equal, to the last digit that a side of one number shows.
bool equation_holds(const std::string& text);

}  // namespace smsim::test

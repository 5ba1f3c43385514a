#include "support/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace smsim::test {
namespace {

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  double whole()
  {
    const double value = sum();
    if (next() != '\0') throw std::invalid_argument("not arithmetic: " + text_);
    return value;
  }

 private:
  char next()
  {
    while (at_ < text_.size() && text_[at_] == ' ')
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool took(char c)
  {
    if (next() != c) return false;
    ++at_;
    return true;
  }

  double sum()
  {
    double value = product();
    for (;;) {
      if (took('+'))
        value += product();
      else if (took('-'))
        value -= product();
      else
        return value;
    }
  }

  double product()
  {
    double value = factor();
    for (;;) {
      if (took('x'))
        value *= factor();
      else if (took('/'))
        value /= factor();
      else
        return value;
    }
  }

  double factor()
  {
    if (took('(')) {
      const double value = sum();
      if (!took(')')) throw std::invalid_argument("not arithmetic: " + text_);
      return value;
    }
    next();
    const char* begin = text_.c_str() + at_;
    char* end = nullptr;
    const double value = std::strtod(begin, &end);
    if (end == begin) throw std::invalid_argument("not arithmetic: " + text_);
    at_ += static_cast<std::size_t>(end - begin);
    return took('%') ? value / 100 : value;
  }

  const std::string text_;
  std::size_t at_ = 0;
};

/// Half of the last digit of a side that is one number; else nothing but rounding of doubles.
double tolerance(const std::string& side)
{
  if (side.find_first_of("+-x/(") != std::string::npos) return 1e-9;
  const std::size_t point = side.find('.');
  const std::size_t digits = point == std::string::npos ? 0 : side.find_last_of("0123456789") - point;
  return 0.5001 * std::pow(10.0, -static_cast<double>(digits)) *
         (side.find('%') != std::string::npos ? 0.01 : 1.0);
}

}  // namespace

bool is_equation(const std::string& text)
{
  return text.find_first_not_of("0123456789.+-x/()%= ") == std::string::npos &&
         text.find_first_of("0123456789") != std::string::npos && text.find('=') != std::string::npos;
}

bool equation_holds(const std::string& text)
{
  std::vector<std::string> sides;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find('=', from), text.size());
    sides.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  for (const std::string& side : sides)
    if (std::abs(Reader(side).whole() - Reader(sides.front()).whole()) >
        tolerance(side) + tolerance(sides.front()))
      return false;
  return true;
}

}  // namespace smsim::test

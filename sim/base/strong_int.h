// Integers that do not mix: a cycle is not a warp slot, a warp slot is not a block number.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace smsim {

/// An integer with a meaning. Two values with the same tag compare; their difference is a plain integer,
/// and a plain integer may be added. Nothing else converts: `value()` is the way out.
template <class Tag, class Rep>
class StrongInt {
 public:
  using rep = Rep;

  constexpr StrongInt() = default;
  constexpr explicit StrongInt(Rep value) : value_(value) {}

  [[nodiscard]] constexpr Rep value() const { return value_; }

  friend constexpr auto operator<=>(StrongInt, StrongInt) = default;
  friend constexpr StrongInt operator+(StrongInt a, Rep n) { return StrongInt(a.value_ + n); }
  friend constexpr Rep operator-(StrongInt a, StrongInt b) { return a.value_ - b.value_; }
  constexpr StrongInt& operator+=(Rep n)
  {
    value_ += n;
    return *this;
  }
  constexpr StrongInt& operator++()
  {
    ++value_;
    return *this;
  }

 private:
  Rep value_ = 0;
};

}  // namespace smsim

// A random order of 0 to n - 1 as a pure function of the place: a Feistel network over the next power of
// four, walked until it lands below n. Nothing is kept, however large n is.
#pragma once

#include "base/random.h"

#include <cstdint>

namespace smsim {

class Permutation {
 public:
  /// Different `site`s give independent orders.
  Permutation(std::uint64_t size, std::uint64_t seed, std::uint32_t site)
      : size_(size), seed_(seed), site_(site)
  {
    while (half_bits_ < 31 && (std::uint64_t{1} << (2 * half_bits_)) < size)
      ++half_bits_;
  }

  /// What stands at `place`, below the size.
  std::uint64_t operator()(std::uint64_t place) const
  {
    do
      place = round_trip(place);
    while (place >= size_);
    return place;
  }

 private:
  [[nodiscard]] std::uint64_t round_trip(std::uint64_t value) const
  {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t left = value >> half_bits_;
    std::uint64_t right = value & mask;
    for (std::uint32_t round = 0; round < rounds; ++round) {
      const std::uint64_t mixed = left ^ (draw_u32({seed_, right, round + 1, site_, 0}) & mask);
      left = right;
      right = mixed;
    }
    return (left << half_bits_) | right;
  }

  static constexpr std::uint32_t rounds = 6;
  std::uint64_t size_;
  std::uint64_t seed_;
  std::uint32_t site_;
  unsigned half_bits_ = 1;
};

}  // namespace smsim

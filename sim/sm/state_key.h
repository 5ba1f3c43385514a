// All that the future of a machine depends on, as bytes: two machines with the same key go on alike. Times
// count from the present cycle; what is past is 0, since nobody asks how long ago.
#pragma once

#include "base/ids.h"

#include <algorithm>
#include <string>

namespace smsim {

class StateKey {
 public:
  explicit StateKey(Cycle now) : now_(now) {}

  void number(std::uint64_t value)
  {
    for (; value >= 128; value >>= 7U)
      bytes_.push_back(static_cast<char>(128U | (value & 127U)));
    bytes_.push_back(static_cast<char>(value));
  }
  void time(Cycle when) { number(std::max(when, now_) - now_); }
  void text(const std::string& bytes)
  {
    number(bytes.size());
    bytes_ += bytes;
  }

  [[nodiscard]] Cycle now() const { return now_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  Cycle now_;
  std::string bytes_;
};

}  // namespace smsim

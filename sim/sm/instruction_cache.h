// A sub-partition's instruction cache: lines of instructions, least recently used. Asked when a warp's next
// instruction is in another line than its last one; answers when that can be issued. It has no bandwidth.
//
// A warp keeps the line that it is in, whoever replaces it meanwhile. A line that is on its way serves all
// that ask for it.
#pragma once

#include "base/ids.h"
#include "config/arch_config.h"
#include "sm/state_key.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace smsim {

class InstructionCache {
 public:
  explicit InstructionCache(const InstructionSupplyConfig& config)
      : per_line_(config.line_instructions), miss_latency_(config.miss_latency),
        lines_(config.lines.value_or(0))
  {
  }

  [[nodiscard]] bool modelled() const { return !lines_.empty(); }
  [[nodiscard]] bool same_line(std::uint32_t a, std::uint32_t b) const
  {
    return a / per_line_ == b / per_line_;
  }

  /// The instruction at `pc` is wanted from `at` on; the answer is when it is there.
  Cycle fetch(std::uint32_t pc, Cycle at)
  {
    const std::uint64_t tag = pc / per_line_ + 1U;  // 0 is no line
    const auto found =
        std::find_if(lines_.begin(), lines_.end(), [&](const Line& line) { return line.tag == tag; });
    if (found != lines_.end()) {
      found->used = ++clock_;
      return std::max(at, found->filled);
    }
    Line& oldest = *std::min_element(lines_.begin(), lines_.end(),
                                     [](const Line& a, const Line& b) { return a.used < b.used; });
    oldest = {tag, ++clock_, at + miss_latency_};
    return oldest.filled;
  }

  /// The lines in the order of their last uses.
  void append_to(StateKey& key) const
  {
    std::vector<Line> lines = lines_;
    std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.used < b.used; });
    for (const Line& line : lines) {
      key.number(line.tag);
      key.time(line.filled);
    }
  }

 private:
  struct Line {
    std::uint64_t tag = 0;
    std::uint64_t used = 0;
    Cycle filled{0};
  };
  std::uint32_t per_line_;
  std::uint32_t miss_latency_;
  std::vector<Line> lines_;
  std::uint64_t clock_ = 0;
};

}  // namespace smsim

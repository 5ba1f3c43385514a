// How a warp of the plain engine goes through its program.
#include "engine/plain_sm.h"

namespace smsim {

bool PlainSm::holds_instruction(const PlainWarp& warp, std::uint32_t position, std::uint32_t end) const
{
  while (position < end) {
    bool skipped = false;
    for (const Loop& loop : in_.program.loops) {
      if (loop.begin != position || loop.end > end) continue;
      if (loop.count.of(warp.block.value(), warp.warp_in_block) > 0) continue;
      position = loop.end;
      skipped = true;
      break;
    }
    if (!skipped) return true;
  }
  return false;
}

void PlainSm::go_to(PlainWarp& warp, std::uint32_t position)
{
  const std::vector<Loop>& loops = in_.program.loops;
  std::size_t next_loop = 0;  // of those that begin at `position`, the first not yet entered
  while (true) {
    if (!warp.loops.empty() && loops[warp.loops.back().loop].end == position) {
      PlainLoop& innermost = warp.loops.back();
      next_loop = 0;
      if (--innermost.left == 0) {
        warp.loops.pop_back();
      } else {
        position = loops[innermost.loop].begin;
        next_loop = innermost.loop + 1;
      }
      continue;
    }
    while (next_loop < loops.size() && loops[next_loop].begin != position)
      ++next_loop;
    if (next_loop == loops.size()) break;
    const Loop& loop = loops[next_loop];
    const std::uint64_t count = loop.count.of(warp.block.value(), warp.warp_in_block);
    if (count == 0 || !holds_instruction(warp, loop.begin, loop.end)) {
      position = loop.end;
      next_loop = 0;
    } else {
      warp.loops.push_back({static_cast<std::uint32_t>(next_loop), count});
      ++next_loop;
    }
  }
  warp.pc = position;
}

}  // namespace smsim

#include "sm/program_walk.h"

namespace smsim {

void go_to(Warp& warp, const BoundProgram& program, std::uint32_t position)
{
  const std::vector<Loop>& loops = program.loops;
  std::uint32_t fresh = 0;  // bit d: frame d was entered or repeated in this call
  bool moved = true;
  while (moved) {
    moved = false;
    std::uint32_t first = program.first_loop_from[position];
    while (warp.depth > 0 && loops[warp.frames[warp.depth - 1].loop].end == position) {
      const std::uint32_t frame_bit = 1U << (warp.depth - 1);
      LoopFrame& frame = warp.frames[warp.depth - 1];
      if ((fresh & frame_bit) == 0 && ++frame.iteration < frame.count) {
        fresh |= frame_bit;
        position = loops[frame.loop].begin;
        first = frame.loop + 1;
        break;
      }
      fresh &= ~frame_bit;
      --warp.depth;
    }
    for (std::uint32_t i = first; i < loops.size() && loops[i].begin == position; ++i) {
      const std::uint64_t count = loops[i].count.of(warp.block.value(), warp.warp_in_block);
      if (count == 0) {
        position = loops[i].end;
        moved = true;
        break;
      }
      fresh |= 1U << warp.depth;
      warp.frames[warp.depth++] = {i, 0, count};
    }
  }
  warp.pc = position;
}

}  // namespace smsim

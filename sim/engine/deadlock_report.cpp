#include "engine/run_plan.h"

#include <algorithm>
#include <utility>

namespace smsim {
namespace {

constexpr std::size_t most_warps_in_report = 64;

}  // namespace

std::string deadlock_report(const RunPlan& plan, Cycle now,
                            const std::vector<std::vector<WarpReport>>& warps_by_sm)
{
  const BoundProgram& program = plan.inputs.program;
  std::string text = "deadlock at cycle " + std::to_string(now.value()) + ": no warp can ever issue again\n";
  std::size_t listed = 0;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < warps_by_sm.size(); ++i) {
    std::vector<WarpReport> warps = warps_by_sm[i];
    std::sort(warps.begin(), warps.end(), [](const WarpReport& a, const WarpReport& b) {
      return std::pair(a.block, a.warp_in_block) < std::pair(b.block, b.warp_in_block);
    });
    for (const WarpReport& warp : warps) {
      if (listed >= most_warps_in_report) {
        ++left_out;
        continue;
      }
      ++listed;
      text += "  SM " + std::to_string(i) + " sub-partition " + std::to_string(warp.sub_partition) +
              " block " + std::to_string(warp.block.value()) + " warp " + std::to_string(warp.warp_in_block) +
              ": " + warp.state;
      // At a barrier the program counter is already behind it.
      const std::uint32_t at = warp.pc > 0 && warp.state.starts_with("barrier") ? warp.pc - 1 : warp.pc;
      if (warp.state != "exited" && at < program.ops.size()) {
        const Mark& mark = program.marks[at];
        if (mark.source)
          text +=
              " (" + mark.source->name + ":" + std::to_string(mark.line) + ": " + program.mnemonics[at] + ")";
      }
      text += "\n";
    }
  }
  if (left_out > 0) text += "  and " + std::to_string(left_out) + " more warps\n";
  return text;
}

}  // namespace smsim

#include "support/traces.h"

#include "base/random.h"
#include "support/program.h"

#include <algorithm>

namespace smsim::test {

std::string TraceText::text() const
{
  std::string out = "-kernel name = test_kernel\n-kernel id = 1\n-grid dim = " + grid +
                    "\n-block dim = " + block + "\n-shmem = " + shared + "\n-nregs = " + registers +
                    "\n-binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x00007f6300000000\n"
                    "-local mem base_addr = 0x00007f6200000000\n-nvbit version = 1.7\n";
  if (!version.empty()) out += "-accelsim tracer version = " + version + "\n";
  if (line_numbers) out += "-enable lineinfo = 1\n";
  out += "#traces format = PC mask ...\n";
  auto all = blocks;
  if (all.empty()) all.push_back({"0,0,0", warps});
  for (const auto& [place, lines] : all) {
    out += "#BEGIN_TB\nthread block = " + place + "\n";
    for (std::size_t warp = 0; warp < lines.size(); ++warp)
      out += "warp = " + std::to_string(warp) +
             "\ninsts = " + std::to_string(std::count(lines[warp].begin(), lines[warp].end(), '\n')) + "\n" +
             lines[warp];
    out += "#END_TB\n";
  }
  return out;
}

Workload load(const TraceText& text)
{
  const std::string folder = temporary_folder();
  write_file(folder + "/test.traceg", text.text());
  Diagnostics diagnostics;
  Workload workload = load_workload(folder + "/test.traceg", {}, diagnostics);
  throw_if_errors(diagnostics);
  return workload;
}

TraceText random_trace(std::uint64_t number)
{
  std::uint64_t drawn = 0;
  const auto below = [&](std::uint64_t limit) { return draw_u32({number, 0, 0, 77, drawn++}) % limit; };
  const auto reg = [&] { return " R" + std::to_string(below(12)); };
  TraceText trace;
  const std::uint64_t blocks = 1 + below(5);
  const std::uint64_t warps = 1 + below(4);
  trace.grid = "(" + std::to_string(blocks) + ",1,1)";
  trace.block = "(" + std::to_string(32 * warps) + ",1,1)";
  const std::uint64_t barriers = below(3);
  for (std::uint64_t block = 0; block < blocks; ++block) {
    std::vector<std::string> lines;
    for (std::uint64_t warp = 0; warp < warps; ++warp) {
      std::string text;
      const auto line = [&](const std::string& words) {
        static const char* const masks[] = {"ffffffff", "0000ffff", "00000001", "80000001", "00000000"};
        text += "00" + std::string(1, "0123456789abcdef"[below(16)]) + "0 " + masks[below(5)] + " " + words +
                "\n";
      };
      for (std::uint64_t part = 0; part <= barriers; ++part) {
        for (std::uint64_t i = below(12); i > 0; --i) {
          const std::string place =
              " 4 1 0x7f70000" + std::to_string(100 + 32 * below(20)) + "0 " + std::to_string(4 * below(40));
          switch (below(6)) {
          case 0:
            line("1" + reg() + " LDG.E 1" + reg() + place);
            break;
          case 1:
            line("0 STG.E 2" + reg() + reg() + place);
            break;
          case 2:
            line("1" + reg() + " LDS 1" + reg() + " 4 1 0x" + std::to_string(10 * below(9)) + " " +
                 std::to_string(4 * below(9)));
            break;
          case 3:
            line("1" + reg() + " MUFU.RCP 1" + reg() + " 0");
            break;
          case 4:
            line("0 BRA 0 0");
            break;
          default:
            line("1" + reg() + " FFMA 3" + reg() + reg() + reg() + " 0");
          }
        }
        if (part < barriers) text += "0100 ffffffff 0 BAR.SYNC 0 0\n";
      }
      lines.push_back(text);
    }
    trace.blocks.emplace_back(std::to_string(block) + ",0,0", lines);
  }
  return trace;
}

}  // namespace smsim::test

// smsim timeline WORKLOAD --arch ... --cycles A:B
#include "run_setup.h"
#include "trace/timeline.h"
#include "trace_options.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <numeric>

namespace smsim::cli {
namespace {

constexpr std::uint64_t usual_cycles = 200;
constexpr std::uint64_t most_cycles = 100'000;

/// The columns of the terminal, or of a page where there is none.
std::uint32_t width_of(const OptionParser& parser)
{
  if (parser.has("width")) return static_cast<std::uint32_t>(parser.integer("width", 40, 1'000'000));
  winsize size{};
  const bool to_terminal = parser.text("output").empty() && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return to_terminal && size.ws_col >= 40 ? size.ws_col : 120;
}

/// As https://no-color.org has it.
bool wants_colour(const OptionParser& parser)
{
  const std::string when = parser.word("color", {"auto", "always", "never"});
  if (when != "auto") return when == "always";
  const char* const no_color = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe)
  return parser.text("output").empty() && ::isatty(STDOUT_FILENO) == 1 && !(no_color && *no_color);
}

TimelineChoice read_choice(const OptionParser& parser, const ArchConfig& arch, std::uint32_t sms)
{
  TimelineChoice choice;
  choice.sm = static_cast<std::uint32_t>(parser.integer("sm", 0, sms - 1));
  if (parser.text("sub-partition") == "all") {
    choice.sub_partitions.resize(arch.sm.sub_partitions);
    std::iota(choice.sub_partitions.begin(), choice.sub_partitions.end(), 0);
  } else {
    choice.sub_partitions =
        read_numbers(parser, "sub-partition", arch.sm.sub_partitions, "sub-partitions of an SM");
  }
  if (parser.has("warps"))
    choice.slots =
        read_numbers(parser, "warps", arch.warps_per_sub_partition(), "warp slots of a sub-partition");
  CycleWindow window = read_cycles(parser, "cycles");
  if (window.until == never.value() && window.from < never.value() - usual_cycles)
    window.until = window.from + usual_cycles;
  if (window.until - window.from > most_cycles)
    parser.fail("--cycles: " + parser.text("cycles") + " are more than " + std::to_string(most_cycles) +
                " cycles; `smsim run --trace FILE` writes whole runs for a viewer");
  choice.from = Cycle{window.from};
  choice.until = Cycle{window.until};
  return choice;
}

}  // namespace

int run_timeline(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "timeline", "timeline WORKLOAD [OPTIONS]",
      "Draws what the warps of an SM did, cycle by cycle: one row a warp, one column a cycle, a letter for "
      "each\n"
      "state; above them which warp slot its scheduler let issue, and where blocks and barriers begin and "
      "end.\n"
      "Columns that are alike are folded. WORKLOAD is a shipped name or a YAML file.",
      "  smsim timeline latency_hiding --arch a100 --sms 1\n"
      "  smsim timeline tiled_matmul --arch h100 --cycles 1000:1200 --sub-partition all\n"
      "  smsim timeline tiled_matmul --arch h100 --cycles 500:700 --warps 0-3 --policy lrr\n"
      "  smsim timeline my_kernel.yaml --arch my_sm.yaml --format svg --output timeline.svg\n");
  const auto text = [] { return po::value<std::string>(); };
  add_run_options(parser);
  parser.options.add_options()("cycles", text(), "A:B: the cycles from A to before B (default: 0:200)")(
      "sm", text()->default_value("0"), "the SM")("sub-partition", text()->default_value("0"),
                                                  "its sub-partitions: 0, 0-3 or all")(
      "warps", text(), "warp slots of each sub-partition, such as 0-3 (default: all)")(
      "fold", text()->default_value("16"), "fold so many cycles in which nothing changes; 0: never")(
      "width", text(), "columns of a line (default: the terminal's, else 120)")(
      "color", text()->default_value("auto"), "auto, always or never; auto heeds NO_COLOR")(
      "format", text()->default_value("text"), "text or svg")("output,o", text()->default_value(""),
                                                              "write it to this file, whole or not at all");
  if (!parser.parse(arguments)) return 0;
  const std::string format = parser.word("format", {"text", "svg"});
  TimelineTextOptions look;
  look.fold = static_cast<std::uint32_t>(parser.integer("fold", 0, most_cycles));
  look.width = width_of(parser);
  look.colour = wants_colour(parser);
  Diagnostics diagnostics;
  const RunSetup setup = read_run_setup(parser, diagnostics);
  const Workload workload = read_workload(parser, setup, diagnostics);
  RunOptions options = setup.options;
  Timeline timeline(read_choice(parser, setup.arch, options.sms ? options.sms : setup.arch.sms));
  options.listener = &timeline;
  options.max_cycles = std::min(options.max_cycles, timeline.choice().until.value());
  const RunResult result = run_kernel(setup.arch, workload, options);
  if (timeline.choice().from.value() >= result.cycles)
    throw RunError("--cycles: the window begins at cycle " +
                   parser.text("cycles").substr(0, parser.text("cycles").find(':')) +
                   ", but the run ended at cycle " + std::to_string(result.cycles) + "\n");
  write_output(parser.text("output"),
               format == "svg" ? timeline_svg(timeline) : timeline_text(timeline, look));
  return 0;
}

}  // namespace smsim::cli

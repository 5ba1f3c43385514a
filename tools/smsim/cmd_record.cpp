// smsim record WORKLOAD -o DIR
#include "base/output_file.h"
#include "base/text_file.h"
#include "engine/trace_recorder.h"
#include "run_setup.h"

#include <filesystem>
#include <system_error>

namespace smsim::cli {
namespace fs = std::filesystem;

int run_record(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "record", "record WORKLOAD -o DIR [OPTIONS]",
      "Writes what the warps of a workload execute as a trace, version 5 of Accel-Sim's tracer:\n"
      "DIR/kernel-1.traceg and DIR/kernelslist.g. `smsim run` takes it back, other simulators take it "
      "too.\n"
      "What a trace cannot say, such as stall counts, is refused.",
      "  smsim record policies/streaming --arch a100 -o streaming_trace\n"
      "  smsim run streaming_trace/kernelslist.g --arch a100\n");
  const auto text = [] { return po::value<std::string>(); };
  parser.options.add_options()("workload", text(), "the kernel: a shipped workload's name or a YAML file")(
      "arch", text()->default_value("a100"), "architecture whose opcodes and warp size hold")(
      "seed", text()->default_value("1"),
      "seed of the random draws")("set", po::value<std::vector<std::string>>(), "path=value: override a key")(
      "output,o", text()->default_value(""), "folder; made if it does not exist");
  parser.positional("workload", 1);
  if (!parser.parse(arguments)) return 0;
  if (!parser.has("workload"))
    parser.fail("name a workload; `smsim list workloads` shows those that come with smsim");
  if (parser.text("output").empty()) parser.fail("--output: name a folder for the trace");
  const std::uint64_t seed = parser.integer("seed", 0, ~std::uint64_t{0});
  const SplitOverrides overrides = split_overrides(parser);
  Diagnostics diagnostics;
  const ArchConfig arch = load_arch(parser.text("arch"), overrides.of_arch, diagnostics);
  const Workload workload = load_workload(parser.text("workload"), overrides.of_workload, diagnostics);
  throw_if_errors(diagnostics);

  const fs::path folder = parser.text("output");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw RunError(folder.string() + ": cannot be made: " + error.message() + "\n");
  std::vector<std::string> notes;
  OutputFile trace(folder / "kernel-1.traceg");
  record_trace(arch, workload, seed, trace, notes, diagnostics);
  throw_if_errors(diagnostics);
  trace.commit();
  write_file_atomically(folder / "kernelslist.g", "kernel-1.traceg\n");
  for (const std::string& note : notes)
    warn(workload.name + ": " + note);
  return 0;
}

}  // namespace smsim::cli

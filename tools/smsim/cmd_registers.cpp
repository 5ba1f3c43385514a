// smsim registers WORKLOAD --arch ...
#include "base/numbers.h"
#include "base/text_file.h"
#include "report/register_report.h"
#include "run_setup.h"

namespace smsim::cli {
namespace {

/// "24,32": caps below the need, each once, from above.
std::vector<Located<std::uint32_t>> parse_caps(const std::string& text, std::uint32_t need,
                                               Diagnostics& diagnostics)
{
  const auto source = make_source("--caps", text);
  std::vector<Located<std::uint32_t>> caps;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const Mark mark{source, 1, static_cast<int>(begin) + 1};
    const auto value = parse_integer(word);
    const auto same = [&](const auto& cap) { return cap.value == value; };
    if (!value)
      diagnostics.error(mark, "", "'" + word + "' is not a number of registers", "expected: such as 24,32");
    else if (*value == 0 || *value >= need)
      diagnostics.error(mark, "", word + " is no cap",
                        need < 2 ? "the kernel needs " + std::to_string(need) + " registers"
                                 : "allowed: 1 to " + std::to_string(need - 1) + ", below the " +
                                       std::to_string(need) + " registers that the kernel needs");
    else if (std::find_if(caps.begin(), caps.end(), same) != caps.end())
      diagnostics.error(mark, "", word + " is given twice");
    else
      caps.push_back({static_cast<std::uint32_t>(*value), mark});
    begin = end + 1;
  }
  std::sort(caps.begin(), caps.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
  return caps;
}

}  // namespace

int run_registers(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "registers", "registers WORKLOAD [OPTIONS]",
      "Runs a kernel with all the registers that it needs and with fewer, as `nvcc --maxrregcount` would "
      "give "
      "it:\n"
      "each cap that changes how many blocks the registers of an SM allow. Fewer registers make room for "
      "more "
      "warps;\n"
      "values that no longer fit are spilled to local memory. Says which cap is the fastest, and why.",
      "  smsim registers cap_helps --arch a100 --sms 1\n"
      "  smsim registers my_kernel.yaml --arch h100 --caps 24,32,40 --format json\n");
  const auto text = [] { return po::value<std::string>(); };
  add_run_options(parser);
  parser.options.add_options()("caps", text(), "register caps instead of all that matter, e.g. 24,32")(
      "format", text()->default_value("text")->value_name("text|json|csv"), "text, json or csv")(
      "output,o", text()->default_value(""), "write the report to this file, whole or not at all");
  if (!parser.parse(arguments)) return 0;
  const std::string format = parser.word("format", {"text", "json", "csv"});
  Diagnostics diagnostics;
  const RunSetup setup = read_run_setup(parser, diagnostics);
  const Workload workload = read_workload(parser, setup, diagnostics);
  if (workload.traced)
    warn("a traced program cannot be compiled again: caps change what fits an SM, and nothing is spilled");
  const auto caps = parser.has("caps")
                        ? parse_caps(parser.text("caps"), workload.kernel.registers_per_thread, diagnostics)
                        : caps_worth_a_run(setup.arch, workload);
  throw_if_errors(diagnostics);
  const auto steps = run_register_ladder(setup.arch, workload, caps, setup.options);
  const RegisterLadder ladder{setup.arch, workload, steps};
  write_output(parser.text("output"), format == "json"  ? register_json(ladder)
                                      : format == "csv" ? register_csv(ladder)
                                                        : register_text(ladder));
  return 0;
}

}  // namespace smsim::cli

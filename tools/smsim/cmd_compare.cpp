// smsim compare --policies ... --workloads ...
#include "base/spelling.h"
#include "base/text_file.h"
#include "report/compare_report.h"
#include "run_setup.h"
#include "sm/warp_scheduler/registry.h"

namespace smsim::cli {
namespace {

using Words = std::vector<Located<std::string>>;

/// "gto,lrr": words between commas, each once.
Words parse_words(const OptionParser& parser, const std::string& option, Diagnostics& diagnostics)
{
  const std::string text = parser.text(option);
  const auto source = make_source("--" + option, text);
  Words words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const Mark mark{source, 1, static_cast<int>(begin) + 1};
    const auto same = [&](const auto& other) { return other.value == word; };
    if (word.empty())
      diagnostics.error(mark, "", "a name is missing", "expected: names with a comma between them");
    else if (std::find_if(words.begin(), words.end(), same) != words.end())
      diagnostics.error(mark, "", "'" + word + "' is given twice");
    else
      words.push_back({word, mark});
    begin = end + 1;
  }
  return words;
}

/// The place of --baseline among the policies; the first if it is not given.
std::size_t find_baseline(const OptionParser& parser, const std::vector<std::string>& policies,
                          Diagnostics& diagnostics)
{
  if (!parser.has("baseline")) return 0;
  const std::string name = parser.text("baseline");
  const auto found = std::find(policies.begin(), policies.end(), name);
  if (found == policies.end())
    diagnostics.error({make_source("--baseline", name), 1, 1}, "", "'" + name + "' is none of --policies",
                      allowed_words(name, policies));
  return static_cast<std::size_t>(found - policies.begin());
}

/// An architecture with fewer SMs than --sms is an error where it is named.
void check_sms(const ArchConfig& arch, std::uint32_t sms, const Mark& mark, Diagnostics& diagnostics)
{
  if (sms > arch.sms)
    diagnostics.error(mark, "", arch.name + " has " + std::to_string(arch.sms) + " SMs",
                      "--sms asks for " + std::to_string(sms) + "; allowed: 1 to " +
                          std::to_string(arch.sms) + ", or more with --set sms=" + std::to_string(sms));
}

ComparisonPlan read_plan(const OptionParser& parser, Diagnostics& diagnostics)
{
  ComparisonPlan plan;
  plan.seeds = parser.integer("seeds", 1, 10'000);
  if (parser.has("sms")) plan.sms = static_cast<std::uint32_t>(parser.integer("sms", 1, 65536));
  plan.threads = read_threads(parser);
  const SplitOverrides overrides = split_overrides(parser);
  for (const auto& [policy, mark] : parse_words(parser, "policies", diagnostics)) {
    find_policy(policy, mark, diagnostics);
    plan.policies.push_back(policy);
  }
  plan.baseline = find_baseline(parser, plan.policies, diagnostics);
  for (const auto& [name, mark] : parse_words(parser, "archs", diagnostics)) {
    const std::size_t errors_before = diagnostics.count();
    plan.archs.push_back({name, load_arch(name, overrides.of_arch, diagnostics, mark)});
    if (diagnostics.count() == errors_before) check_sms(plan.archs.back().value, plan.sms, mark, diagnostics);
  }
  for (const auto& [name, mark] : parse_words(parser, "workloads", diagnostics))
    plan.workloads.push_back({name, load_workload(name, overrides.of_workload, diagnostics, mark)});
  return plan;
}

}  // namespace

int run_compare(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "compare", "compare --policies A,B,... --workloads W1,W2,... [OPTIONS]",
      "Runs every workload with every policy on every architecture, and shows cycles, occupancy, stalls and\n"
      "fairness beside each other, with speed-ups over a baseline. With several seeds: means, 95 % "
      "confidence\n"
      "intervals, and whether a policy differs from the baseline at all.",
      "  smsim compare --policies lrr,gto --workloads latency_hiding,tiled_matmul --sms 1\n"
      "  smsim compare --policies lrr,gto --workloads uneven_blocks --archs a100,h100 --sms 4 --seeds 10 "
      "--format csv\n");
  const auto text = [] { return po::value<std::string>(); };
  parser.options.add_options()("policies", text(),
                               "warp-scheduling policies, e.g. gto,lrr,./mine.so,best_of")(
      "workloads", text(), "kernels: shipped workloads' names or files")(
      "archs", text()->default_value("a100"), "architectures: presets' names or files")(
      "seeds", text()->default_value("1"), "run with every seed from 1 to this")(
      "baseline", text(), "the policy that the others are measured by (default: the first)")(
      "sms", text(), "SMs of the GPU, if not all that the architecture has")(
      "threads", text(), "runs at the same time; no result depends on it (default: one a processor core)")(
      "set", po::value<std::vector<std::string>>(),
      "path=value: override a key of every architecture, or of every workload's launch, level or program")(
      "format", text()->default_value("text")->value_name("text|json|csv"), "text, json or csv")(
      "output,o", text()->default_value(""), "write the report to this file, whole or not at all");
  if (!parser.parse(arguments)) return 0;
  const std::string format = parser.word("format", {"text", "json", "csv"});
  if (!parser.has("policies")) parser.fail("name policies with --policies; `smsim list policies` shows them");
  if (!parser.has("workloads"))
    parser.fail("name workloads with --workloads; `smsim list workloads` shows those that come with smsim");
  Diagnostics diagnostics;
  const ComparisonPlan plan = read_plan(parser, diagnostics);
  throw_if_errors(diagnostics);
  check_comparison(plan, diagnostics);
  throw_if_errors(diagnostics);
  const Comparison found = compare(plan);
  const ComparisonContext context{plan, found};
  write_output(parser.text("output"), format == "json"  ? compare_json(context)
                                      : format == "csv" ? compare_csv(context)
                                                        : compare_text(context));
  return found.all_ran() ? 0 : 1;
}

}  // namespace smsim::cli

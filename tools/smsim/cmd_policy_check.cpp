// smsim policy-check NAME|FILE
#include "base/text_file.h"
#include "cli.h"
#include "report/policy_check_report.h"

namespace smsim::cli {

int run_policy_check(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "policy-check", "policy-check POLICY [OPTIONS]",
      "Puts a scheduling policy through what every policy has to keep: it picks only warps that can issue, "
      "brings\n"
      "kernels to their end, does the same in both engines, in every run and on any number of threads, is "
      "not\n"
      "changed by being asked, and starves nobody where it promises that. POLICY is a name (`smsim list "
      "policies`) or\n"
      "a shared library, with its parameters behind it. Exit status: 0 if all holds, else 1.",
      "  smsim policy-check gto\n"
      "  smsim policy-check ./my_policy.so\n"
      "  smsim policy-check ./my_policy.so:burst=4 --format json\n");
  const auto text = [] { return po::value<std::string>(); };
  parser.options.add_options()("policy", text(), "a policy's name, or the path of a shared library")(
      "cycles", text()->default_value("4000"),
      "run so many cycles of each kernel")("format", text()->default_value("text"), "text or json")(
      "output,o", text()->default_value(""), "write the report to this file, whole or not at all");
  parser.positional("policy", 1);
  if (!parser.parse(arguments)) return 0;
  if (!parser.has("policy"))
    parser.fail("name a policy; `smsim list policies` shows those that come with smsim");
  const std::string format = parser.word("format", {"text", "json"});
  const std::string name = parser.text("policy");
  Diagnostics diagnostics;
  const PolicyInfo* const policy = find_policy(name, {make_source("policy-check", name), 1, 1}, diagnostics);
  throw_if_errors(diagnostics);
  const std::vector<PolicyCheck> checks =
      check_policy(*policy, {.cycles = parser.integer("cycles", 1, 1'000'000)});
  write_output(parser.text("output"),
               format == "json" ? policy_check_json(*policy, checks) : policy_check_text(*policy, checks));
  return all_held(checks) ? 0 : 1;
}

}  // namespace smsim::cli

#include "report/html/page.h"

#include "report/html/elements.h"
#include "report/html/frame.h"
#include "report/html/sections.h"
#include "report/run_json.h"

namespace smsim {

using Json = nlohmann::ordered_json;

namespace {

/// The page stays one that a browser opens at once: lists that grow with the machine or with what a user
/// wrote are left out where they are long.
struct Embedded {
  Json result;
  std::string left_out;
};
Embedded without_long_lists(Json result)
{
  constexpr std::size_t most_text = 100'000;
  constexpr std::size_t most = 700'000;
  std::string left_out;
  const auto leave_out = [&](Json& of, const char* key, const std::string& name) {
    of.erase(key);
    left_out += (left_out.empty() ? "" : ", ") + name;
  };
  const auto size = [](const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace).size();
  };
  if (size(result["config"]["workload"]) > most_text)
    leave_out(result["config"], "workload", "config.workload");
  for (const char* key : {"sub_partitions", "per_sm"})
    if (size(result) > most) leave_out(result, key, key);
  return {std::move(result), std::move(left_out)};
}

}  // namespace

std::string html_report(const RunContext& context, const html::Recording& recording)
{
  const Json result = run_json(context);
  const html::PageInput input{context, result, recording};
  const html::Numbers numbers(result);
  html::Frame frame;
  frame.title = context.workload.name + " on " + context.arch.name;
  frame.subtitle = "Simulated on " + numbers.count("/sms") + " of " + std::to_string(context.arch.sms) +
                   " SMs, policy <code>" + html::escaped(context.result.policy) + "</code>, seed " +
                   numbers.count("/seed") + ".";
  frame.navigation = {{"headline", "At a glance"},       {"time", "Over time"},
                      {"stalls", "Where time went"},     {"window", "Warp by warp"},
                      {"usage", "Pipes and bandwidth"},  {"curves", "Other launches"},
                      {"configuration", "Configuration"}};
  frame.sections = html::headline_section(input) + html::time_section(input) + html::stall_section(input) +
                   html::window_section(input) + html::usage_section(input) + html::curves_section(input) +
                   html::configuration_section(input);
  const Embedded embedded = without_long_lists(result);
  if (!embedded.left_out.empty())
    frame.note = "Left out of it, because they are long: " + embedded.left_out +
                 "; `smsim run --format json` has them.";
  frame.data = {html::embedded("result", embedded.result)};
  return html::page(frame);
}

}  // namespace smsim

#include "report/html/page.h"

#include "report/html/elements.h"
#include "report/html/frame.h"
#include "report/html/sections.h"
#include "report/run_json.h"

namespace smsim {

using Json = nlohmann::ordered_json;

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
  frame.data = {html::embedded("result", result)};
  return html::page(frame);
}

}  // namespace smsim

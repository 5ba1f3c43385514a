#include "report/policy_check_report.h"

#include "base/version.h"

#include <nlohmann/json.hpp>

namespace smsim {
namespace {

std::string_view word_of(PolicyCheck::Outcome outcome)
{
  switch (outcome) {
  case PolicyCheck::Outcome::held:
    return "held";
  case PolicyCheck::Outcome::failed:
    return "failed";
  case PolicyCheck::Outcome::not_tried:
    break;
  }
  return "not_tried";
}

}  // namespace

std::string policy_check_text(const PolicyInfo& policy, const std::vector<PolicyCheck>& checks)
{
  std::string text = "Policy " + std::string(policy.name) + ": " + std::string(policy.summary) + "\n\n";
  std::size_t held = 0;
  for (const PolicyCheck& check : checks) {
    const bool good = check.outcome == PolicyCheck::Outcome::held;
    held += good ? 1U : 0U;
    const char* sign = check.outcome == PolicyCheck::Outcome::failed ? "FAILED  " : "--      ";
    text += (good ? "ok      " : sign) + std::string(check.promise) + "\n          " + check.seen + "\n";
  }
  return text + "\n" + std::to_string(held) + " of " + std::to_string(checks.size()) + " checks held.\n";
}

std::string policy_check_json(const PolicyInfo& policy, const std::vector<PolicyCheck>& checks)
{
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const PolicyCheck& check : checks)
    rows.push_back({{"check", check.key},
                    {"promise", check.promise},
                    {"outcome", word_of(check.outcome)},
                    {"seen", check.seen}});
  const nlohmann::ordered_json report{{"smsim", version},
                                      {"policy", policy.name},
                                      {"summary", policy.summary},
                                      {"starves_nobody", policy.starves_nobody},
                                      {"all_held", all_held(checks)},
                                      {"checks", rows}};
  return report.dump(2) + "\n";
}

}  // namespace smsim

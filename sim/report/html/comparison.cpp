#include "occupancy/calculator.h"
#include "report/html/elements.h"
#include "report/html/frame.h"
#include "report/html/page.h"
#include "report/table_text.h"
#include "stats/memory_counts.h"
#include "stats/warp_states.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace smsim {

using Json = nlohmann::ordered_json;

namespace {

using namespace html;

struct Pair {
  NamedResult a;
  NamedResult b;
  Numbers of_a;
  Numbers of_b;
};

std::string signed_text(double value, int places)
{
  const std::string text = grouped(fixed(value, places));
  if (text.find_first_not_of("-0.") == std::string::npos) return "0";
  return (text.front() == '-' ? "\u2212" + text.substr(1) : "+" + text);
}

/// What changes from A to B, in percent of A.
std::string change(const Pair& pair, const std::string& key)
{
  const double a = pair.of_a.value(key);
  const double b = pair.of_b.value(key);
  if (a == b) return "the same";
  return a == 0 ? "" : signed_text(100 * (b - a) / a, 1) + "\u202F%";
}

std::string points(double a, double b)
{
  return a == b ? "the same" : signed_text(100 * (b - a), 2) + " points";
}

std::vector<std::string> head(const std::string& what) { return {what, "A", "B", "From A to B"}; }

std::string glance(const Pair& pair)
{
  std::vector<std::vector<std::string>> rows{head("")};
  const auto share = [&](const char* what, const std::string& key) {
    rows.push_back({what, bar_cell(pair.of_a.value(key), pair.of_a.percent(key), "a"),
                    bar_cell(pair.of_b.value(key), pair.of_b.percent(key), "b"),
                    points(pair.of_a.value(key), pair.of_b.value(key))});
  };
  const auto count = [&](const char* what, const std::string& key) {
    rows.push_back({what, pair.of_a.count(key), pair.of_b.count(key), change(pair, key)});
  };
  const auto ratio = [&](const char* what, const std::string& key) {
    rows.push_back({what, pair.of_a.ratio(key), pair.of_b.ratio(key), change(pair, key)});
  };
  share("Theoretical occupancy", "/occupancy/theoretical");
  share("Achieved occupancy", "/occupancy/achieved");
  share("Achieved, of all cycles and SMs", "/occupancy/achieved_elapsed");
  count("Cycles", "/cycles");
  count("Warp instructions", "/instructions");
  ratio("Instructions per cycle", "/ipc");
  count("Blocks of the grid", "/launch/grid");
  count("Blocks per SM", "/occupancy/blocks_per_sm");
  count("Warps per SM that fit", "/occupancy/warps_per_sm");
  ratio("Waves", "/launch/waves");
  share("Tail, of the runtime", "/tail/share_of_runtime");
  count("SMs", "/sms");
  std::string verdict;
  const double a = pair.of_a.value("/cycles");
  const double b = pair.of_b.value("/cycles");
  if (a == b)
    verdict = "Both took the same number of cycles.";
  else if (a > 0 && b > 0)
    verdict = std::string(a > b ? "B" : "A") + " took fewer cycles: " + pair.of_a.count("/cycles") +
              " (A) and " + pair.of_b.count("/cycles") + " (B), a factor of " +
              fixed(std::max(a, b) / std::min(a, b), 3) + ".";
  std::string unlike;
  for (const char* key : {"/workload", "/architecture", "/policy", "/seed", "/sms"})
    if (pair.a.result.at(Json::json_pointer(key)) != pair.b.result.at(Json::json_pointer(key)))
      unlike += (unlike.empty() ? "" : ", ") + std::string(key).substr(1);
  std::string notes =
      "<p><strong>" + verdict + "</strong> " +
      (unlike.empty() ? "Workload, architecture, policy, seed and SMs have the same names in both."
                      : "The runs differ in: " + unlike + ".") +
      "</p>\n";
  for (const auto& [name, result] : {pair.a, pair.b})
    if (result.at("stopped_early").get<bool>())
      notes += "<p class=\"warning\"><strong>Stopped early:</strong> " + escaped(name) +
               " covers only the part that was run.</p>\n";
  return section("headline", "At a glance", notes + table("Two runs beside each other", rows));
}

std::string limits(const Pair& pair)
{
  std::vector<std::vector<std::string>> rows{head("Resource")};
  double most = 1;
  for (const LimiterInfo& info : limiter_table)
    for (const Numbers* numbers : {&pair.of_a, &pair.of_b}) {
      const std::string key = std::string("/occupancy/limits/") + info.key;
      if (!numbers->is_null(key)) most = std::max(most, numbers->value(key));
    }
  for (const LimiterInfo& info : limiter_table) {
    const std::string key = std::string("/occupancy/limits/") + info.key;
    const auto cell = [&](const Numbers& numbers, std::string_view side) {
      return numbers.is_null(key) ? "<td class=\"" + std::string(side) + "\">no limit</td>"
                                  : bar_cell(numbers.value(key) / most, numbers.count(key), side);
    };
    const bool both = !pair.of_a.is_null(key) && !pair.of_b.is_null(key);
    rows.push_back({info.label, cell(pair.of_a, "a"), cell(pair.of_b, "b"), both ? change(pair, key) : ""});
  }
  return section("limits", "What limits the resident blocks",
                 table("Blocks per SM that each resource allows; the smallest decides", rows));
}

std::string stalls(const Pair& pair)
{
  constexpr const char* active = "/active_warp_cycles";
  struct Row {
    const WarpStateInfo* state;
    std::string key;
    double a;
    double b;
  };
  std::vector<Row> found;
  for (const WarpStateInfo& state : warp_state_table) {
    const std::string key = "/warp_states/" + std::string(state.key);
    const Row row{&state, key, pair.of_a.share(key, active), pair.of_b.share(key, active)};
    if (row.a > 0 || row.b > 0) found.push_back(row);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Row& x, const Row& y) { return std::max(x.a, x.b) > std::max(y.a, y.b); });
  std::vector<std::vector<std::string>> rows{head("State of a warp")};
  for (const Row& row : found)
    rows.push_back({escaped(row.state->label) + "<small>" + escaped(row.state->doc) + "</small>",
                    bar_cell(row.a, pair.of_a.percent(row.key, active), "a"),
                    bar_cell(row.b, pair.of_b.percent(row.key, active), "b"), points(row.a, row.b)});
  return section(
      "stalls", "Where the warps' time went",
      "<p>Shares of the time of all resident warps. A run with fewer warps, or a shorter one, has less "
      "of that time: compare the cycles first.</p>\n" +
          table("Share of the warps' time in each state", rows));
}

std::string losses_and_memory(const Pair& pair)
{
  struct Named {
    const char* key;
    const char* name;
  };
  constexpr Named parts[] = {{"total", "Together"},
                             {"exited_warps", "Warps that left early"},
                             {"before_tail", "Slots without a block before the tail"},
                             {"partial_wave", "Partial last wave"},
                             {"uneven_blocks", "Uneven blocks"},
                             {"launch_order", "Launch order"}};
  std::vector<std::vector<std::string>> losses{head("Lost to")};
  for (const Named& part : parts) {
    const std::string key = std::string("/tail/loss/") + part.key;
    losses.push_back({part.name, pair.of_a.count(key), pair.of_b.count(key), change(pair, key)});
  }
  std::vector<std::vector<std::string>> memory{head("Memory")};
  for (const std::string_view level : level_keys)
    for (const char* what : {"accesses", "bytes"}) {
      const std::string key = "/memory/" + std::string(level) + "/" + what;
      std::string name(level);
      std::transform(name.begin(), name.end(), name.begin(),
                     [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
      memory.push_back({name + ", " + what, pair.of_a.count(key), pair.of_b.count(key), change(pair, key)});
    }
  return section("losses", "Theory less what was there",
                 table("Warp slots that theory fills and that had no warp, in warp-cycles", losses)) +
         section("memory", "Memory",
                 table("Global and local accesses by the level that had the data", memory));
}

void flatten(const Json& json, const std::string& path, std::map<std::string, std::string>& out)
{
  if (json.is_object() || json.is_array()) {
    std::size_t i = 0;
    for (const auto& item : json.items()) {
      const std::string key =
          json.is_array() ? "[" + std::to_string(i) + "]" : (path.empty() ? "" : ".") + item.key();
      flatten(item.value(), path + key, out);
      ++i;
    }
    return;
  }
  out[path] = json.is_string() ? json.get<std::string>() : json.dump();
}

/// A value may be a text of any length.
std::string shortened(const std::string& value)
{
  constexpr std::size_t most = 300;
  return value.size() <= most ? value : value.substr(0, most) + " ...";
}

std::string configuration(const Pair& pair)
{
  constexpr std::size_t most_rows = 200;
  std::vector<std::vector<std::string>> runs{{"Run", "A", "B"}};
  const auto text = [](const NamedResult& run, const char* key) {
    return escaped(run.result.at(key).get<std::string>());
  };
  runs.push_back({"File", escaped(pair.a.name), escaped(pair.b.name)});
  for (const char* key : {"workload", "architecture", "policy", "smsim_version"})
    runs.push_back({key, text(pair.a, key), text(pair.b, key)});
  std::map<std::string, std::string> a;
  std::map<std::string, std::string> b;
  flatten(pair.a.result.at("config"), "", a);
  flatten(pair.b.result.at("config"), "", b);
  std::map<std::string, std::string> all = a;
  all.insert(b.begin(), b.end());
  std::vector<std::vector<std::string>> rows{{"Key", "A", "B"}};
  std::size_t left_out = 0;
  for (const auto& entry : all) {
    const std::string& key = entry.first;
    const auto value = [&](const auto& of) {
      return of.count(key) ? escaped(shortened(of.at(key))) : "(absent)";
    };
    if (value(a) == value(b)) continue;
    if (rows.size() > most_rows)
      ++left_out;
    else
      rows.push_back({"<code>" + escaped(key) + "</code>", value(a), value(b)});
  }
  std::string differences =
      rows.size() == 1 ? "<p>The configurations are the same.</p>\n" : table("Keys that differ", rows);
  if (left_out > 0) differences += "<p>" + std::to_string(left_out) + " more keys differ.</p>\n";
  return section("configuration", "Configuration",
                 table("What was run", runs) + "<h3>What differs</h3>\n" + differences);
}

/// What the page shows is enough in it.
Json without_lists(Json result)
{
  for (const char* key : {"sub_partitions", "per_sm", "config"})
    result.erase(key);
  return result;
}

}  // namespace

std::string html_comparison(const NamedResult& a, const NamedResult& b)
{
  const Pair pair{a, b, Numbers(a.result, "a"), Numbers(b.result, "b")};
  Frame frame;
  frame.title = "A: " + a.name + ", B: " + b.name;
  frame.subtitle = "Two runs of smsim beside each other.";
  frame.navigation = {{"headline", "At a glance"},  {"limits", "Limits"}, {"stalls", "Where time went"},
                      {"losses", "Theory and run"}, {"memory", "Memory"}, {"configuration", "Configuration"}};
  frame.sections = glance(pair) + limits(pair) + stalls(pair) + losses_and_memory(pair) + configuration(pair);
  frame.data = {embedded("result-a", without_lists(a.result)), embedded("result-b", without_lists(b.result))};
  return html::page(frame);
}

}  // namespace smsim

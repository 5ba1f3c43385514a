#include "config/field_reader.h"
#include "report/csv_text.h"
#include "report/run_json.h"

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

/// Numbers and names of the result: what varies in length (lists, the configuration) stays out.
void flatten(const Json& node, const std::string& path, std::vector<std::string>& names,
             std::vector<std::string>& values)
{
  if (node.is_object()) {
    for (const auto& [key, value] : node.items())
      flatten(value, join_path(path, key), names, values);
  } else if (!node.is_array()) {
    names.push_back(path);
    values.push_back(node.is_null() ? "" : node.is_string() ? node.get<std::string>() : node.dump());
  }
}

}  // namespace

std::string csv_report(const RunContext& context)
{
  Json json = run_json(context);
  json.erase("config");
  std::vector<std::string> names;
  std::vector<std::string> values;
  flatten(json, "", names, values);
  return csv_line(names) + csv_line(values);
}

}  // namespace smsim

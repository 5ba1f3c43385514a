#include "config/policy_parameters.h"

#include "base/numbers.h"
#include "base/spelling.h"

#include <algorithm>
#include <string>
#include <vector>

namespace smsim {

bool read_parameters(std::string_view policy, std::span<const PolicyParameter> parameters,
                     std::string_view words, Mark mark, std::span<std::uint32_t> values,
                     Diagnostics& diagnostics)
{
  const std::size_t errors_before = diagnostics.count();
  std::vector<std::string> keys;
  for (const PolicyParameter& parameter : parameters)
    keys.emplace_back(parameter.key);
  std::vector<bool> given(keys.size(), false);
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(':', 1), words.size());
    const std::string_view word = words.substr(1, end - 1);
    const Mark at{mark.source, mark.line, mark.column + 1};
    words.remove_prefix(end);
    mark.column += static_cast<int>(end);
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string key(word.substr(0, equals));
    const auto found = std::find(keys.begin(), keys.end(), key);
    if (found == keys.end()) {
      diagnostics.error(at, "", "policy '" + std::string(policy) + "' has no parameter '" + key + "'",
                        keys.empty() ? "it has none" : allowed_words(key, keys));
      continue;
    }
    const auto index = static_cast<std::size_t>(found - keys.begin());
    const PolicyParameter& parameter = parameters[index];
    const std::string text(equals < word.size() ? word.substr(equals + 1) : std::string_view());
    const auto value = parse_integer(text);
    if (given[index])
      diagnostics.error(at, key, "is given twice");
    else if (!value)
      diagnostics.error(at, key, "'" + text + "' is not a whole number",
                        "expected: " + key + "=NUMBER, the next parameter behind a ':'");
    else if (*value < parameter.least || *value > parameter.most)
      diagnostics.error(at, key, "out of range: " + text,
                        "allowed: " + std::to_string(parameter.least) + " to " +
                            std::to_string(parameter.most));
    else
      values[index] = static_cast<std::uint32_t>(*value);
    given[index] = true;
  }
  return diagnostics.count() == errors_before;
}

}  // namespace smsim

// Says in a user's words what is wrong with a text that is no YAML, and where the reason is to be looked for.
#pragma once

#include "config/yaml_node.h"

#include <string_view>

namespace smsim {

inline constexpr std::string_view nested_too_deep = "lists or maps are nested too deep";

/// `complaint` is the YAML parser's, or nested_too_deep; `open` is the innermost map or list that is not
/// closed at `mark`, null where there is none.
void report_syntax_error(std::string_view complaint, Mark mark, const YamlNode* open,
                         Diagnostics& diagnostics);

/// A second document begins at `mark`: without a line of dashes before it that is a slip of the indentation.
void report_second_document(const Mark& mark, Diagnostics& diagnostics);

}  // namespace smsim

#include "config/yaml_syntax_errors.h"

#include <algorithm>

namespace smsim {
namespace {

std::string line_text(const SourceText& source, int line)
{
  return line > 0 && line <= std::ssize(source.lines) ? source.lines[static_cast<std::size_t>(line - 1)]
                                                      : std::string{};
}

/// A ':' that does not fit: the line above lacks its own, or this line is indented too far, or a text holds
/// it.
void report_colon(const Mark& mark, Diagnostics& diagnostics)
{
  const auto indentation = [](const std::string& text) {
    return std::min(text.find_first_not_of(' '), text.size());
  };
  const std::string here = line_text(*mark.source, mark.line);
  Mark above{mark.source, mark.line - 1, 0};
  std::string text = line_text(*mark.source, above.line);
  while (above.line > 1 && (indentation(text) == text.size() || text[indentation(text)] == '#'))
    text = line_text(*mark.source, --above.line);
  above.column = static_cast<int>(indentation(text)) + 1;
  const bool has_colon = text.find(": ") != std::string::npos || text.ends_with(':');
  if (!text.empty() && !has_colon && indentation(text) == indentation(here))
    diagnostics.error(above, "", "not valid YAML: a key without ':' and a space behind it");
  else if (!text.empty() && indentation(text) < indentation(here) &&
           here.find(':') + 1 == static_cast<std::size_t>(mark.column))
    diagnostics.error({mark.source, mark.line, static_cast<int>(indentation(here)) + 1}, "",
                      "not valid YAML: indented deeper than the line above, which has its value already");
  else
    diagnostics.error(mark, "", "not valid YAML: a ':' is not expected here",
                      "needed: quotes around a text that holds ': '");
}

}  // namespace

void report_syntax_error(std::string_view complaint, Mark mark, const YamlNode* open,
                         Diagnostics& diagnostics)
{
  const SourceText& source = *mark.source;
  const std::string text = line_text(source, mark.line);
  const auto is = [&](std::string_view message) { return complaint.starts_with(message); };
  const std::size_t tab = text.substr(0, text.find_first_not_of(" \t")).find('\t');
  if (complaint == nested_too_deep) return diagnostics.error(mark, "", std::string(nested_too_deep));
  if (tab != std::string::npos) {
    mark.column = static_cast<int>(tab) + 1;
    return diagnostics.error(mark, "", "a tab in the indentation", "allowed: spaces");
  }
  if (is("illegal map value")) return report_colon(mark, diagnostics);
  if (is("illegal block entry"))
    return diagnostics.error(mark, "", "not valid YAML: a list's '-' is not expected here",
                             "needed: each item on a line of its own");
  if (is("unknown token"))
    return diagnostics.error(mark, "", "not valid YAML: a text cannot begin with this character",
                             "needed: quotes around it");

  const std::string kind = open && open->kind == YamlNode::Kind::sequence ? "list" : "map";
  const std::string opened =
      open ? "the " + kind + " that begins in line " + std::to_string(open->mark.line) : "a map";
  const std::string where = open ? line_text(source, open->mark.line) : "";
  const auto at = static_cast<std::size_t>(open ? open->mark.column - 1 : 0);
  const bool has_bracket = at < where.size() && (where[at] == '[' || where[at] == '{');
  const std::string before = text.substr(0, static_cast<std::size_t>(std::max(mark.column - 1, 0)));
  const std::size_t last = before.find_last_not_of(' ');
  if (is("end of map flow") || is("end of sequence flow")) {
    const bool at_end = mark.line > std::ssize(source.lines);
    diagnostics.error(at_end && open ? open->mark : mark, "",
                      "not valid YAML: " + std::string(at_end ? "" : "',' is missing, or ") + opened +
                          " has no closing bracket");
  } else if (is("illegal flow end")) {
    diagnostics.error(
        mark, "", "not valid YAML: this bracket closes nothing" + (has_bracket ? "; open is " + opened : ""));
  } else if (is("end of map") && last != std::string::npos && (before[last] == '"' || before[last] == '\'')) {
    diagnostics.error(mark, "", "not valid YAML: text behind a closing quote");
  } else if (is("end of map") || is("end of sequence")) {
    diagnostics.error(mark, "", "not valid YAML: this does not belong to " + opened,
                      "needed: the same indentation for all of it");
  } else {
    diagnostics.error(mark, "", "not valid YAML: " + std::string(complaint));
  }
}

void report_second_document(const Mark& mark, Diagnostics& diagnostics)
{
  bool marked = false;
  for (int line = 1; line <= mark.line && line <= static_cast<int>(mark.source->lines.size()); ++line) {
    const std::string& text = mark.source->lines[static_cast<std::size_t>(line - 1)];
    marked = marked || (line > 1 && text.starts_with("---")) || text.starts_with("...");
  }
  if (marked)
    diagnostics.error(mark, "", "a second YAML document; one file holds one document");
  else
    diagnostics.error(mark, "", "not valid YAML: this does not belong to what stands above",
                      "needed: the same indentation for all keys of the file");
}

}  // namespace smsim

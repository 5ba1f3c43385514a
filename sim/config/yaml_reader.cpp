#include "config/yaml_reader.h"

#include "base/text_file.h"
#include "config/yaml_syntax_errors.h"

#include <yaml-cpp/anchor.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>

namespace smsim {
namespace {

/// Builds YamlNodes from yaml-cpp's events. yaml-cpp counts lines and columns from 0.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics)
      : source_(std::move(source)), diagnostics_(diagnostics)
  {
  }

  void OnDocumentStart(const YAML::Mark&) override { stack_.clear(); }
  void OnDocumentEnd() override { check_last_quote(); }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override
  {
    YamlNode node;
    node.mark = at(mark);
    reject(node.mark, "", anchor);
    node.mark = place_of_empty(node.mark);
    place(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override
  {
    diagnostics_.error(at(mark), path_here(), "an alias (*name) is not supported",
                       "write the value out, or use base:");
    YamlNode node;
    node.mark = at(mark);
    place(std::move(node));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override
  {
    const bool quoted = tag == "!";
    if (quoted) last_quoted_ = at(mark);
    reject(at(mark), quoted || tag == "?" ? "" : tag, anchor);
    // yaml-cpp gives a plain `~` or `null` as a scalar here; both mean "empty".
    if (!quoted && (value == "~" || value == "null")) return OnNull(mark, 0);
    const auto control = [](char c) {
      return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') || c == 0x7F;
    };
    if (std::any_of(value.begin(), value.end(), control))
      diagnostics_.error(at(mark), path_here(), "a text with control characters is not supported");
    place(YamlNode::scalar(value, at(mark), quoted));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override
  {
    open(YamlNode::Kind::sequence, mark, tag, anchor, style);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override
  {
    open(YamlNode::Kind::map, mark, tag, anchor, style);
  }
  void OnMapEnd() override { close(); }

  /// The innermost map or list that is not closed yet, for messages; nothing where there is none.
  [[nodiscard]] const YamlNode* open_node() const { return stack_.empty() ? nullptr : &stack_.back().node; }

  YamlNode root;

 private:
  struct Level {
    YamlNode node;
    bool has_key = false;
    std::string key;
    Mark key_mark;
    std::unordered_map<std::string, int> lines;  ///< where each key was first written
  };

  Mark at(const YAML::Mark& mark) const { return {source_, mark.line + 1, mark.column + 1}; }

  void reject(const Mark& mark, const std::string& tag, YAML::anchor_t anchor)
  {
    if (anchor != 0)
      diagnostics_.error(mark, path_here(), "an anchor (&name) is not supported",
                         "write the value out, or use base:");
    if (!tag.empty() && tag != "?")
      diagnostics_.error(mark, path_here(), "a tag (" + tag + ") is not supported");
  }

  /// The dotted path of the value that is being read.
  [[nodiscard]] std::string path_here() const
  {
    std::string path;
    for (const Level& level : stack_) {
      if (level.node.kind == YamlNode::Kind::sequence)
        path += "[" + std::to_string(level.node.items.size()) + "]";
      if (level.has_key) path += (path.empty() ? "" : ".") + level.key;
    }
    return path;
  }

  /// yaml-cpp takes a quote that is never closed for text up to the end of the file. Only the last quote can
  /// be one.
  void check_last_quote()
  {
    if (last_quoted_.line == 0) return;
    std::string_view rest = source_->lines[static_cast<std::size_t>(last_quoted_.line - 1)];
    rest.remove_prefix(std::min(rest.size(), static_cast<std::size_t>(last_quoted_.column - 1)));
    const char quote = rest.empty() ? ' ' : rest.front();
    if (quote != '"' && quote != '\'') return;  // a block of text (|, >)
    rest.remove_prefix(1);
    for (auto line = static_cast<std::size_t>(last_quoted_.line);; ++line) {
      for (std::size_t i = 0; i < rest.size(); ++i) {
        if ((quote == '"' && rest[i] == '\\') || (quote == '\'' && rest.substr(i, 2) == "''"))
          ++i;
        else if (rest[i] == quote)
          return;
      }
      if (line == source_->lines.size()) break;
      rest = source_->lines[line];
    }
    diagnostics_.error(last_quoted_, "", "this quote is never closed");
  }

  /// yaml-cpp's mark of an empty value is the next token's. The key's own place, or that of the list's dash,
  /// says more.
  [[nodiscard]] Mark place_of_empty(Mark mark) const
  {
    if (stack_.empty()) return mark;
    if (stack_.back().has_key) {
      const Mark& key = stack_.back().key_mark;
      const std::string& line = source_->lines[static_cast<std::size_t>(key.line - 1)];
      const std::size_t at = static_cast<std::size_t>(mark.column - 1);
      const bool written = mark.line == key.line && at < line.size() &&
                           std::string_view("~nN").find(line[at]) != std::string_view::npos;
      return written ? mark : key;
    }
    for (int line = std::min(mark.line, static_cast<int>(source_->lines.size())); line > 0; --line) {
      std::string_view text = source_->lines[static_cast<std::size_t>(line - 1)];
      if (line == mark.line)
        text = text.substr(0, std::min(text.size(), static_cast<std::size_t>(mark.column - 1)));
      const std::size_t comment = text.find(" #");
      text = text.substr(0, std::min(comment, text.size()));
      const std::size_t last = text.find_last_not_of(" \t");
      if (last == std::string_view::npos || text[text.find_first_not_of(" \t")] == '#') continue;
      if (text[last] == '-') return {source_, line, static_cast<int>(last) + 1};
      break;
    }
    return mark;
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style)
  {
    reject(at(mark), tag == "!" ? "" : tag, anchor);
    Level level;
    level.node.kind = kind;
    // Without brackets a map begins with its first key, which is not what is wrong with it: its own key's
    // place is.
    const bool has_own_key = !stack_.empty() && stack_.back().has_key && style != YAML::EmitterStyle::Flow;
    level.node.mark = has_own_key ? stack_.back().key_mark : at(mark);
    stack_.push_back(std::move(level));
  }

  void close()
  {
    YamlNode node = std::move(stack_.back().node);
    stack_.pop_back();
    place(std::move(node));
  }

  void place(YamlNode node)
  {
    if (stack_.empty()) {
      root = std::move(node);
      return;
    }
    Level& level = stack_.back();
    if (level.node.kind == YamlNode::Kind::sequence) {
      level.node.items.push_back(std::move(node));
    } else if (!level.has_key) {
      if (node.kind != YamlNode::Kind::scalar)
        diagnostics_.error(node.mark, path_here(), "a key must be a word, not " + node.describe());
      level.key = node.text;
      level.key_mark = node.mark;
      level.has_key = true;
    } else {
      const auto [first, is_new] = level.lines.emplace(level.key, level.key_mark.line);
      if (is_new)
        level.node.entries.push_back({level.key, level.key_mark, std::move(node)});
      else
        diagnostics_.error(level.key_mark, path_here(), "duplicate key",
                           "first written in line " + std::to_string(first->second));
      level.has_key = false;
    }
  }

  std::shared_ptr<const SourceText> source_;
  Diagnostics& diagnostics_;
  std::vector<Level> stack_;
  Mark last_quoted_;
};

/// yaml-cpp replaces what is not UTF-8 and takes a lone carriage return for a character.
bool check_characters(const std::shared_ptr<const SourceText>& source, Diagnostics& diagnostics)
{
  const auto error = [&](std::size_t line, std::size_t column, const char* what) {
    diagnostics.error({source, static_cast<int>(line) + 1, static_cast<int>(column) + 1}, "", what);
    return false;
  };
  for (std::size_t line = 0; line < source->lines.size(); ++line) {
    const std::string& text = source->lines[line];
    if (const std::size_t lone = text.find('\r'); lone != std::string::npos)
      return error(line, lone, "a carriage return within a line; lines end with a line feed");
    if (const std::size_t bad = find_invalid_utf8(text); bad != std::string::npos)
      return error(line, bad, "is not UTF-8 text");
  }
  return true;
}

}  // namespace

std::optional<YamlNode> parse_yaml(const std::shared_ptr<const SourceText>& source, Diagnostics& diagnostics)
{
  const std::size_t errors_before = diagnostics.count();
  if (!check_characters(source, diagnostics)) return std::nullopt;
  std::string text;
  for (const std::string& line : source->lines)
    text.append(line).append("\n");
  std::istringstream stream(text);
  TreeBuilder builder(source, diagnostics);
  try {
    YAML::Parser parser(stream);
    const bool found = parser.HandleNextDocument(builder);
    if (diagnostics.count() != errors_before) return std::nullopt;
    if (!found || builder.root.kind == YamlNode::Kind::empty) {
      diagnostics.error({source, 0, 0}, "", "is empty; a map of keys is expected");
      return std::nullopt;
    }
    Diagnostics ignored;
    TreeBuilder second(source, ignored);
    if (parser.HandleNextDocument(second)) {
      report_second_document(second.root.mark, diagnostics);
      return std::nullopt;
    }
    return std::move(builder.root);
  } catch (const YAML::Exception& error) {
    const Mark mark =
        error.mark.is_null() ? Mark{source, 0, 0} : Mark{source, error.mark.line + 1, error.mark.column + 1};
    const bool too_deep = dynamic_cast<const YAML::DeepRecursion*>(&error) != nullptr;
    report_syntax_error(too_deep ? nested_too_deep : error.msg, mark, builder.open_node(), diagnostics);
    return std::nullopt;
  }
}

std::optional<YamlNode> read_yaml_file(const std::filesystem::path& path, Diagnostics& diagnostics)
{
  const auto source = read_text_file(path, yaml_file_limit, diagnostics);
  if (!source) return std::nullopt;
  return parse_yaml(source, diagnostics);
}

std::optional<YamlNode> parse_set_value(std::string_view option, std::size_t value_start,
                                        Diagnostics& diagnostics)
{
  const auto shown = make_source("--set", option);
  std::string padded(option);
  for (std::size_t i = 0; i < value_start && i < padded.size(); ++i)
    padded[i] = ' ';
  Diagnostics parsing;
  auto value = parse_yaml(make_source("--set", padded), parsing);
  if (!value) {
    const bool empty = option.find_first_not_of(' ', value_start) == std::string_view::npos;
    diagnostics.error({shown, 1, static_cast<int>(value_start) + 1},
                      option.substr(0, value_start ? value_start - 1 : 0),
                      empty ? "no value" : "the value is not valid YAML", "expected: --set path=value");
    return std::nullopt;
  }
  // Marks point into the words that the user typed.
  const auto retarget = [&](auto&& self, YamlNode& node) -> void {
    node.mark.source = shown;
    for (YamlNode& item : node.items)
      self(self, item);
    for (YamlEntry& entry : node.entries) {
      entry.mark.source = shown;
      self(self, entry.value);
    }
  };
  retarget(retarget, *value);
  return value;
}

}  // namespace smsim

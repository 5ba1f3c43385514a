#include "config/yaml_reader.h"

#include "base/text_file.h"

#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

namespace smsim {
namespace {

/// Builds YamlNodes from yaml-cpp's events. yaml-cpp counts lines and columns from 0.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics)
      : source_(std::move(source)), diagnostics_(diagnostics)
  {}

  void OnDocumentStart(const YAML::Mark&) override { stack_.clear(); }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override
  {
    YamlNode node;
    node.mark = at(mark);
    reject(node.mark, "", anchor);
    // The mark of an empty value is the next token's: a key's own place is the better one.
    if (!stack_.empty() && stack_.back().has_key) node.mark = stack_.back().key_mark;
    place(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override
  {
    diagnostics_.error(at(mark), "", "an alias (*name) is not supported; write the value out, or use base:");
    YamlNode node;
    node.mark = at(mark);
    place(std::move(node));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override
  {
    const bool quoted = tag == "!";
    reject(at(mark), quoted || tag == "?" ? "" : tag, anchor);
    // yaml-cpp gives a plain `~` or `null` as a scalar here; both mean "empty".
    if (!quoted && (value == "~" || value == "null")) return OnNull(mark, 0);
    place(YamlNode::scalar(value, at(mark), quoted));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override
  {
    open(YamlNode::Kind::sequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override
  {
    open(YamlNode::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

  YamlNode root;

 private:
  struct Level {
    YamlNode node;
    bool has_key = false;
    std::string key;
    Mark key_mark;
  };

  Mark at(const YAML::Mark& mark) const { return {source_, mark.line + 1, mark.column + 1}; }

  void reject(const Mark& mark, const std::string& tag, YAML::anchor_t anchor)
  {
    if (anchor != 0) diagnostics_.error(mark, "", "an anchor (&name) is not supported; use base:");
    if (!tag.empty() && tag != "?") diagnostics_.error(mark, "", "a tag (" + tag + ") is not supported");
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor)
  {
    reject(at(mark), tag == "!" ? "" : tag, anchor);
    Level level;
    level.node.kind = kind;
    level.node.mark = at(mark);
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
      if (node.kind != YamlNode::Kind::scalar) diagnostics_.error(node.mark, "", "a key must be a word, not " + node.describe());
      level.key = node.text;
      level.key_mark = node.mark;
      level.has_key = true;
    } else {
      level.has_key = false;
      const auto first = std::find_if(level.node.entries.begin(), level.node.entries.end(),
                                      [&](const YamlEntry& entry) { return entry.key == level.key; });
      if (first != level.node.entries.end()) {
        diagnostics_.error(level.key_mark, level.key, "duplicate key; first written in line " + std::to_string(first->mark.line));
        return;
      }
      level.node.entries.push_back({level.key, level.key_mark, std::move(node)});
    }
  }

  std::shared_ptr<const SourceText> source_;
  Diagnostics& diagnostics_;
  std::vector<Level> stack_;
};

}  // namespace

std::optional<YamlNode> parse_yaml(const std::shared_ptr<const SourceText>& source, Diagnostics& diagnostics)
{
  std::string text;
  for (const std::string& line : source->lines) text.append(line).append("\n");
  std::istringstream stream(text);
  const std::size_t errors_before = diagnostics.count();
  try {
    YAML::Parser parser(stream);
    TreeBuilder builder(source, diagnostics);
    if (!parser.HandleNextDocument(builder)) {
      diagnostics.error({source, 0, 0}, "", "is empty; a map of keys is expected");
      return std::nullopt;
    }
    YamlNode root = std::move(builder.root);
    if (diagnostics.count() != errors_before) return std::nullopt;
    TreeBuilder second(source, diagnostics);
    if (parser.HandleNextDocument(second)) {
      diagnostics.error(second.root.mark, "", "a second YAML document; one file holds one document");
      return std::nullopt;
    }
    return root;
  } catch (const YAML::Exception& error) {
    const Mark mark = error.mark.is_null() ? Mark{source, 0, 0} : Mark{source, error.mark.line + 1, error.mark.column + 1};
    diagnostics.error(mark, "", "not valid YAML: " + error.msg);
    return std::nullopt;
  }
}

std::optional<YamlNode> read_yaml_file(const std::filesystem::path& path, Diagnostics& diagnostics)
{
  const auto source = read_text_file(path, yaml_file_limit, diagnostics);
  if (!source) return std::nullopt;
  return parse_yaml(source, diagnostics);
}

std::optional<YamlNode> parse_set_value(std::string_view option, std::size_t value_start, Diagnostics& diagnostics)
{
  const auto shown = make_source("--set", option);
  std::string padded(option);
  for (std::size_t i = 0; i < value_start && i < padded.size(); ++i) padded[i] = ' ';
  Diagnostics parsing;
  auto value = parse_yaml(make_source("--set", padded), parsing);
  if (!value) {
    diagnostics.error({shown, 1, static_cast<int>(value_start) + 1}, option.substr(0, value_start ? value_start - 1 : 0),
                      "the value is not valid YAML", "expected: --set path=value");
    return std::nullopt;
  }
  // Marks point into the words that the user typed.
  const auto retarget = [&](auto&& self, YamlNode& node) -> void {
    node.mark.source = shown;
    for (YamlNode& item : node.items) self(self, item);
    for (YamlEntry& entry : node.entries) {
      entry.mark.source = shown;
      self(self, entry.value);
    }
  };
  retarget(retarget, *value);
  return value;
}

}  // namespace smsim

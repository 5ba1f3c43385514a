#include "config/yaml_node.h"

#include "base/numbers.h"

#include <algorithm>
#include <map>

namespace smsim {
namespace {

bool plain_is_safe(const YamlNode& node)
{
  if (node.text.empty()) return false;
  static constexpr std::string_view safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./%-+ ";
  if (node.text.find_first_not_of(safe) != std::string::npos) return false;
  const char first = node.text.front();
  const bool starts_plain = first != '-' && first != ' ' && first != '%' && node.text.back() != ' ';
  return starts_plain && node.text != "null" && node.text != "Null" && node.text != "NULL";
}

void write_scalar(const YamlNode& node, std::string& out)
{
  if (!node.quoted && plain_is_safe(node)) {
    out += node.text;
    return;
  }
  out += '"';
  for (const char c : node.text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\t')
      out += "\\t";
    else if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  out += '"';
}

bool is_flat(const YamlNode& node)
{
  const auto simple = [](const YamlNode& n) { return n.kind == YamlNode::Kind::scalar; };
  if (node.kind == YamlNode::Kind::sequence) return std::all_of(node.items.begin(), node.items.end(), simple);
  return false;
}

void write_node(const YamlNode& node, std::size_t indent, std::string& out);

void write_after_key(const YamlNode& value, std::size_t indent, std::string& out)
{
  if (value.kind == YamlNode::Kind::empty) {
    out += '\n';
  } else if (value.kind == YamlNode::Kind::scalar) {
    out += ' ';
    write_scalar(value, out);
    out += '\n';
  } else if (value.kind == YamlNode::Kind::map && value.entries.empty()) {
    out += " {}\n";
  } else if (is_flat(value)) {
    out += " [";
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      if (i) out += ", ";
      write_scalar(value.items[i], out);
    }
    out += "]\n";
  } else {
    out += '\n';
    write_node(value, indent + 2, out);
  }
}

void write_node(const YamlNode& node, std::size_t indent, std::string& out)
{
  const std::string margin(indent, ' ');
  if (node.kind == YamlNode::Kind::map) {
    for (const YamlEntry& entry : node.entries) {
      out += margin;
      write_scalar(YamlNode::scalar(entry.key), out);
      out += ':';
      write_after_key(entry.value, indent, out);
    }
  } else if (node.kind == YamlNode::Kind::sequence) {
    for (const YamlNode& item : node.items) {
      if (item.kind == YamlNode::Kind::map && !item.entries.empty()) {
        std::string inner;
        write_node(item, indent + 2, inner);
        inner[indent] = '-';
        out += inner;
      } else {
        out += margin + "-";
        write_after_key(item, indent, out);
      }
    }
  } else if (node.kind == YamlNode::Kind::scalar) {
    out += margin;
    write_scalar(node, out);
    out += '\n';
  }
}

/// What a message shows of a text: its first line, and no more than fits.
std::string clipped(const std::string& text)
{
  constexpr std::size_t most = 60;
  std::size_t end = std::min({text.size(), most, text.find('\n')});
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;
  return end < text.size() ? text.substr(0, end) + "..." : text;
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const
{
  for (const YamlEntry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

YamlNode* YamlNode::find(std::string_view key)
{
  return const_cast<YamlNode*>(static_cast<const YamlNode*>(this)->find(key));
}

std::string YamlNode::describe() const
{
  switch (kind) {
  case Kind::empty:
    return "an empty value";
  case Kind::scalar:
    if (quoted && text.empty()) return "an empty text";
    return (quoted ? "the quoted text '" : "'") + clipped(text) + "'";
  case Kind::sequence:
    return items.empty() ? "an empty list" : "a list";
  case Kind::map:
    return entries.empty() ? "an empty map" : "a map";
  }
  return {};
}

YamlNode YamlNode::scalar(std::string text, Mark mark, bool quoted)
{
  YamlNode node;
  node.kind = Kind::scalar;
  node.text = std::move(text);
  node.mark = std::move(mark);
  node.quoted = quoted;
  return node;
}

YamlNode& YamlNode::add(std::string key, YamlNode value)
{
  entries.push_back({std::move(key), value.mark, std::move(value)});
  return entries.back().value;
}

YamlNode YamlNode::of(Kind kind)
{
  YamlNode node;
  node.kind = kind;
  return node;
}

void merge_yaml(YamlNode& base, const YamlNode& over)
{
  if (base.kind != YamlNode::Kind::map || over.kind != YamlNode::Kind::map) {
    base = over;
    return;
  }
  base.mark = over.mark;
  std::map<std::string, std::size_t, std::less<>> places;
  for (std::size_t i = 0; i < base.entries.size(); ++i)
    places.emplace(base.entries[i].key, i);
  for (const YamlEntry& entry : over.entries) {
    const auto old = places.find(entry.key);
    if (old == places.end()) {
      base.entries.push_back(entry);
    } else {
      base.entries[old->second].mark = entry.mark;
      merge_yaml(base.entries[old->second].value, entry.value);
    }
  }
}

void set_yaml_path(YamlNode& root, std::string_view path, const Mark& written, const YamlNode& value,
                   Diagnostics& diagnostics)
{
  YamlNode* node = &root;
  std::string_view rest = path;
  // An opcode's name may itself hold dots (opcodes.ld.global.latency): the longest key that exists goes
  // first.
  while (true) {
    Mark mark = written;
    mark.column += static_cast<int>(path.size() - rest.size());
    if (node->kind == YamlNode::Kind::empty) node->kind = YamlNode::Kind::map;
    if (node->kind != YamlNode::Kind::map) {
      diagnostics.error(mark, path.substr(0, path.size() - rest.size() - 1),
                        node->describe() + " is not a map of keys");
      return;
    }
    YamlEntry* next = nullptr;
    for (YamlEntry& entry : node->entries) {
      const bool fits =
          rest.starts_with(entry.key) &&
          (rest.size() == entry.key.size() || rest[entry.key.size()] == '.' || rest[entry.key.size()] == '[');
      if (fits && (!next || entry.key.size() > next->key.size())) next = &entry;
    }
    if (!next) {
      node->add(std::string(rest.substr(0, rest.find_first_of(".["))), YamlNode{});
      next = &node->entries.back();
    }
    next->mark = mark;
    if (next->value.kind == YamlNode::Kind::empty) next->value.mark = mark;
    node = &next->value;
    rest.remove_prefix(next->key.size());
    while (rest.starts_with('[')) {
      const std::size_t close = rest.find(']');
      const auto index =
          close == std::string_view::npos ? std::nullopt : parse_integer(rest.substr(1, close - 1));
      mark.column = written.column + static_cast<int>(path.size() - rest.size());
      const std::string_view list = path.substr(0, path.size() - rest.size());
      if (node->kind != YamlNode::Kind::sequence || node->items.empty())
        return diagnostics.error(mark, list, node->describe() + " has no items");
      const bool ends =
          close + 1 == rest.size() || (index && (rest[close + 1] == '.' || rest[close + 1] == '['));
      if (!index || !ends || *index >= node->items.size())
        return diagnostics.error(mark, list, "has no such item",
                                 "allowed: [0] to [" + std::to_string(node->items.size() - 1) + "]");
      node = &node->items[*index];
      rest.remove_prefix(close + 1);
    }
    if (rest.empty()) break;
    rest.remove_prefix(1);  // the dot
  }
  merge_yaml(*node, value);
}

std::string yaml_text(const YamlNode& node)
{
  std::string out;
  write_node(node, 0, out);
  return out;
}

}  // namespace smsim

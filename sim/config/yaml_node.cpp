#include "config/yaml_node.h"

#include <algorithm>

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
  return starts_plain && node.text != "~" && node.text != "null";
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
  case Kind::empty: return "an empty value";
  case Kind::scalar: return "'" + (text.size() > 60 ? text.substr(0, 60) + "..." : text) + "'";
  case Kind::sequence: return "a list";
  case Kind::map: return "a map";
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
  for (const YamlEntry& entry : over.entries) {
    if (YamlNode* old = base.find(entry.key)) {
      merge_yaml(*old, entry.value);
      for (YamlEntry& mine : base.entries)
        if (mine.key == entry.key) mine.mark = entry.mark;
    } else {
      base.entries.push_back(entry);
    }
  }
}

void set_yaml_path(YamlNode& root, std::string_view path, YamlNode value, Diagnostics& diagnostics)
{
  const Mark mark = value.mark;
  YamlNode* node = &root;
  std::string_view rest = path;
  // An opcode's name may itself hold dots (opcodes.ld.global.latency): the longest key that exists goes first.
  while (true) {
    if (node->kind == YamlNode::Kind::empty) node->kind = YamlNode::Kind::map;
    if (node->kind != YamlNode::Kind::map) {
      diagnostics.error(mark, path, "leads through " + node->describe() + ", which is no map");
      return;
    }
    YamlNode* next = nullptr;
    std::size_t taken = 0;
    for (YamlEntry& entry : node->entries) {
      const bool fits = rest.starts_with(entry.key) && (rest.size() == entry.key.size() || rest[entry.key.size()] == '.');
      if (fits && entry.key.size() > taken) {
        taken = entry.key.size();
        next = &entry.value;
        entry.mark = mark;
      }
    }
    if (!next) {
      taken = std::min(rest.find('.'), rest.size());
      next = &node->add(std::string(rest.substr(0, taken)), YamlNode{YamlNode::Kind::empty, mark, {}, false, {}, {}});
    }
    node = next;
    if (taken == rest.size()) break;
    rest.remove_prefix(taken + 1);
  }
  *node = std::move(value);
}

std::string yaml_text(const YamlNode& node)
{
  std::string out;
  write_node(node, 0, out);
  return out;
}

}  // namespace smsim

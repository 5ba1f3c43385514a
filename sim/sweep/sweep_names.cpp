#include "sweep/sweep_names.h"

#include "base/numbers.h"
#include "base/spelling.h"
#include "config/field_reader.h"
#include "sweep/points.h"
#include "workload/workload_loader.h"

#include <algorithm>

namespace smsim {
namespace {

/// Every dotted path of a document that ends in a value.
void list_paths(const YamlNode& node, const std::string& path, std::vector<std::string>& paths)
{
  if (node.kind != YamlNode::Kind::map) {
    paths.push_back(path);
    return;
  }
  for (const YamlEntry& entry : node.entries)
    list_paths(entry.value, join_path(path, entry.key), paths);
}

SweepVariable::BaseValue base_value(const YamlNode* node)
{
  SweepVariable::BaseValue value;
  value.missing = !node || node->kind == YamlNode::Kind::empty;
  if (value.missing) return value;
  value.text = flow_text(*node);
  value.is_number =
      node->kind == YamlNode::Kind::scalar && !node->quoted && read_number(node->text, value.number);
  return value;
}

}  // namespace

const YamlNode* find_yaml_path(const YamlNode& root, std::string_view path)
{
  const YamlNode* node = &root;
  while (!path.empty()) {
    if (path.starts_with('[')) {
      const std::size_t close = path.find(']');
      const auto index =
          close == std::string_view::npos ? std::nullopt : parse_integer(path.substr(1, close - 1));
      if (!index || *index >= node->items.size()) return nullptr;
      node = &node->items[*index];
      path.remove_prefix(close + 1);
      if (path.starts_with('.')) path.remove_prefix(1);
      continue;
    }
    const YamlEntry* next = nullptr;
    for (const YamlEntry& entry : node->entries) {
      const bool fits =
          path.starts_with(entry.key) &&
          (path.size() == entry.key.size() || path[entry.key.size()] == '.' || path[entry.key.size()] == '[');
      if (fits && (!next || entry.key.size() > next->key.size())) next = &entry;
    }
    if (!next) return nullptr;
    node = &next->value;
    path.remove_prefix(next->key.size());
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  return node;
}

void SweepNames::read_derived(const YamlNode& node)
{
  const MapReader map(node, "derived", diagnostics_);
  for (const YamlEntry& entry : node.entries) {
    // Read before it is known itself: a key cannot follow from its own value.
    SweepExpression value = read_expression(entry.value, join_path("derived", entry.key));
    for (const SweepVariable& used : sweep_.variables)
      if (used.key == entry.key)
        diagnostics_.error(entry.mark, join_path("derived", entry.key), "is used before it is derived",
                           "expected: each key below those that it follows from");
    sweep_.derived.push_back({entry.key, entry.mark, std::move(value)});
  }
}

void SweepNames::read_when(const YamlNode& node)
{
  if (node.kind != YamlNode::Kind::sequence) {
    sweep_.when.push_back(read_expression(node, "when"));
    return;
  }
  for (const YamlNode& item : node.items)
    sweep_.when.push_back(read_expression(item, "when"));
}

SweepExpression SweepNames::read_expression(const YamlNode& node, const std::string& path)
{
  SweepExpression read;
  if (node.kind != YamlNode::Kind::scalar) {
    diagnostics_.error(node.mark, path, node.describe() + " is not an expression",
                       "expected: such as register_file.registers >= 1024 * sm.max_warps");
    return read;
  }
  Mark written = node.mark;
  if (node.quoted) ++written.column;
  const std::size_t errors_before = diagnostics_.count();
  read.expression = Expression::parse(node.text, written, path, diagnostics_);
  if (diagnostics_.count() != errors_before) return read;
  for (const Expression::Name& name : read.expression.names())
    read.variables.push_back(variable(name, path));
  return read;
}

std::size_t SweepNames::variable(const Expression::Name& name, const std::string& path)
{
  for (std::size_t i = 0; i < sweep_.variables.size(); ++i)
    if (sweep_.variables[i].key == name.name) return i;
  sweep_.variables.push_back(resolve(name, path));
  return sweep_.variables.size() - 1;
}

SweepVariable SweepNames::resolve(const Expression::Name& name, const std::string& path)
{
  using Kind = SweepVariable::Kind;
  SweepVariable found;
  found.key = name.name;
  const auto is = [&](const auto& with_key) { return with_key.key == name.name; };
  if (name.name == "seed") {
    found.kind = Kind::seed;
    return found;
  }
  if (name.name == "arch" || name.name == "workload") {
    found.kind = name.name == "arch" ? Kind::arch : Kind::workload;
    for (const SweepBase& base : name.name == "arch" ? sweep_.archs : sweep_.workloads)
      found.by_base.push_back({false, 0, base.name, false});
    return found;
  }
  const auto axis = std::find_if(sweep_.axes.begin(), sweep_.axes.end(), is);
  if (axis != sweep_.axes.end()) {
    found.kind = Kind::axis;
    found.index = static_cast<std::size_t>(axis - sweep_.axes.begin());
    return found;
  }
  const auto derived = std::find_if(sweep_.derived.begin(), sweep_.derived.end(), is);
  if (derived != sweep_.derived.end()) {
    found.kind = Kind::derived;
    found.index = static_cast<std::size_t>(derived - sweep_.derived.begin());
    return found;
  }
  const bool of_workload = is_workload_override(name.name);
  found.kind = of_workload ? Kind::workload_key : Kind::arch_key;
  bool known = false;
  std::vector<std::string> names = parameter_names(sweep_);
  for (const SweepBase& base : of_workload ? sweep_.workloads : sweep_.archs) {
    const YamlNode* node = find_yaml_path(base.values, name.name);
    known = known || (node && node->kind != YamlNode::Kind::map);
    found.by_base.push_back(base_value(node));
    if (!known) list_paths(base.values, "", names);
  }
  if (!known) {
    const std::string near = nearest_word(name.name, names);
    diagnostics_.error(name.mark, path, "no key is named '" + name.name + "', or it has no value",
                       near.empty()
                           ? "expected: a key of the architecture or the workload; a text is written 'so'"
                           : "did you mean '" + near + "'?");
  }
  return found;
}

}  // namespace smsim

#include "sweep/sweep_bases.h"

#include "base/sha256.h"
#include "config/arch_loader.h"
#include "config/presets.h"
#include "workload/trace_loader.h"
#include "workload/workload_loader.h"

#include <algorithm>

namespace smsim {
namespace {

/// Points are built by the thousand and their documents copied by all threads: without the places that they
/// would share.
void forget_places(YamlNode& node)
{
  node.mark = {};
  for (YamlNode& item : node.items)
    forget_places(item);
  for (YamlEntry& entry : node.entries) {
    entry.mark = {};
    forget_places(entry.value);
  }
}

}  // namespace

std::vector<YamlNode> SweepBases::names_in(const YamlNode& node, const std::string& path,
                                           const std::string& what)
{
  std::vector<YamlNode> names;
  if (node.kind == YamlNode::Kind::sequence)
    names = node.items;
  else
    names.push_back(node);
  if (names.empty())
    diagnostics_.error(node.mark, path, "an empty list: the sweep would have no point", "expected: " + what);
  std::vector<std::string> seen;
  for (const YamlNode& name : names) {
    if (name.kind != YamlNode::Kind::scalar || name.text.empty())
      diagnostics_.error(name.mark, path, name.describe() + " is no name", "expected: " + what);
    else if (std::find(seen.begin(), seen.end(), name.text) != seen.end())
      diagnostics_.error(name.mark, path, "'" + name.text + "' is given twice");
    seen.push_back(name.text);
  }
  std::erase_if(
      names, [](const YamlNode& name) { return name.kind != YamlNode::Kind::scalar || name.text.empty(); });
  return names;
}

void SweepBases::lay(const YamlNode* set, bool of_workload, YamlNode& document)
{
  if (!set || set->kind != YamlNode::Kind::map) return;
  for (const YamlEntry& entry : set->entries)
    if (is_workload_override(entry.key) == of_workload)
      set_yaml_path(document, entry.key, entry.mark, entry.value, diagnostics_);
}

void SweepBases::remember_sources(const YamlNode& node)
{
  if (node.mark.source) sources_.insert(node.mark.source);
  for (const YamlNode& item : node.items)
    remember_sources(item);
  for (const YamlEntry& entry : node.entries)
    remember_sources(entry.value);
}

std::vector<SweepBase> SweepBases::read_archs(const YamlNode& node, const YamlNode* set)
{
  if (set && set->kind != YamlNode::Kind::map)
    diagnostics_.error(set->mark, "set", set->describe() + " is not a map of keys");
  std::vector<SweepBase> bases;
  for (const YamlNode& name : names_in(node, "arch", "an architecture's name or file, or a list of them")) {
    auto document = read_arch_document(name.text, folder_, diagnostics_, name.mark);
    if (!document) continue;
    remember_sources(*document);
    lay(set, false, *document);
    const std::size_t errors_before = diagnostics_.count();
    const ArchConfig arch = build_arch(*document, diagnostics_);
    if (diagnostics_.count() != errors_before) continue;
    forget_places(*document);
    bases.push_back({name.text, std::move(*document), arch_document(arch)});
  }
  return bases;
}

std::vector<SweepBase> SweepBases::read_workloads(const YamlNode& node, const YamlNode* set)
{
  std::vector<SweepBase> bases;
  for (const YamlNode& name : names_in(node, "workload", "a workload's name or file, or a list of them")) {
    const bool is_path =
        name.text.ends_with(".yaml") || name.text.ends_with(".yml") || is_trace_name(name.text);
    const std::string path = is_path ? (folder_ / name.text).lexically_normal().string() : name.text;
    const std::size_t errors_before = diagnostics_.count();
    Workload workload = load_workload(path, {}, diagnostics_, name.mark);
    if (diagnostics_.count() != errors_before) continue;
    YamlNode document = workload.document;
    remember_sources(document);
    lay(set, true, document);
    SweepBase base{name.text, document, document};
    if (workload.traced) base.traced = std::make_shared<const Workload>(std::move(workload));
    base.workload(document, diagnostics_);
    if (diagnostics_.count() != errors_before) continue;
    forget_places(document);
    base.document = base.values = document;
    bases.push_back(std::move(base));
  }
  return bases;
}

std::vector<SweepFile> SweepBases::files() const
{
  const std::string shipped = data_folder().string() + "/";
  const std::string beside = folder_.string() + "/";
  std::vector<SweepFile> files;
  for (const auto& source : sources_) {
    std::string text;
    for (const std::string& line : source->lines)
      text.append(line).append("\n");
    std::string name = source->name;
    for (const std::string& folder : {shipped, beside})
      if (folder.size() > 1 && name.starts_with(folder)) name.erase(0, folder.size());
    files.push_back({std::move(name), sha256(text)});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  files.erase(
      std::unique(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name == b.name; }),
      files.end());
  return files;
}

}  // namespace smsim

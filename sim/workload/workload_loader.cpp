#include "workload/workload_loader.h"

#include "base/spelling.h"
#include "base/text_file.h"
#include "config/field_reader.h"
#include "config/yaml_reader.h"
#include "workload/attributes.h"
#include "workload/launch_reader.h"
#include "workload/program_reader.h"
#include "workload/trace_loader.h"

#include <algorithm>

namespace smsim {
namespace {

namespace fs = std::filesystem;

Workload build(YamlNode root, Diagnostics& diagnostics)
{
  Workload workload;
  MapReader map(root, "", diagnostics);
  ScalarReader scalar(diagnostics);
  if (const YamlNode* name = map.require("name", "what reports call the kernel"))
    workload.name = scalar.text(*name, "name").value_or("");
  if (const YamlNode* text = map.find("description"))
    workload.description = scalar.text(*text, "description").value_or("");
  const YamlNode* launch = map.require("launch", "grid, block and what a block needs");
  const YamlNode* program = map.require("program", "the instructions of a warp");
  ProgramDefaults defaults;
  if (const YamlNode* level = map.find("level")) defaults.levels = read_levels(*level, "level", diagnostics);
  map.finish();
  const std::size_t errors_before = diagnostics.count();
  if (launch) workload.kernel = read_launch(*launch, diagnostics);
  // Registers and counts are only checked against a launch that is right.
  const bool launch_is_right = launch && diagnostics.count() == errors_before;
  if (program)
    workload.program = read_program(*program, "program", launch_is_right ? &workload.kernel : nullptr,
                                    defaults, diagnostics);
  workload.document = std::move(root);
  return workload;
}

std::optional<fs::path> resolve(const std::string& name, const Mark& named, Diagnostics& diagnostics)
{
  std::error_code ignored;
  const bool is_path = name == "-" || name.ends_with(".yaml") || name.ends_with(".yml") ||
                       is_trace_name(name) || fs::exists(name, ignored);
  if (is_path) return fs::path(name);
  std::vector<std::string> names;
  for (const WorkloadInfo& info : list_workloads()) {
    if (info.name == name || fs::path(info.name).filename() == name) return info.path;
    names.push_back(fs::path(info.name).filename().string());
  }
  diagnostics.error(named.source ? named : Mark{make_source("workload", name), 1, 1}, "",
                    "no workload is named '" + name + "'",
                    allowed_words(name, names) + ", or a path to a file that ends in .yaml or .traceg");
  return std::nullopt;
}

}  // namespace

std::vector<WorkloadInfo> list_workloads()
{
  std::vector<WorkloadInfo> found;
  const fs::path folder = data_folder() / "workloads";
  std::error_code ignored;
  for (const auto& file : fs::recursive_directory_iterator(folder, ignored)) {
    if (file.path().extension() != ".yaml") continue;
    Diagnostics unread;
    std::string description;
    if (const auto root = read_yaml_file(file.path(), unread)) {
      if (!root->find("launch")) continue;
      if (const YamlNode* text = root->find("description")) description = text->text;
    }
    found.push_back(
        {fs::relative(file.path(), folder).replace_extension().string(), file.path(), description});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return found;
}

Workload load_workload(const std::string& name_or_path, const std::vector<std::string>& overrides,
                       Diagnostics& diagnostics, const Mark& named)
{
  const auto path = resolve(name_or_path, named, diagnostics);
  if (!path) return {};
  if (is_trace_name(path->string())) return load_trace(*path, overrides, diagnostics);
  auto root = read_yaml_file(*path, diagnostics);
  if (!root) return {};
  return load_workload_document(std::move(*root), overrides, diagnostics);
}

Workload load_workload_document(YamlNode root, const std::vector<std::string>& overrides,
                                Diagnostics& diagnostics)
{
  if (root.kind != YamlNode::Kind::map) {
    diagnostics.error(root.mark, "", root.describe() + " is not a workload; a map of keys is expected");
    return {};
  }
  apply_overrides(root, overrides, diagnostics);
  return build(std::move(root), diagnostics);
}

Workload with_overrides(const Workload& workload, const std::vector<std::string>& overrides,
                        Diagnostics& diagnostics)
{
  if (workload.traced) return relaunched(workload, overrides, diagnostics);
  return load_workload_document(workload.document, overrides, diagnostics);
}

bool is_workload_override(std::string_view option)
{
  const std::string_view first = option.substr(0, option.find_first_of(".[="));
  return first == "launch" || first == "program" || first == "level" || first == "description" ||
         first == "trace";
}

}  // namespace smsim

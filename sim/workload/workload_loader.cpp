#include "workload/workload_loader.h"

#include "base/numbers.h"
#include "base/spelling.h"
#include "base/text_file.h"
#include "config/field_reader.h"
#include "config/yaml_reader.h"
#include "workload/attributes.h"
#include "workload/program_reader.h"

#include <algorithm>

namespace smsim {
namespace {

namespace fs = std::filesystem;

/// The grid's and the block's largest extents: CUDA Programming Guide, "Compute Capabilities".
constexpr std::array<std::uint64_t, 3> grid_limit{2147483647, 65535, 65535};
constexpr std::array<std::uint64_t, 3> block_limit{65536, 65536, 65536};

class LaunchReader {
 public:
  LaunchReader(const YamlNode& node, Diagnostics& diagnostics)
      : map_(node, "launch", diagnostics), scalar_(diagnostics), diagnostics_(diagnostics)
  {
  }

  KernelConfig read()
  {
    KernelConfig kernel;
    extents("grid", kernel.grid, grid_limit);
    extents("block", kernel.block, block_limit);
    if (kernel.threads_per_block() > 65536)
      diagnostics_.error(map_.node().find("block")->mark, "launch.block",
                         std::to_string(kernel.threads_per_block()) + " threads per block",
                         "allowed: at most 65536");
    integer("registers_per_thread", kernel.registers_per_thread, 0, 255, true);
    read_register_cap(kernel);
    if (const YamlNode* shared = map_.find("shared_memory")) {
      MapReader inner(*shared, "launch.shared_memory", diagnostics_);
      size(inner, "static", kernel.static_shared_bytes);
      size(inner, "dynamic", kernel.dynamic_shared_bytes);
      inner.finish();
    }
    if (const YamlNode* carveout = map_.find("carveout")) kernel.carveout = read_carveout(*carveout);
    integer("barriers", kernel.barriers, 0, 64, false);
    integer("cluster", kernel.cluster, 1, 64, false);
    kernel.cluster_mark = (map_.find("cluster") ? *map_.find("cluster") : map_.node()).mark;
    map_.finish();
    return kernel;
  }

 private:
  void extents(std::string_view key, std::array<std::uint32_t, 3>& target,
               const std::array<std::uint64_t, 3>& limit)
  {
    const YamlNode* node = map_.require(key, key == "grid" ? "blocks, one number or [x, y, z]"
                                                           : "threads of a block, one number or [x, y, z]");
    if (!node) return;
    const std::string path = map_.path_of(key);
    if (node->kind != YamlNode::Kind::sequence) {
      target[0] = static_cast<std::uint32_t>(scalar_.integer(*node, path, 1, limit[0]).value_or(1));
      return;
    }
    if (node->items.empty() || node->items.size() > 3) {
      diagnostics_.error(node->mark, path, "has " + std::to_string(node->items.size()) + " extents",
                         "allowed: one number, or a list of one to three, [x, y, z]");
      return;
    }
    for (std::size_t i = 0; i < node->items.size(); ++i)
      target[i] = static_cast<std::uint32_t>(scalar_.integer(node->items[i], path, 1, limit[i]).value_or(1));
  }

  template <class T>
  void integer(std::string_view key, T& target, std::uint64_t least, std::uint64_t most, bool required)
  {
    const YamlNode* node =
        required ? map_.require(key, "32-bit registers that each thread is given") : map_.find(key);
    if (!node) return;
    target = static_cast<T>(scalar_.integer(*node, map_.path_of(key), least, most).value_or(target));
  }

  void read_register_cap(KernelConfig& kernel)
  {
    const YamlNode* cap = map_.find("max_registers");
    const YamlNode* bounds = map_.find("launch_bounds");
    if (cap)
      kernel.max_registers = Located<std::uint32_t>{
          static_cast<std::uint32_t>(
              scalar_.integer(*cap, map_.path_of("max_registers"), 1, 255).value_or(255)),
          cap->mark};
    if (!bounds) return;
    if (cap)
      diagnostics_.error(bounds->mark, map_.path_of("launch_bounds"), "max_registers is given too",
                         "one of them caps the registers");
    MapReader inner(*bounds, map_.path_of("launch_bounds"), diagnostics_);
    LaunchBounds read;
    const auto number = [&](const YamlNode* node, std::string_view key, std::uint32_t& target) {
      if (node)
        target =
            static_cast<std::uint32_t>(scalar_.integer(*node, inner.path_of(key), 1, 65536).value_or(65536));
    };
    number(inner.require("threads", "the most threads that a block has"), "threads", read.threads);
    number(inner.find("min_blocks"), "min_blocks", read.min_blocks);
    inner.finish();
    kernel.launch_bounds = Located<LaunchBounds>{read, bounds->mark};
    if (inner.node().find("threads") && kernel.threads_per_block() > read.threads)
      diagnostics_.error(map_.node().find("block") ? map_.node().find("block")->mark : bounds->mark,
                         "launch.block", std::to_string(kernel.threads_per_block()) + " threads per block",
                         "launch.launch_bounds allows " + std::to_string(read.threads));
  }

  void size(MapReader& map, std::string_view key, std::uint64_t& target)
  {
    if (const YamlNode* node = map.find(key))
      target = scalar_.size(*node, map.path_of(key), 0, 1U << 30U).value_or(0);
  }

  Carveout read_carveout(const YamlNode& node)
  {
    if (node.kind == YamlNode::Kind::scalar)
      if (const auto carveout = parse_carveout(node.text)) return *carveout;
    diagnostics_.error(node.mark, "launch.carveout", node.describe() + " is not a carveout",
                       "expected: default, a percentage such as 50%, or a size such as 64 KiB");
    return {};
  }

  MapReader map_;
  ScalarReader scalar_;
  Diagnostics& diagnostics_;
};

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
  if (launch) workload.kernel = LaunchReader(*launch, diagnostics).read();
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
  const bool is_path =
      name == "-" || name.ends_with(".yaml") || name.ends_with(".yml") || fs::exists(name, ignored);
  if (is_path) return fs::path(name);
  std::vector<std::string> names;
  for (const WorkloadInfo& info : list_workloads()) {
    if (info.name == name || fs::path(info.name).filename() == name) return info.path;
    names.push_back(fs::path(info.name).filename().string());
  }
  diagnostics.error(named.source ? named : Mark{make_source("workload", name), 1, 1}, "",
                    "no workload is named '" + name + "'",
                    allowed_words(name, names) + ", or a path to a file that ends in .yaml");
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

bool is_workload_override(std::string_view option)
{
  const std::string_view first = option.substr(0, option.find_first_of(".[="));
  return first == "launch" || first == "program" || first == "level" || first == "description";
}

}  // namespace smsim

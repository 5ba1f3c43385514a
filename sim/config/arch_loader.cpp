#include "config/arch_loader.h"

#include "base/numbers.h"
#include "base/spelling.h"
#include "config/arch_checks.h"
#include "config/arch_fields.h"
#include "config/field_reader.h"
#include "config/yaml_reader.h"

#include <algorithm>
#include <cstdlib>

namespace smsim {
namespace {

namespace fs = std::filesystem;

/// Fills a config struct from a map; see arch_fields.h for the protocol.
class Loader {
 public:
  Loader(const YamlNode& node, std::string path, Diagnostics& diagnostics)
      : map_(node, std::move(path), diagnostics), scalar_(diagnostics), diagnostics_(diagnostics)
  {}

  template <class T>
  void integer(std::string_view key, T& target, Range range, std::string_view, Presence presence = Presence::required)
  {
    if (const YamlNode* node = get(key, presence))
      if (const auto value = scalar_.integer(*node, map_.path_of(key), range.least, range.most))
        target = static_cast<T>(*value);
  }

  template <class T>
  void optional_integer(std::string_view key, std::optional<T>& target, Range range, std::string_view)
  {
    const YamlNode* node = get(key, Presence::required);
    if (!node) return;
    target.reset();
    if (scalar_.is_none(*node)) return;
    if (const auto value = scalar_.integer(*node, map_.path_of(key), range.least, range.most))
      target = static_cast<T>(*value);
  }

  void size(std::string_view key, std::uint64_t& target, Range range, std::string_view)
  {
    if (const YamlNode* node = get(key, Presence::required))
      if (const auto value = scalar_.size(*node, map_.path_of(key), range.least, range.most)) target = *value;
  }

  void sizes(std::string_view key, std::vector<std::uint64_t>& target, Range range, std::string_view)
  {
    const YamlNode* node = get(key, Presence::required);
    if (!node) return;
    target.clear();
    if (node->kind != YamlNode::Kind::sequence || node->items.empty()) {
      diagnostics_.error(node->mark, map_.path_of(key), node->describe() + " is not a list of sizes",
                         "expected: such as [0 B, 8 KiB, 16 KiB]");
      return;
    }
    for (const YamlNode& item : node->items)
      if (const auto value = scalar_.size(item, map_.path_of(key), range.least, range.most)) target.push_back(*value);
  }

  template <class Enum, std::size_t n>
  void choice(std::string_view key, Enum& target, const Words<Enum, n>& words, std::string_view,
              Presence presence = Presence::required)
  {
    const YamlNode* node = get(key, presence);
    if (!node) return;
    std::vector<std::string> allowed;
    for (const auto& [word, value] : words) allowed.emplace_back(word);
    if (const auto index = scalar_.word(*node, map_.path_of(key), allowed)) target = words[*index].second;
  }

  void text(std::string_view key, std::string& target, std::string_view, Presence presence = Presence::required)
  {
    if (const YamlNode* node = get(key, presence))
      if (auto value = scalar_.text(*node, map_.path_of(key))) target = std::move(*value);
  }

  void version(std::string_view key, std::string& target, std::string_view)
  {
    const YamlNode* node = get(key, Presence::required);
    if (!node) return;
    const std::size_t point = node->text.find('.');
    const bool valid = point != std::string::npos && parse_integer(node->text.substr(0, point)) &&
                       parse_integer(node->text.substr(point + 1));
    if (valid)
      target = node->text;
    else
      diagnostics_.error(node->mark, map_.path_of(key), node->describe() + " is not a compute capability",
                         "expected: major.minor, such as 9.0");
  }

  void decimal(std::string_view key, std::uint64_t& target, std::string_view)
  {
    if (const YamlNode* node = get(key, Presence::required))
      if (const auto value = scalar_.decimal(*node, map_.path_of(key))) target = *value;
  }

  void rate(std::string_view key, std::optional<std::uint64_t>& target, std::string_view)
  {
    const YamlNode* node = get(key, Presence::required);
    if (!node) return;
    target.reset();
    if (!scalar_.is_none(*node)) target = scalar_.decimal(*node, map_.path_of(key));
  }

  template <class T>
  void section(std::string_view key, T& target, std::string_view)
  {
    group(key, [&](Loader& inner) { describe(inner, target); });
  }

  template <class Body>
  void group(std::string_view key, Body body)
  {
    const YamlNode* node = get(key, Presence::required);
    if (!node) return;
    Loader inner(*node, map_.path_of(key), diagnostics_);
    if (!inner.map_.usable()) return;
    body(inner);
    inner.finish();
  }

  template <class T>
  void table(std::string_view key, std::vector<T>& target, std::string_view)
  {
    const YamlNode* node = get(key, Presence::required);
    if (!node) return;
    target.clear();
    const MapReader entries(*node, map_.path_of(key), diagnostics_);
    for (const YamlEntry& entry : node->entries) {
      T item;
      item.name = entry.key;
      Loader inner(entry.value, join_path(entries.path(), entry.key), diagnostics_);
      if (inner.map_.usable()) {
        describe(inner, item);
        inner.finish();
      }
      target.push_back(std::move(item));
    }
  }

  void ignore(std::string_view key) { map_.find(key); }
  void finish() { map_.finish(); }

 private:
  const YamlNode* get(std::string_view key, Presence presence)
  {
    return presence == Presence::required ? map_.require(key) : map_.find(key);
  }

  MapReader map_;
  ScalarReader scalar_;
  Diagnostics& diagnostics_;
};

/// Writes a config struct as a map. Keys of an opcode that do not apply to its kind are left out.
class Writer {
 public:
  YamlNode node = YamlNode::map();

  template <class T>
  void integer(std::string_view key, T& value, Range, std::string_view, Presence presence = Presence::required)
  {
    if (presence == Presence::required || value != 0) add(key, std::to_string(value));
  }
  template <class T>
  void optional_integer(std::string_view key, std::optional<T>& value, Range, std::string_view)
  {
    add(key, value ? std::to_string(*value) : "none");
  }
  void size(std::string_view key, std::uint64_t& value, Range, std::string_view) { add(key, size_text(value)); }
  void sizes(std::string_view key, std::vector<std::uint64_t>& values, Range, std::string_view)
  {
    YamlNode list = YamlNode::sequence();
    for (const std::uint64_t value : values) list.items.push_back(YamlNode::scalar(size_text(value)));
    node.add(std::string(key), std::move(list));
  }
  template <class Enum, std::size_t n>
  void choice(std::string_view key, Enum& value, const Words<Enum, n>& words, std::string_view,
              Presence = Presence::required)
  {
    for (const auto& [word, meaning] : words)
      if (meaning == value) add(key, std::string(word));
  }
  void text(std::string_view key, std::string& value, std::string_view, Presence = Presence::required)
  {
    if (!value.empty()) add(key, value);
  }
  void version(std::string_view key, std::string& value, std::string_view) { add(key, value); }
  void decimal(std::string_view key, std::uint64_t& value, std::string_view) { add(key, decimal_text(value, 3)); }
  void rate(std::string_view key, std::optional<std::uint64_t>& value, std::string_view)
  {
    add(key, value ? decimal_text(*value, 3) : "none");
  }
  template <class T>
  void section(std::string_view key, T& value, std::string_view)
  {
    group(key, [&](Writer& inner) { describe(inner, value); });
  }
  template <class Body>
  void group(std::string_view key, Body body)
  {
    Writer inner;
    body(inner);
    node.add(std::string(key), std::move(inner.node));
  }
  template <class T>
  void table(std::string_view key, std::vector<T>& values, std::string_view)
  {
    YamlNode entries = YamlNode::map();
    for (T& value : values) {
      Writer inner;
      describe(inner, value);
      entries.add(value.name, std::move(inner.node));
    }
    node.add(std::string(key), std::move(entries));
  }

 private:
  void add(std::string_view key, std::string value) { node.add(std::string(key), YamlNode::scalar(std::move(value))); }
};

std::vector<PresetInfo> presets_in(const fs::path& folder)
{
  std::vector<PresetInfo> presets;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(folder, ignored))
    if (file.path().extension() == ".yaml") presets.push_back({file.path().stem().string(), file.path()});
  std::sort(presets.begin(), presets.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return presets;
}

bool looks_like_path(const std::string& text)
{
  return text.find('/') != std::string::npos || text.ends_with(".yaml") || text.ends_with(".yml");
}

/// The file behind a name: a path as it is (relative to `folder`), else a preset, else a shared base.
std::optional<fs::path> resolve(const std::string& name, const fs::path& folder, const Mark& mark,
                                std::string_view key, Diagnostics& diagnostics)
{
  if (looks_like_path(name)) return fs::path(name).is_absolute() ? fs::path(name) : folder / name;
  std::vector<std::string> names;
  for (const fs::path& place : {data_folder() / "arch_configs", data_folder() / "arch_configs" / "base"}) {
    for (const PresetInfo& preset : presets_in(place)) {
      if (preset.name == name) return preset.path;
      names.push_back(preset.name);
    }
  }
  diagnostics.error(mark, key, "no architecture is named '" + name + "'",
                    allowed_words(name, names) + ", or a path to a file that ends in .yaml");
  return std::nullopt;
}

/// Reads a file and lays it over its bases, deepest first. `chain` holds the files on the way, to see a cycle.
std::optional<YamlNode> read_with_bases(const fs::path& path, std::vector<fs::path>& chain, Diagnostics& diagnostics)
{
  auto root = read_yaml_file(path, diagnostics);
  if (!root) return std::nullopt;
  if (root->kind != YamlNode::Kind::map) {
    diagnostics.error(root->mark, "", root->describe() + " is not an architecture; a map of keys is expected");
    return std::nullopt;
  }
  const YamlNode* base = root->find("base");
  if (!base) return root;
  if (base->kind != YamlNode::Kind::scalar) {
    diagnostics.error(base->mark, "base", base->describe() + " is not the name or path of an architecture");
    return std::nullopt;
  }
  const auto base_path = resolve(base->text, path.parent_path(), base->mark, "base", diagnostics);
  if (!base_path) return std::nullopt;
  std::error_code missing;
  if (!fs::exists(*base_path, missing)) {
    diagnostics.error(base->mark, "base", "no such file: " + base_path->string());
    return std::nullopt;
  }
  chain.push_back(fs::weakly_canonical(path));
  const fs::path canonical = fs::weakly_canonical(*base_path);
  if (std::find(chain.begin(), chain.end(), canonical) != chain.end()) {
    diagnostics.error(base->mark, "base", "forms a cycle: " + base_path->string() + " is based on this file");
    return std::nullopt;
  }
  auto merged = read_with_bases(*base_path, chain, diagnostics);
  if (!merged) return std::nullopt;
  merge_yaml(*merged, *root);
  return merged;
}

}  // namespace

fs::path data_folder()
{
  if (const char* chosen = std::getenv("SMSIM_DATA")) return chosen;  // NOLINT(concurrency-mt-unsafe)
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = program.parent_path().parent_path() / "share" / "smsim";
  if (!program.empty() && fs::exists(installed / "arch_configs", ignored)) return installed;
  return SMSIM_SOURCE_DIR;
}

std::vector<PresetInfo> list_arch_presets()
{
  return presets_in(data_folder() / "arch_configs");
}

namespace {

std::vector<std::pair<std::string, std::string>> compute_capability_table()
{
  Diagnostics diagnostics;
  const auto root = read_yaml_file(data_folder() / "arch_configs" / "batch" / "compute_capabilities.yaml", diagnostics);
  throw_if_errors(diagnostics);
  std::vector<std::pair<std::string, std::string>> rows;
  for (const YamlEntry& entry : root->entries) rows.emplace_back(entry.key, entry.value.text);
  return rows;
}

}  // namespace

std::string preset_of_compute_capability(const std::string& compute_capability)
{
  for (const auto& [key, preset] : compute_capability_table())
    if (key == compute_capability) return preset;
  return {};
}

std::vector<std::string> known_compute_capabilities()
{
  std::vector<std::string> known;
  for (const auto& row : compute_capability_table()) known.push_back(row.first);
  return known;
}

void apply_overrides(YamlNode& root, const std::vector<std::string>& overrides, Diagnostics& diagnostics)
{
  for (const std::string& option : overrides) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0) {
      const auto source = std::make_shared<SourceText>(SourceText{"--set", {option}});
      diagnostics.error({source, 1, 1}, "", "'" + option + "' is not an override", "expected: --set path=value");
      continue;
    }
    if (auto value = parse_set_value(option, equals + 1, diagnostics))
      set_yaml_path(root, std::string_view(option).substr(0, equals), std::move(*value), diagnostics);
  }
}

ArchConfig load_arch(const std::string& name_or_path, const std::vector<std::string>& overrides, Diagnostics& diagnostics)
{
  ArchConfig arch;
  const auto option = std::make_shared<SourceText>(SourceText{"--arch", {name_or_path}});
  const auto path = resolve(name_or_path, fs::path{}, {option, 1, 1}, "", diagnostics);
  if (!path) return arch;
  std::vector<fs::path> chain;
  auto root = read_with_bases(*path, chain, diagnostics);
  if (!root) return arch;
  apply_overrides(*root, overrides, diagnostics);
  const std::size_t errors_before = diagnostics.count();
  Loader loader(*root, "", diagnostics);
  loader.ignore("base");
  describe(loader, arch);
  loader.finish();
  if (diagnostics.count() == errors_before) check_arch(arch, *root, diagnostics);
  return arch;
}

YamlNode arch_document(const ArchConfig& arch)
{
  ArchConfig copy = arch;
  Writer writer;
  describe(writer, copy);
  // An opcode's `access` means something only for memory; Writer knows keys, not meanings.
  for (YamlEntry& entry : writer.node.find("opcodes")->entries)
    if (!entry.value.find("memory"))
      std::erase_if(entry.value.entries, [](const YamlEntry& key) { return key.key == "access"; });
  return std::move(writer.node);
}

}  // namespace smsim

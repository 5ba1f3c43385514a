#include "config/arch_loader.h"

#include "base/numbers.h"
#include "base/spelling.h"
#include "base/text_file.h"
#include "config/arch_checks.h"
#include "config/arch_fields.h"
#include "config/field_reader.h"
#include "config/yaml_reader.h"

#include <algorithm>

namespace smsim {
namespace {

namespace fs = std::filesystem;

/// Fills a config struct from a map; see arch_fields.h for the protocol.
class Loader {
 public:
  Loader(const YamlNode& node, std::string path, Diagnostics& diagnostics)
      : map_(node, std::move(path), diagnostics), scalar_(diagnostics), diagnostics_(diagnostics)
  {
  }

  template <class T>
  void integer(std::string_view key, T& target, Range range, std::string_view doc,
               Presence presence = Presence::required)
  {
    if (const YamlNode* node = get(key, presence, doc))
      if (const auto value = scalar_.integer(*node, map_.path_of(key), range.least, range.most))
        target = static_cast<T>(*value);
  }

  template <class T>
  void optional_integer(std::string_view key, std::optional<T>& target, Range range, std::string_view doc,
                        Presence presence = Presence::required)
  {
    const YamlNode* node = get(key, presence, doc);
    if (!node) return;
    target.reset();
    if (scalar_.is_none(*node)) return;
    if (const auto value = scalar_.integer(*node, map_.path_of(key), range.least, range.most, ", or none"))
      target = static_cast<T>(*value);
  }

  void size(std::string_view key, std::uint64_t& target, Range range, std::string_view doc,
            Presence presence = Presence::required)
  {
    if (const YamlNode* node = get(key, presence, doc))
      if (const auto value = scalar_.size(*node, map_.path_of(key), range.least, range.most)) target = *value;
  }

  void sizes(std::string_view key, std::vector<std::uint64_t>& target, Range range, std::string_view doc)
  {
    const YamlNode* node = get(key, Presence::required, doc);
    if (!node) return;
    target.clear();
    if (node->kind != YamlNode::Kind::sequence || node->items.empty()) {
      diagnostics_.error(node->mark, map_.path_of(key), node->describe() + " is not a list of sizes",
                         "expected: such as [0 B, 8 KiB, 16 KiB]");
      return;
    }
    for (const YamlNode& item : node->items)
      if (const auto value = scalar_.size(item, map_.path_of(key), range.least, range.most))
        target.push_back(*value);
  }

  template <class Enum, std::size_t n>
  void choice(std::string_view key, Enum& target, const Words<Enum, n>& words, std::string_view doc,
              Presence presence = Presence::required)
  {
    const YamlNode* node = get(key, presence, doc);
    if (!node) return;
    std::vector<std::string> allowed;
    for (const auto& [word, value] : words)
      allowed.emplace_back(word);
    if (const auto index = scalar_.word(*node, map_.path_of(key), allowed)) target = words[*index].second;
  }

  void text(std::string_view key, std::string& target, std::string_view doc,
            Presence presence = Presence::required)
  {
    if (const YamlNode* node = get(key, presence, doc))
      if (auto value = scalar_.text(*node, map_.path_of(key))) target = std::move(*value);
  }

  void version(std::string_view key, std::string& target, std::string_view doc)
  {
    const YamlNode* node = get(key, Presence::required, doc);
    if (!node) return;
    const std::size_t point = node->text.find('.');
    const auto number = [&](std::string_view digits) { return digits.size() <= 2 && parse_integer(digits); };
    const bool valid = point != std::string::npos && number(std::string_view(node->text).substr(0, point)) &&
                       number(std::string_view(node->text).substr(point + 1));
    if (valid)
      target = node->text;
    else
      diagnostics_.error(node->mark, map_.path_of(key), node->describe() + " is not a compute capability",
                         "expected: major.minor, such as 9.0");
  }

  void decimal(std::string_view key, std::uint64_t& target, std::string_view doc)
  {
    if (const YamlNode* node = get(key, Presence::required, doc))
      if (const auto value = scalar_.decimal(*node, map_.path_of(key))) target = *value;
  }

  void rate(std::string_view key, std::optional<std::uint64_t>& target, std::string_view doc)
  {
    const YamlNode* node = get(key, Presence::required, doc);
    if (!node) return;
    target.reset();
    if (!scalar_.is_none(*node)) target = scalar_.decimal(*node, map_.path_of(key), ", or none");
  }

  template <class T>
  void section(std::string_view key, T& target, std::string_view doc, Presence presence = Presence::required)
  {
    const BreakageWatch watch{*this, key, diagnostics_.count()};
    const YamlNode* node = get(key, presence, doc);
    if (!node) return;
    Loader inner(*node, map_.path_of(key), diagnostics_);
    if (!inner.map_.usable()) return;
    describe(inner, target);
    inner.finish();
  }

  template <class T>
  void table(std::string_view key, std::vector<T>& target, std::size_t most, std::string_view doc)
  {
    const BreakageWatch watch{*this, key, diagnostics_.count()};
    const YamlNode* node = get(key, Presence::required, doc);
    if (!node) return;
    target.clear();
    const MapReader entries(*node, map_.path_of(key), diagnostics_);
    if (node->entries.size() > most) {
      diagnostics_.error(node->mark, map_.path_of(key),
                         "has " + std::to_string(node->entries.size()) + " entries",
                         "allowed: at most " + std::to_string(most));
      return;
    }
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

  /// The sections and tables in which there was an error.
  [[nodiscard]] const std::vector<std::string>& broken_sections() const { return broken_; }

 private:
  struct BreakageWatch {
    Loader& loader;
    std::string_view key;
    std::size_t errors_before;
    ~BreakageWatch()
    {
      if (loader.diagnostics_.count() != errors_before) loader.broken_.emplace_back(key);
    }
  };

  const YamlNode* get(std::string_view key, Presence presence, std::string_view doc)
  {
    return presence == Presence::required ? map_.require(key, doc) : map_.find(key);
  }

  MapReader map_;
  ScalarReader scalar_;
  Diagnostics& diagnostics_;
  std::vector<std::string> broken_;
};

bool looks_like_path(const std::string& text)
{
  return text.find('/') != std::string::npos || text.ends_with(".yaml") || text.ends_with(".yml");
}

/// The file behind a name: a path as it is (relative to `folder`), else a preset, else a shared base.
std::optional<fs::path> resolve(const std::string& name, const fs::path& folder, const Mark& mark,
                                std::string_view key, Diagnostics& diagnostics)
{
  if (looks_like_path(name)) return (folder / name).lexically_normal();
  std::vector<std::string> names;
  for (const auto& list : {list_arch_presets(), list_arch_bases()}) {
    for (const PresetInfo& preset : list) {
      if (preset.name == name) return preset.path;
      names.push_back(preset.name);
    }
  }
  diagnostics.error(mark, key, "no architecture is named '" + name + "'",
                    allowed_words(name, names) + ", or a path to a file that ends in .yaml");
  return std::nullopt;
}

/// Two ways to write a file's path are one file; a path that leads nowhere stands for itself.
fs::path plain_path(const fs::path& path)
{
  std::error_code failed;
  const fs::path found = fs::weakly_canonical(path, failed);
  return failed ? path : found;
}

/// A policy's library is looked for from the folder of the file that names it, as a base is.
void place_policy(YamlNode& root, const fs::path& folder)
{
  YamlNode* const scheduler = root.find("scheduler");
  YamlNode* const policy = scheduler ? scheduler->find("policy") : nullptr;
  if (policy && policy->kind == YamlNode::Kind::scalar && is_policy_file(policy->text))
    policy->text = (folder / policy->text).string();
}

/// Lays the file at `path`, read as `root`, over its bases, deepest first. `chain` holds the files on the
/// way, to see a cycle.
std::optional<YamlNode> lay_over_bases(YamlNode root, const fs::path& path, std::vector<fs::path>& chain,
                                       Diagnostics& diagnostics)
{
  if (root.kind != YamlNode::Kind::map) {
    diagnostics.error(root.mark, "", root.describe() + " is not an architecture; a map of keys is expected");
    return std::nullopt;
  }
  place_policy(root, path.parent_path());
  const YamlNode* base = root.find("base");
  if (!base) return root;
  if (base->kind != YamlNode::Kind::scalar) {
    diagnostics.error(base->mark, "base", base->describe() + " is not the name or path of an architecture");
    return std::nullopt;
  }
  const auto base_path = resolve(base->text, path.parent_path(), base->mark, "base", diagnostics);
  if (!base_path) return std::nullopt;
  std::error_code ignored;
  if (!fs::exists(*base_path, ignored) || fs::is_directory(*base_path, ignored)) {
    const bool exists = fs::exists(*base_path, ignored);
    diagnostics.error(base->mark, "base",
                      (exists ? "a folder, not a file: " : "no such file: ") + base_path->string());
    return std::nullopt;
  }
  chain.push_back(path);
  const auto first = std::find_if(chain.begin(), chain.end(), [&](const fs::path& file) {
    return plain_path(file) == plain_path(*base_path);
  });
  if (first != chain.end()) {
    std::string files;
    for (auto file = first; file != chain.end(); ++file)
      files += file->string() + " -> ";
    diagnostics.error(base->mark, "base", "forms a cycle: " + files + base_path->string());
    return std::nullopt;
  }
  auto below = read_yaml_file(*base_path, diagnostics);
  if (!below) return std::nullopt;
  auto merged = lay_over_bases(std::move(*below), *base_path, chain, diagnostics);
  if (!merged) return std::nullopt;
  merge_yaml(*merged, root);
  return merged;
}

ArchConfig build_overridden(YamlNode document, const std::vector<std::string>& overrides,
                            Diagnostics& diagnostics)
{
  for (const std::string& option : overrides)
    if (option.starts_with("base=") || option.starts_with("base."))
      diagnostics.error({make_source("--set", option), 1, 1}, "base", "cannot be overridden",
                        "expected: --arch with the other architecture");
  apply_overrides(document, overrides, diagnostics);
  return build_arch(document, diagnostics);
}

}  // namespace

void apply_overrides(YamlNode& root, const std::vector<std::string>& overrides, Diagnostics& diagnostics)
{
  for (const std::string& option : overrides) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0) {
      diagnostics.error({make_source("--set", option), 1, 1}, "", "'" + option + "' is not an override",
                        "expected: --set path=value");
      continue;
    }
    if (auto value = parse_set_value(option, equals + 1, diagnostics))
      set_yaml_path(root, std::string_view(option).substr(0, equals), {value->mark.source, 1, 1}, *value,
                    diagnostics);
  }
}

std::optional<YamlNode> read_arch_document(const std::string& name_or_path, const fs::path& folder,
                                           Diagnostics& diagnostics, const Mark& named)
{
  const auto path =
      resolve(name_or_path, folder, named.source ? named : Mark{make_source("--arch", name_or_path), 1, 1},
              "", diagnostics);
  if (!path) return std::nullopt;
  auto root = read_yaml_file(*path, diagnostics);
  if (!root) return std::nullopt;
  std::vector<fs::path> chain;
  return lay_over_bases(std::move(*root), *path, chain, diagnostics);
}

ArchConfig build_arch(const YamlNode& document, Diagnostics& diagnostics, ArchChecks checks)
{
  ArchConfig arch;
  Loader loader(document, "", diagnostics);
  loader.ignore("base");
  describe(loader, arch);
  loader.finish();
  if (checks == ArchChecks::all) check_arch(arch, document, loader.broken_sections(), diagnostics);
  return arch;
}

ArchConfig load_arch(const std::string& name_or_path, const std::vector<std::string>& overrides,
                     Diagnostics& diagnostics, const Mark& named)
{
  auto document = read_arch_document(name_or_path, {}, diagnostics, named);
  return document ? build_overridden(std::move(*document), overrides, diagnostics) : ArchConfig{};
}

ArchConfig load_arch_document(YamlNode root, const fs::path& path, const std::vector<std::string>& overrides,
                              Diagnostics& diagnostics)
{
  std::vector<fs::path> chain;
  auto document = lay_over_bases(std::move(root), path, chain, diagnostics);
  return document ? build_overridden(std::move(*document), overrides, diagnostics) : ArchConfig{};
}

}  // namespace smsim

#include "sweep/sweep_loader.h"

#include "base/sha256.h"
#include "config/field_reader.h"
#include "config/yaml_reader.h"
#include "sweep/sweep_bases.h"
#include "sweep/sweep_names.h"

#include <algorithm>

namespace smsim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_axes = 100;
constexpr std::uint64_t most_seeds = 100'000;
constexpr std::uint64_t most_cycles = std::uint64_t{1} << 44U;

class SweepReader {
 public:
  SweepReader(const YamlNode& root, Sweep& sweep, Diagnostics& diagnostics)
      : map_(root, "", diagnostics), scalar_(diagnostics), sweep_(sweep), diagnostics_(diagnostics)
  {
  }

  void read(const fs::path& folder)
  {
    if (const YamlNode* name = map_.require("name", "what results call the sweep"))
      sweep_.name = scalar_.text(*name, "name").value_or("");
    if (const YamlNode* text = map_.find("description"))
      sweep_.description = scalar_.text(*text, "description").value_or("");
    const YamlNode* arch =
        map_.require("arch", "the base architecture: a preset or a file, or a list of them");
    const YamlNode* workload =
        map_.require("workload", "the kernel: a shipped name or a file, or a list of them");
    const YamlNode* set = map_.find("set");
    const YamlNode* axes = map_.find("axes");
    if (const YamlNode* sample = map_.find("sample")) read_sample(*sample);
    read_seeds(map_.find("seeds"));
    sweep_.max_cycles = most_cycles;
    if (const YamlNode* bound = map_.find("max_cycles"))
      sweep_.max_cycles = scalar_.integer(*bound, "max_cycles", 1, most_cycles).value_or(1);
    if (axes) read_axes(*axes);
    const YamlNode* derived = map_.find("derived");
    const YamlNode* when = map_.find("when");
    map_.finish();
    SweepBases bases(folder, diagnostics_);
    if (arch) sweep_.archs = bases.read_archs(*arch, set);
    if (workload) sweep_.workloads = bases.read_workloads(*workload, set);
    sweep_.files = bases.files();
    SweepNames names(sweep_, diagnostics_);
    if (derived) names.read_derived(*derived);
    if (when) names.read_when(*when);
    if (set && set->kind == YamlNode::Kind::map)
      for (const YamlEntry& entry : set->entries)
        check_new("set", entry.key, entry.mark);
    for (const DerivedKey& key : sweep_.derived)
      check_new("derived", key.key, key.mark);
  }

 private:
  void read_sample(const YamlNode& node)
  {
    using Method = Sample::Method;
    if (node.kind == YamlNode::Kind::scalar) {
      if (const auto word = scalar_.word(node, "sample", {"cross", "zip"}))
        sweep_.sample.method = *word == 0 ? Method::cross : Method::zip;
      return;
    }
    MapReader map(node, "sample", diagnostics_);
    const YamlNode* random = map.find("random");
    const YamlNode* latin = map.find("latin_hypercube");
    const YamlNode* seed = map.find("seed");
    map.finish();
    if (!map.usable()) return;
    if ((random != nullptr) == (latin != nullptr)) {
      diagnostics_.error(node.mark, "sample", random ? "is taken in two ways" : "is taken in no way",
                         "expected: cross, zip, {random: 1000} or {latin_hypercube: 1000}");
      return;
    }
    constexpr std::uint64_t most = std::uint64_t{1} << 40U;
    sweep_.sample.method = random ? Method::random : Method::latin_hypercube;
    sweep_.sample.points =
        scalar_
            .integer(random ? *random : *latin, random ? "sample.random" : "sample.latin_hypercube", 1, most)
            .value_or(1);
    if (seed) sweep_.sample.seed = scalar_.integer(*seed, "sample.seed", 0, ~std::uint64_t{0}).value_or(1);
  }

  void read_seeds(const YamlNode* node)
  {
    if (!node) {
      sweep_.seeds = {1};
    } else if (node->kind == YamlNode::Kind::sequence) {
      for (const YamlNode& item : node->items) {
        const auto seed = scalar_.integer(item, "seeds", 0, (std::uint64_t{1} << 53U));
        if (seed && std::find(sweep_.seeds.begin(), sweep_.seeds.end(), *seed) != sweep_.seeds.end())
          diagnostics_.error(item.mark, "seeds", "'" + item.text + "' is given twice");
        if (seed) sweep_.seeds.push_back(*seed);
      }
      if (node->items.empty())
        diagnostics_.error(node->mark, "seeds", "an empty list: the sweep would have no point",
                           "expected: how many, or a list of at least one");
    } else {
      const std::uint64_t count = scalar_.integer(*node, "seeds", 1, most_seeds).value_or(1);
      for (std::uint64_t seed = 1; seed <= count; ++seed)
        sweep_.seeds.push_back(seed);
    }
  }

  void read_axes(const YamlNode& node)
  {
    const MapReader map(node, "axes", diagnostics_);
    if (!map.usable()) return;
    if (node.entries.empty())
      diagnostics_.error(node.mark, "axes", "an empty map: there is nothing to vary",
                         "expected: key: values");
    if (node.entries.size() > most_axes)
      diagnostics_.error(node.mark, "axes", "has " + std::to_string(node.entries.size()) + " axes",
                         "allowed: at most " + std::to_string(most_axes));
    for (const YamlEntry& entry : node.entries) {
      sweep_.axes.push_back(
          read_axis(entry.key, entry.mark, entry.value, sweep_.sample.draws(), diagnostics_));
      check_new("axes", entry.key, entry.mark);
    }
    if (sweep_.sample.method == Sample::Method::zip && diagnostics_.ok()) check_zip(node);
  }

  void check_zip(const YamlNode& node)
  {
    std::string counts;
    for (const Axis& axis : sweep_.axes)
      counts += (counts.empty() ? "" : ", ") + axis.key + " " + std::to_string(axis.count());
    for (const Axis& axis : sweep_.axes)
      if (axis.count() != sweep_.axes[0].count()) {
        diagnostics_.error(node.mark, "axes", "a zip of axes of different lengths: " + counts,
                           "expected: as many values on each, or sample: cross");
        return;
      }
  }

  /// A key has its value from one place only; one that lies within another counts as the same.
  void check_new(const std::string& where, const std::string& key, const Mark& mark)
  {
    static const std::vector<std::string> reserved{"arch",  "workload", "seed",   "base",
                                                   "point", "id",       "failure"};
    const std::string path = where + "." + key;
    if (std::find(reserved.begin(), reserved.end(), key) != reserved.end() || key.starts_with("base."))
      diagnostics_.error(mark, path, "is no key that can be varied",
                         "expected: arch:, workload: and seeds: take lists themselves");
    for (const auto& [other, place] : seen_) {
      const auto holds = [](const std::string& outer, const std::string& inner) {
        return inner.starts_with(outer) &&
               (inner.size() == outer.size() || inner[outer.size()] == '.' || inner[outer.size()] == '[');
      };
      const bool within = holds(other, key);
      const bool around = holds(key, other);
      if (!within && !around) continue;
      std::string what;
      if (other == key)
        what.append("has its value from ").append(place).append(" already");
      else
        what.append("and ").append(place).append(".").append(other).append(" are about the same key");
      diagnostics_.error(mark, path, what);
    }
    seen_.emplace_back(key, where);
  }

  MapReader map_;
  ScalarReader scalar_;
  Sweep& sweep_;
  Diagnostics& diagnostics_;
  std::vector<std::pair<std::string, std::string>> seen_;
};

/// What decides on the points, their order and their results, and nothing else: not a comment, not a name.
std::string fingerprint_of(const Sweep& sweep, const YamlNode& root)
{
  YamlNode meaning = YamlNode::map();
  for (const char* key : {"axes", "sample", "derived", "when", "seeds", "max_cycles"})
    if (const YamlNode* node = root.find(key)) meaning.add(key, *node);
  std::string text = yaml_text(meaning);
  for (const auto* bases : {&sweep.archs, &sweep.workloads})
    for (const SweepBase& base : *bases)
      text += "--- " + base.name + "\n" + yaml_text(base.document);
  return sha256(text);
}

}  // namespace

Sweep load_sweep(const fs::path& path, Diagnostics& diagnostics)
{
  const auto root = read_yaml_file(path, diagnostics);
  return root ? load_sweep_document(*root, path, diagnostics) : Sweep{};
}

Sweep load_sweep_document(const YamlNode& root, const fs::path& path, Diagnostics& diagnostics)
{
  Sweep sweep;
  if (root.kind != YamlNode::Kind::map) {
    diagnostics.error(root.mark, "", root.describe() + " is not a sweep; a map of keys is expected");
    return sweep;
  }
  const std::size_t errors_before = diagnostics.count();
  SweepReader(root, sweep, diagnostics).read(path.parent_path());
  if (diagnostics.count() != errors_before) return sweep;
  for (const std::string& line : root.mark.source->lines)
    sweep.text.append(line).append("\n");
  sweep.files.insert(sweep.files.begin(), {path.filename().string(), sha256(sweep.text)});
  sweep.fingerprint = fingerprint_of(sweep, root);
  return sweep;
}

}  // namespace smsim

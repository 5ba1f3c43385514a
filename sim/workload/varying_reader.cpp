#include "workload/varying_reader.h"

#include "base/numbers.h"
#include "config/field_reader.h"
#include "workload/attributes.h"

namespace smsim {
namespace {

constexpr std::uint64_t millionth = 1'000'000;
/// The largest number without a unit, and the largest count.
constexpr std::uint64_t most_of_all = 1'000'000'000'000;

class VaryingReader {
 public:
  VaryingReader(Quantity quantity, const KernelConfig* kernel, Diagnostics& diagnostics)
      : quantity_(quantity), kernel_(kernel), diagnostics_(diagnostics), scalar_(diagnostics)
  {
  }

  Varying read(const YamlNode& node, const std::string& path)
  {
    const std::size_t errors_before = diagnostics_.count();
    Varying number;
    if (node.kind == YamlNode::Kind::map) {
      MapReader map(node, path, diagnostics_);
      read_map(map, number);
      map.finish();
    } else {
      number.values = {read_value(node, path).value_or(1)};
    }
    if (diagnostics_.count() > errors_before) return {Varying::Per::all, {1}};
    return number;
  }

 private:
  void read_map(MapReader& map, Varying& number)
  {
    const YamlNode* per = map.require("per");
    const auto whose =
        per ? scalar_.word(*per, map.path_of("per"), {"block", "warp"}) : std::optional<std::size_t>{};
    number.per = whose == std::size_t{1} ? Varying::Per::warp : Varying::Per::block;
    const bool has_values = map.node().find("values") != nullptr;
    const bool has_distribution = map.node().find("distribution") != nullptr;
    if (has_values != has_distribution)
      return has_values ? read_values(map, whose.has_value(), number) : read_distribution(map, number);
    diagnostics_.error(map.node().mark, map.path(),
                       has_values ? "has both values and a distribution"
                                  : "says neither values nor a distribution",
                       "expected: one of values: [...] and distribution: ...");
    know_all(map);
  }

  /// Where it is open which keys belong here, those that belong nowhere are still errors.
  static void know_all(MapReader& map)
  {
    for (const char* key : {"values", "distribution", "value", "least", "most", "mean", "deviation", "median",
                            "sigma", "alpha", "low", "high", "high_share"})
      map.find(key);
  }

  void read_values(MapReader& map, bool knows_whose, Varying& number)
  {
    const YamlNode& list = *map.find("values");
    if (list.kind != YamlNode::Kind::sequence) {
      diagnostics_.error(list.mark, map.path_of("values"), list.describe() + " is not a list of numbers");
      return;
    }
    for (const YamlNode& item : list.items)
      number.values.push_back(read_value(item, map.path_of("values")).value_or(1));
    if (!kernel_ || !knows_whose) return;
    const bool per_block = number.per == Varying::Per::block;
    const std::uint64_t needed = per_block ? kernel_->blocks() : warps_per_block();
    if (number.values.size() < needed)
      diagnostics_.error(list.mark, map.path_of("values"),
                         "has " + std::to_string(number.values.size()) +
                             (number.values.size() == 1 ? " value" : " values"),
                         "needed: one for each of the " + std::to_string(needed) +
                             (per_block ? " blocks of the grid" : " warps of a block"));
  }

  /// Warps of 32 threads or fewer: an architecture with wider warps has fewer, which a longer list does not
  /// hurt.
  [[nodiscard]] std::uint64_t warps_per_block() const { return (kernel_->threads_per_block() + 31) / 32; }

  void read_distribution(MapReader& map, Varying& number)
  {
    enum Kind { constant, uniform, normal, lognormal, pareto, bimodal };
    const auto word = scalar_.word(*map.find("distribution"), map.path_of("distribution"),
                                   {"constant", "uniform", "normal", "lognormal", "pareto", "bimodal"});
    if (!word) return know_all(map);
    Distribution& drawn = number.drawn.emplace();
    drawn.most = whole_limit();
    const double unit = quantity_ == Quantity::fraction ? static_cast<double>(LevelMix::one) : 1;
    switch (static_cast<Kind>(*word)) {
    case constant:
      drawn.shape = Constant{value(map, "value")};
      break;
    case uniform: {
      const double least = value(map, "least");
      drawn.shape = Uniform{least, value(map, "most")};
      check_order(map, "least", "most");
      break;
    }
    case normal: {
      const double mean = real(map, "mean", 0, limit()) * unit;
      drawn.shape = Normal{mean, real(map, "deviation", 0, limit()) * unit};
      read_clip(map, drawn);
      break;
    }
    case lognormal: {
      const double median = real(map, "median", 1, limit()) * unit;
      drawn.shape = Lognormal{median, real(map, "sigma", 0, most_of_all)};
      read_clip(map, drawn);
      break;
    }
    case pareto: {
      const double least = real(map, "least", 1, limit()) * unit;
      drawn.shape = Pareto{least, real(map, "alpha", 1, most_of_all)};
      drawn.most = bound(map, "most", drawn.most);
      check_order(map, "least", "most");
      break;
    }
    case bimodal: {
      const double low = value(map, "low");
      const double high = value(map, "high");
      drawn.shape = Bimodal{low, high, share(map, "high_share")};
      check_order(map, "low", "high");
      read_clip(map, drawn);
      break;
    }
    }
  }

  void read_clip(MapReader& map, Distribution& drawn)
  {
    drawn.least = bound(map, "least", drawn.least);
    drawn.most = bound(map, "most", drawn.most);
    check_order(map, "least", "most");
  }

  /// The largest number of the quantity, as a user writes it.
  [[nodiscard]] std::uint64_t limit() const
  {
    if (quantity_ == Quantity::fraction) return 1;
    return quantity_ == Quantity::lanes ? 64 : most_of_all;
  }
  [[nodiscard]] std::uint64_t whole_limit() const
  {
    return quantity_ == Quantity::fraction ? LevelMix::one : limit();
  }

  std::optional<std::uint64_t> read_value(const YamlNode& node, const std::string& path)
  {
    if (quantity_ != Quantity::fraction) return scalar_.integer(node, path, 0, limit());
    const auto probability = read_probability(node, path, diagnostics_);
    return probability ? std::optional(share_of_draws(*probability)) : std::nullopt;
  }

  double value(MapReader& map, const char* key)
  {
    const YamlNode* node = map.require(key);
    return node ? static_cast<double>(read_value(*node, map.path_of(key)).value_or(0)) : 0;
  }

  std::uint64_t bound(MapReader& map, const char* key, std::uint64_t otherwise)
  {
    const YamlNode* node = map.find(key);
    return node ? read_value(*node, map.path_of(key)).value_or(otherwise) : otherwise;
  }

  double share(MapReader& map, const char* key)
  {
    const YamlNode* node = map.require(key);
    if (!node) return 0;
    const auto probability = read_probability(*node, map.path_of(key), diagnostics_);
    return static_cast<double>(probability.value_or(0)) / static_cast<double>(millionth);
  }

  /// A number of up to six places, from `least` millionths to `most` whole ones.
  double real(MapReader& map, const char* key, std::uint64_t least, std::uint64_t most)
  {
    const YamlNode* node = map.require(key);
    if (!node) return 1;
    const bool plain = node->kind == YamlNode::Kind::scalar && !node->quoted;
    const auto parsed = plain ? parse_decimal(node->text, 6) : std::nullopt;
    if (parsed && least <= *parsed && *parsed <= most * millionth)
      return static_cast<double>(*parsed) / static_cast<double>(millionth);
    diagnostics_.error(node->mark, map.path_of(key),
                       parsed ? "out of range: " + node->text : node->describe() + " is not a decimal number",
                       "expected: " + decimal_text(least, 6) + " to " + std::to_string(most) +
                           " with up to six places");
    return 1;
  }

  /// Both as written: a wrong number has had its error.
  void check_order(MapReader& map, const char* lower, const char* upper)
  {
    const YamlNode* below = map.find(lower);
    const YamlNode* above = map.find(upper);
    if (!below || !above) return;
    const auto is_number = [](const YamlNode& node) { return node.kind == YamlNode::Kind::scalar; };
    const auto from = is_number(*below) ? parse_decimal(below->text, 6) : std::nullopt;
    const auto to = is_number(*above) ? parse_decimal(above->text, 6) : std::nullopt;
    if (from && to && *to < *from)
      diagnostics_.error(above->mark, map.path_of(upper), above->text + " is below " + lower,
                         "needed: " + below->text + " or more");
  }

  Quantity quantity_;
  const KernelConfig* kernel_;
  Diagnostics& diagnostics_;
  ScalarReader scalar_;
};

}  // namespace

Varying read_varying(const YamlNode& node, const std::string& path, Quantity quantity,
                     const KernelConfig* kernel, Diagnostics& diagnostics)
{
  return VaryingReader(quantity, kernel, diagnostics).read(node, path);
}

}  // namespace smsim

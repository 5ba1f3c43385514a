#include "workload/attributes.h"

#include "base/numbers.h"
#include "workload/generators.h"

#include <algorithm>

namespace smsim {
namespace {

constexpr std::uint64_t millionths = 1'000'000;

class AttributeReader {
 public:
  AttributeReader(MapReader& map, Instruction& instruction, Diagnostics& diagnostics)
      : map_(map), instruction_(instruction), diagnostics_(diagnostics), scalar_(diagnostics)
  {
  }

  void read()
  {
    integer("stall", instruction_.stall, 0, 1'000'000'000);
    integer("sectors", instruction_.sectors, 1, 64);
    integer("bank_conflicts", instruction_.bank_conflicts, 1, 64);
    read_state();
    read_lane_stride();
    if (const YamlNode* levels = map_.find("level")) {
      instruction_.levels = read_levels(*levels, map_.path_of("level"), diagnostics_);
      instruction_.levels_given = true;
    }
    if (const YamlNode* address = map_.find("address")) read_address(*address);
    if (const YamlNode* miss = map_.find("constant_miss"))
      instruction_.constant_miss =
          share_of_draws(read_probability(*miss, map_.path_of("constant_miss"), diagnostics_).value_or(0));
    read_control_bits();
  }

 private:
  template <class T>
  const YamlNode* integer(std::string_view key, T& target, std::uint64_t least, std::uint64_t most)
  {
    const YamlNode* node = map_.find(key);
    if (!node) return nullptr;
    if (const auto value = scalar_.integer(*node, map_.path_of(key), least, most))
      target = static_cast<T>(*value);
    return node;
  }

  void read_state()
  {
    const YamlNode* state = map_.find("state");
    if (!state) return;
    instruction_.stall_state = read_stall_state(*state, map_.path_of("state"), diagnostics_);
    if (!map_.node().find("stall"))
      diagnostics_.error(state->mark, map_.path_of("state"), "has no effect",
                         "it names what a stall is charged to");
  }

  void read_lane_stride()
  {
    std::uint32_t stride = 0;
    const YamlNode* node = integer("lane_stride", stride, 0, 1'000'000);
    if (!node) return;
    instruction_.lane_stride = stride;
    if (instruction_.bank_conflicts != 0)
      diagnostics_.error(node->mark, map_.path_of("lane_stride"), "bank_conflicts is given too",
                         "one of them decides");
  }

  void read_address(const YamlNode& node)
  {
    MapReader map(node, map_.path_of("address"), diagnostics_);
    static const std::vector<std::string> words{"streaming", "strided", "block_shared", "random"};
    AddressPattern& pattern = instruction_.address;
    const YamlNode* kind = map.require("pattern");
    if (kind)
      if (const auto word = scalar_.word(*kind, map.path_of("pattern"), words))
        pattern.kind = static_cast<AddressPattern::Kind>(*word + 1);
    const bool walks =
        pattern.kind != AddressPattern::Kind::streaming && pattern.kind != AddressPattern::Kind::none;
    if (walks) size(map, "footprint", pattern.footprint);
    if (pattern.kind == AddressPattern::Kind::strided) {
      size(map, "stride", pattern.stride);
      if (pattern.stride > pattern.footprint)
        diagnostics_.error(node.mark, map.path_of("stride"), "is larger than the footprint",
                           "allowed: up to " + size_text(pattern.footprint));
    }
    map.finish();
    if (instruction_.levels_given && instruction_.levels.below_l1 != 0)
      diagnostics_.error(
          map_.node().find("level")->mark, map_.path_of("level"), "has a share for l1",
          "with an address the cache decides what L1 serves; level says who serves its misses: l2 and dram");
    if (!instruction_.levels_given)
      instruction_.levels.below_l2 = std::max(instruction_.levels.below_l1, instruction_.levels.below_l2);
    instruction_.levels.below_l1 = 0;
  }

  void size(MapReader& map, std::string_view key, std::uint64_t& target)
  {
    const YamlNode* node = map.require(key);
    if (!node) return;
    target = scalar_.size(*node, map.path_of(key), 32, std::uint64_t{1} << 40U).value_or(32);
    if (target % 32 != 0)
      diagnostics_.error(node->mark, map.path_of(key), node->describe() + " is no whole number of sectors",
                         "allowed: a multiple of 32 B");
  }

  void read_control_bits()
  {
    std::uint32_t counter = 0;
    if (integer("write_counter", counter, 0, dependence_counters - 1))
      instruction_.write_counter = static_cast<std::int8_t>(counter);
    if (integer("read_counter", counter, 0, dependence_counters - 1))
      instruction_.read_counter = static_cast<std::int8_t>(counter);
    if (const YamlNode* node = map_.find("yield"))
      instruction_.yield = scalar_.word(*node, map_.path_of("yield"), {"false", "true"}) == std::size_t{1};
    const YamlNode* wait = map_.find("wait");
    if (!wait) return;
    if (wait->kind != YamlNode::Kind::sequence || wait->items.empty()) {
      diagnostics_.error(wait->mark, map_.path_of("wait"), wait->describe() + " is not a list of counters",
                         "expected: such as [0, 3]");
      return;
    }
    for (const YamlNode& item : wait->items)
      if (const auto number = scalar_.integer(item, map_.path_of("wait"), 0, dependence_counters - 1))
        instruction_.wait_mask = static_cast<std::uint8_t>(instruction_.wait_mask | (1U << *number));
  }

  MapReader& map_;
  Instruction& instruction_;
  Diagnostics& diagnostics_;
  ScalarReader scalar_;
};

}  // namespace

WarpState read_stall_state(const YamlNode& node, const std::string& path, Diagnostics& diagnostics)
{
  std::vector<std::string> words;
  for (const WarpStateInfo& entry : warp_state_table)
    if (may_be_charged_to_a_stall(entry.state)) words.emplace_back(entry.key);
  const auto index = ScalarReader(diagnostics).word(node, path, words);
  return index ? *warp_state_of(words[*index]) : WarpState::wait;
}

std::uint64_t share_of_draws(std::uint64_t in_millionths)
{
  return (in_millionths * LevelMix::one + millionths / 2) / millionths;
}

std::optional<std::uint64_t> read_probability(const YamlNode& node, const std::string& path,
                                              Diagnostics& diagnostics)
{
  const auto parsed = node.kind == YamlNode::Kind::scalar ? parse_decimal(node.text, 6) : std::nullopt;
  if (parsed && *parsed <= millionths) return parsed;
  diagnostics.error(node.mark, path, node.describe() + " is not a probability",
                    "expected: 0 to 1 with up to six places");
  return std::nullopt;
}

LevelMix read_levels(const YamlNode& node, const std::string& path, Diagnostics& diagnostics)
{
  static const std::vector<std::string> words{"l1", "l2", "dram"};
  ScalarReader scalar(diagnostics);
  if (node.kind != YamlNode::Kind::map) {
    const std::size_t level = scalar.word(node, path, words).value_or(2);
    return {level == 0 ? LevelMix::one : 0, level <= 1 ? LevelMix::one : 0};
  }
  const std::size_t errors_before = diagnostics.count();
  MapReader map(node, path, diagnostics);
  std::uint64_t share[3] = {0, 0, 0};
  for (std::size_t i = 0; i < words.size(); ++i)
    if (const YamlNode* value = map.find(words[i]))
      share[i] = read_probability(*value, map.path_of(words[i]), diagnostics).value_or(0);
  map.finish();
  if (diagnostics.count() == errors_before && share[0] + share[1] + share[2] != millionths)
    diagnostics.error(node.mark, path,
                      "the probabilities add up to " + decimal_text(share[0] + share[1] + share[2], 6),
                      "needed: 1");
  return {share_of_draws(std::min(share[0], millionths)),
          share_of_draws(std::min(share[0] + share[1], millionths))};
}

void read_attributes(MapReader& map, Instruction& instruction, Diagnostics& diagnostics)
{
  AttributeReader(map, instruction, diagnostics).read();
}

}  // namespace smsim

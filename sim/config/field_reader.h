// Reads scalars and maps out of YamlNodes with located errors, and remembers which keys were asked for.
#pragma once

#include "base/diagnostics.h"
#include "config/yaml_node.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsim {

std::string join_path(std::string_view path, std::string_view key);

/// One scalar, checked. On an error `diagnostics` gets it and the answer is nothing.
class ScalarReader {
 public:
  explicit ScalarReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// `or_else` ends a message's list of what is allowed: ", or none".
  std::optional<std::uint64_t> integer(const YamlNode& node, std::string_view path, std::uint64_t least,
                                       std::uint64_t most, std::string_view or_else = {});
  std::optional<std::uint64_t> size(const YamlNode& node, std::string_view path, std::uint64_t least,
                                    std::uint64_t most);
  /// In thousandths.
  std::optional<std::uint64_t> decimal(const YamlNode& node, std::string_view path,
                                       std::string_view or_else = {});
  std::optional<std::string> text(const YamlNode& node, std::string_view path);
  /// The index of the word in `words`.
  std::optional<std::size_t> word(const YamlNode& node, std::string_view path,
                                  const std::vector<std::string>& words);
  bool is_none(const YamlNode& node) const
  {
    return node.kind == YamlNode::Kind::scalar && node.text == "none";
  }

 private:
  Diagnostics& diagnostics_;
};

/// One map. `find` and `require` mark a key as known; `finish` reports every key that nobody knew.
class MapReader {
 public:
  /// If `node` is no map, that is an error at once and every key counts as absent.
  MapReader(const YamlNode& node, std::string path, Diagnostics& diagnostics);

  const YamlNode* find(std::string_view key);
  /// Reports the key as missing if it is not there; `meaning`, if not empty, says what it would be good for.
  const YamlNode* require(std::string_view key, std::string_view meaning = {});
  void finish();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string path_of(std::string_view key) const { return join_path(path_, key); }
  [[nodiscard]] const YamlNode& node() const { return node_; }
  [[nodiscard]] bool usable() const { return node_.kind == YamlNode::Kind::map; }

 private:
  const YamlNode& node_;
  std::string path_;
  Diagnostics& diagnostics_;
  std::vector<std::string> known_;
};

}  // namespace smsim

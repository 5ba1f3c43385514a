#include "config/field_reader.h"

#include "base/numbers.h"
#include "base/spelling.h"

#include <algorithm>

namespace smsim {
namespace {

std::string range_text(std::uint64_t least, std::uint64_t most)
{
  return "allowed: " + std::to_string(least) + " to " + std::to_string(most);
}

std::string size_range_text(std::uint64_t least, std::uint64_t most)
{
  return "allowed: " + size_text(least) + " to " + size_text(most);
}

}  // namespace

std::string join_path(std::string_view path, std::string_view key)
{
  return path.empty() ? std::string(key) : std::string(path) + "." + std::string(key);
}

std::optional<std::uint64_t> ScalarReader::integer(const YamlNode& node, std::string_view path,
                                                   std::uint64_t least, std::uint64_t most,
                                                   std::string_view or_else)
{
  const bool plain = node.kind == YamlNode::Kind::scalar && !node.quoted;
  const auto value = plain ? parse_integer(node.text) : std::nullopt;
  const bool has_digits_only = plain && node.text.find_first_not_of("0123456789") == std::string::npos;
  if (!value && !(has_digits_only && node.text.front() != '0')) {
    diagnostics_.error(node.mark, path, node.describe() + " is not a whole number",
                       "expected: plain digits, " + std::to_string(least) + " to " + std::to_string(most) +
                           std::string(or_else));
    return std::nullopt;
  }
  if (!value || *value < least || *value > most) {
    diagnostics_.error(node.mark, path, "out of range: " + node.text,
                       range_text(least, most) + std::string(or_else));
    return std::nullopt;
  }
  return value;
}

std::optional<std::uint64_t> ScalarReader::size(const YamlNode& node, std::string_view path,
                                                std::uint64_t least, std::uint64_t most)
{
  const auto value = node.kind == YamlNode::Kind::scalar ? parse_size(node.text) : std::nullopt;
  if (!value) {
    diagnostics_.error(node.mark, path, node.describe() + " is not a size",
                       "expected: a whole number of B, KiB or MiB, such as 48 KiB");
    return std::nullopt;
  }
  if (*value < least || *value > most) {
    diagnostics_.error(node.mark, path, "out of range: " + node.text, size_range_text(least, most));
    return std::nullopt;
  }
  return value;
}

std::optional<std::uint64_t> ScalarReader::decimal(const YamlNode& node, std::string_view path,
                                                   std::string_view or_else)
{
  const auto value =
      node.kind == YamlNode::Kind::scalar && !node.quoted ? parse_decimal(node.text, 3) : std::nullopt;
  if (!value) {
    diagnostics_.error(node.mark, path, node.describe() + " is not a decimal number",
                       "expected: a number above 0 with up to three places, such as 12.8" +
                           std::string(or_else));
    return std::nullopt;
  }
  if (*value == 0 || *value > 1'000'000'000) {
    diagnostics_.error(node.mark, path, "out of range: " + node.text,
                       "allowed: 0.001 to 1000000" + std::string(or_else));
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> ScalarReader::text(const YamlNode& node, std::string_view path)
{
  if (node.kind == YamlNode::Kind::scalar && !node.text.empty()) return node.text;
  diagnostics_.error(node.mark, path, node.describe() + " is not a text");
  return std::nullopt;
}

std::optional<std::size_t> ScalarReader::word(const YamlNode& node, std::string_view path,
                                              const std::vector<std::string>& words)
{
  if (node.kind == YamlNode::Kind::scalar) {
    const auto found = std::find(words.begin(), words.end(), node.text);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  }
  const bool scalar = node.kind == YamlNode::Kind::scalar;
  diagnostics_.error(node.mark, path,
                     scalar ? "unknown value " + node.describe() : node.describe() + " is not a word",
                     allowed_words(scalar ? node.text : "", words));
  return std::nullopt;
}

MapReader::MapReader(const YamlNode& node, std::string path, Diagnostics& diagnostics)
    : node_(node), path_(std::move(path)), diagnostics_(diagnostics)
{
  if (!usable()) diagnostics_.error(node.mark, path_, node.describe() + " is not a map of keys");
}

const YamlNode* MapReader::find(std::string_view key)
{
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return node_.find(key);
}

const YamlNode* MapReader::require(std::string_view key, std::string_view meaning)
{
  const YamlNode* value = find(key);
  if (value || !usable()) return value;
  // A key that the whole file lacks has no place in it.
  const Mark mark = path_.empty() ? Mark{node_.mark.source, 0, 0} : node_.mark;
  diagnostics_.error(mark, path_of(key), "missing key",
                     meaning.empty() ? "" : "meaning: " + std::string(meaning));
  return nullptr;
}

void MapReader::finish()
{
  for (const YamlEntry& entry : node_.entries) {
    if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
    diagnostics_.error(entry.mark, path_of(entry.key), "unknown key", allowed_words(entry.key, known_));
  }
}

}  // namespace smsim

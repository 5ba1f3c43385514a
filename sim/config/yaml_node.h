// A YAML document as smsim sees it: scalars are text, nothing is guessed, every node knows where it was
// written.
#pragma once

#include "base/diagnostics.h"

#include <string>
#include <vector>

namespace smsim {

struct YamlEntry;

/// One node. Only the members of its kind are filled.
struct YamlNode {
  enum class Kind { empty, scalar, sequence, map };

  Kind kind = Kind::empty;
  Mark mark;                       ///< its first character
  std::string text;                ///< scalar: as written, without quotes
  bool quoted = false;             ///< scalar: was in quotes, so it is text even if it looks like a number
  std::vector<YamlNode> items;     ///< sequence
  std::vector<YamlEntry> entries;  ///< map, in the order of the file; keys are unique

  [[nodiscard]] const YamlNode* find(std::string_view key) const;
  [[nodiscard]] YamlNode* find(std::string_view key);
  /// "an empty value", "a map", "an empty list", "'text'" or "the quoted text '132'", for messages.
  [[nodiscard]] std::string describe() const;

  static YamlNode scalar(std::string text, Mark mark = {}, bool quoted = false);
  static YamlNode map();
  static YamlNode sequence();
  /// Appends an entry; the key must be new.
  YamlNode& add(std::string key, YamlNode value);

 private:
  static YamlNode of(Kind kind);
};

struct YamlEntry {
  std::string key;
  Mark mark;  ///< of the key
  YamlNode value;
};

// Outside the class, where YamlEntry is complete: clang 14 asks for that.
inline YamlNode YamlNode::map() { return of(Kind::map); }
inline YamlNode YamlNode::sequence() { return of(Kind::sequence); }

/// Lays `over` upon `base`: maps are merged key by key, anything else replaces what was there.
void merge_yaml(YamlNode& base, const YamlNode& over);

/// Lays a value on what is at a dotted path ("memory.l2.latency"), as merge_yaml does, making maps on the
/// way; "program[2]" is the third item of a list. Where the path leads nowhere, `diagnostics` gets an error.
/// `written` is where the path begins; the keys' marks point into it.
void set_yaml_path(YamlNode& root, std::string_view path, const Mark& written, const YamlNode& value,
                   Diagnostics& diagnostics);

/// The document as YAML text that reads back to the same nodes. Strings that could be taken for something
/// else are quoted.
std::string yaml_text(const YamlNode& node);

}  // namespace smsim

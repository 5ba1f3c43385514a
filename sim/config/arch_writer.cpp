// The effective configuration as a document: the writing visitor of arch_fields.h.
#include "base/numbers.h"
#include "config/arch_fields.h"
#include "config/arch_loader.h"

namespace smsim {
namespace {

/// Writes a config struct as a map. Keys of an opcode that do not apply to its kind are left out.
class Writer {
 public:
  YamlNode node = YamlNode::map();

  template <class T>
  void integer(std::string_view key, T& value, Range, std::string_view,
               Presence presence = Presence::required)
  {
    if (presence != Presence::if_given || value != 0) add(key, std::to_string(value));
  }
  template <class T>
  void optional_integer(std::string_view key, std::optional<T>& value, Range, std::string_view,
                        Presence = Presence::required)
  {
    add(key, value ? std::to_string(*value) : "none");
  }
  void size(std::string_view key, std::uint64_t& value, Range, std::string_view,
            Presence = Presence::required)
  {
    add(key, size_text(value));
  }
  void sizes(std::string_view key, std::vector<std::uint64_t>& values, Range, std::string_view)
  {
    YamlNode list = YamlNode::sequence();
    for (const std::uint64_t value : values)
      list.items.push_back(YamlNode::scalar(size_text(value)));
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
  void decimal(std::string_view key, std::uint64_t& value, std::string_view)
  {
    add(key, decimal_text(value, 3));
  }
  void rate(std::string_view key, std::optional<std::uint64_t>& value, std::string_view)
  {
    add(key, value ? decimal_text(*value, 3) : "none");
  }
  template <class T>
  void section(std::string_view key, T& value, std::string_view, Presence = Presence::required)
  {
    Writer inner;
    describe(inner, value);
    node.add(std::string(key), std::move(inner.node));
  }
  template <class T>
  void table(std::string_view key, std::vector<T>& values, std::size_t, std::string_view)
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
  void add(std::string_view key, std::string value)
  {
    node.add(std::string(key), YamlNode::scalar(std::move(value)));
  }
};

}  // namespace

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

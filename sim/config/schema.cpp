#include "config/schema.h"

#include "config/arch_fields.h"

#include <nlohmann/json.hpp>

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

Json integer_type(Range range)
{
  return {{"type", "integer"}, {"minimum", range.least}, {"maximum", range.most}};
}

Json or_none(Json type)
{
  return {{"anyOf", Json::array({std::move(type), {{"const", "none"}}})}};
}

Json size_type()
{
  return {{"anyOf", Json::array({{{"type", "integer"}, {"minimum", 0}},
                                 {{"type", "string"}, {"pattern", "^(0|[1-9][0-9]*) *(B|KiB|MiB)?$"}}})}};
}

Json decimal_type() { return {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1000000}}; }

Json scalar_type() { return {{"type", {"string", "number", "boolean"}}}; }

/// Two schemas at once: `properties` says what a key may hold, `complete` which keys a file without base needs.
class SchemaWriter {
 public:
  Json properties = Json::object();
  Json required = Json::array();
  Json complete = Json::object();  ///< of the sections within

  template <class T>
  void integer(std::string_view key, T&, Range range, std::string_view doc, Presence presence = Presence::required)
  {
    add(key, integer_type(range), doc, presence);
  }
  template <class T>
  void optional_integer(std::string_view key, T&, Range range, std::string_view doc)
  {
    add(key, or_none(integer_type(range)), doc);
  }
  void size(std::string_view key, std::uint64_t&, Range, std::string_view doc) { add(key, size_type(), doc); }
  void sizes(std::string_view key, std::vector<std::uint64_t>&, Range, std::string_view doc)
  {
    add(key, {{"type", "array"}, {"items", size_type()}, {"minItems", 1}}, doc);
  }
  template <class Enum, std::size_t n>
  void choice(std::string_view key, Enum&, const Words<Enum, n>& words, std::string_view doc,
              Presence presence = Presence::required)
  {
    Json allowed = Json::array();
    for (const auto& [word, value] : words) allowed.push_back(std::string(word));
    add(key, {{"enum", allowed}}, doc, presence);
  }
  void text(std::string_view key, std::string&, std::string_view doc, Presence presence = Presence::required)
  {
    add(key, scalar_type(), doc, presence);
  }
  void version(std::string_view key, std::string&, std::string_view doc)
  {
    add(key, {{"type", {"number", "string"}}, {"pattern", "^[0-9]+\\.[0-9]+$"}}, doc);
  }
  void decimal(std::string_view key, std::uint64_t&, std::string_view doc) { add(key, decimal_type(), doc); }
  void rate(std::string_view key, std::optional<std::uint64_t>&, std::string_view doc)
  {
    add(key, or_none(decimal_type()), doc);
  }
  template <class T>
  void section(std::string_view key, T& value, std::string_view doc)
  {
    group(key, [&](SchemaWriter& inner) { describe(inner, value); });
    properties[std::string(key)]["description"] = doc;
  }
  template <class Body>
  void group(std::string_view key, Body body)
  {
    SchemaWriter inner;
    body(inner);
    properties[std::string(key)] = inner.object();
    required.push_back(std::string(key));
    complete[std::string(key)] = inner.completeness();
  }
  template <class T>
  void table(std::string_view key, std::vector<T>&, std::string_view doc)
  {
    T item;
    SchemaWriter inner;
    describe(inner, item);
    properties[std::string(key)] = {{"type", "object"}, {"description", doc}, {"additionalProperties", inner.object()}};
    required.push_back(std::string(key));
    complete[std::string(key)] = {{"additionalProperties", inner.completeness()}};
  }

  [[nodiscard]] Json object() const
  {
    return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  }
  [[nodiscard]] Json completeness() const
  {
    Json out = Json::object();
    if (!required.empty()) out["required"] = required;
    if (!complete.empty()) out["properties"] = complete;
    return out;
  }

 private:
  void add(std::string_view key, Json type, std::string_view doc, Presence presence = Presence::required)
  {
    Json entry = {{"description", doc}};
    entry.update(type);
    properties[std::string(key)] = std::move(entry);
    if (presence == Presence::required) required.push_back(std::string(key));
  }
};

/// Exactly one of pipe, memory and control; a memory opcode says its access.
Json opcode_kinds()
{
  const auto kind = [](const char* key) { return Json{{"required", {key}}}; };
  return {{"oneOf", Json::array({kind("pipe"), {{"required", {"memory", "access"}}}, kind("control")})}};
}

}  // namespace

std::string arch_schema()
{
  ArchConfig arch;
  SchemaWriter writer;
  describe(writer, arch);
  Json complete = writer.completeness();
  complete["properties"]["opcodes"]["additionalProperties"] = opcode_kinds();

  Json properties = Json::object();
  properties["base"] = {{"type", "string"}, {"description", "a preset's name or a file that this one starts from"}};
  properties.update(writer.properties);
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "smsim architecture"},
                 {"type", "object"},
                 {"properties", properties},
                 {"additionalProperties", false},
                 {"if", {{"required", {"base"}}}},
                 {"then", Json::object()},
                 {"else", complete}};
  return schema.dump(2) + "\n";
}

}  // namespace smsim

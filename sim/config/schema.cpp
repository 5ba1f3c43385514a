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

Json or_none(Json type) { return {{"anyOf", Json::array({std::move(type), {{"const", "none"}}})}}; }

Json size_type(Range range)
{
  const std::string number = range.least == 0 ? "(0|[1-9][0-9]*)" : "[1-9][0-9]*";
  const Json with_unit = {{"type", "string"}, {"pattern", "^" + number + " *(B|KiB|MiB)?$"}};
  return {{"anyOf", Json::array({integer_type(range), with_unit})}};
}

Json decimal_type() { return {{"type", "number"}, {"minimum", 0.001}, {"maximum", 1000000}}; }

Json text_type()
{
  return {{"type", {"string", "number", "boolean"}},
          {"minLength", 1},
          {"pattern", "^[^\\u0000-\\u0008\\u000B-\\u001F\\u007F]*$"}};
}

/// Two schemas at once: `properties` says what a key may hold, `complete` which keys a file without base
/// needs.
class SchemaWriter {
 public:
  Json properties = Json::object();
  Json required = Json::array();
  Json complete = Json::object();  ///< of the sections within

  template <class T>
  void integer(std::string_view key, T&, Range range, std::string_view doc,
               Presence presence = Presence::required)
  {
    add(key, integer_type(range), doc, presence);
  }
  template <class T>
  void optional_integer(std::string_view key, T&, Range range, std::string_view doc,
                        Presence presence = Presence::required)
  {
    add(key, or_none(integer_type(range)), doc, presence);
  }
  void size(std::string_view key, std::uint64_t&, Range range, std::string_view doc,
            Presence presence = Presence::required)
  {
    add(key, size_type(range), doc, presence);
  }
  void sizes(std::string_view key, std::vector<std::uint64_t>&, Range range, std::string_view doc)
  {
    add(key, {{"type", "array"}, {"items", size_type(range)}, {"minItems", 1}, {"uniqueItems", true}}, doc);
  }
  template <class Enum, std::size_t n>
  void choice(std::string_view key, Enum&, const Words<Enum, n>& words, std::string_view doc,
              Presence presence = Presence::required)
  {
    Json allowed = Json::array();
    for (const auto& [word, value] : words)
      allowed.push_back(std::string(word));
    add(key, {{"enum", allowed}}, doc, presence);
  }
  void text(std::string_view key, std::string&, std::string_view doc, Presence presence = Presence::required)
  {
    add(key, text_type(), doc, presence);
  }
  void version(std::string_view key, std::string&, std::string_view doc)
  {
    add(key,
        {{"type", {"number", "string"}},
         {"pattern", "^(0|[1-9][0-9]?)\\.(0|[1-9][0-9]?)$"},
         {"minimum", 0},
         {"exclusiveMaximum", 100}},
        doc);
  }
  void decimal(std::string_view key, std::uint64_t&, std::string_view doc) { add(key, decimal_type(), doc); }
  void rate(std::string_view key, std::optional<std::uint64_t>&, std::string_view doc)
  {
    add(key, or_none(decimal_type()), doc);
  }
  template <class T>
  void section(std::string_view key, T& value, std::string_view doc, Presence presence = Presence::required)
  {
    SchemaWriter inner;
    describe(inner, value);
    properties[std::string(key)] = {{"description", doc}};
    properties[std::string(key)].update(inner.object());
    if (presence == Presence::required) required.push_back(std::string(key));
    complete[std::string(key)] = inner.completeness();
  }
  template <class T>
  void table(std::string_view key, std::vector<T>&, std::size_t most, std::string_view doc)
  {
    T item;
    SchemaWriter inner;
    describe(inner, item);
    properties[std::string(key)] = {{"type", "object"},
                                    {"description", doc},
                                    {"maxProperties", most},
                                    {"additionalProperties", inner.object()}};
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
  void add(std::string_view key, const Json& type, std::string_view doc,
           Presence presence = Presence::required)
  {
    Json entry = {{"description", doc}};
    entry.update(type);
    properties[std::string(key)] = std::move(entry);
    if (presence == Presence::required) required.push_back(std::string(key));
  }
};

Json needs(std::initializer_list<const char*> keys)
{
  Json out = Json::object();
  for (const char* key : keys)
    out["required"].push_back(key);
  return out;
}

Json none_of(std::initializer_list<Json> cases) { return {{"not", {{"anyOf", Json(cases)}}}}; }

/// `rule` where `key` is one of the words.
Json where(const char* key, std::initializer_list<const char*> words, Json rule)
{
  Json condition = needs({key});
  for (const char* word : words)
    condition["properties"][key]["enum"].push_back(word);
  return {{"if", condition}, {"then", std::move(rule)}};
}

/// What holds for any opcode, whether or not a base says more about it: no two kinds, no key without effect.
Json opcode_rules()
{
  const Json math_latency = {{"properties", {{"latency", {{"minimum", 1}}}}}};
  return Json::array(
      {none_of({needs({"pipe", "memory"}), needs({"pipe", "control"}), needs({"memory", "control"}),
                needs({"interval", "memory"}), needs({"interval", "control"}), needs({"access", "pipe"}),
                needs({"access", "control"}), needs({"result", "control"})}),
       where("memory", {"global", "local"}, none_of({needs({"latency"})})),
       where("control", {"nop", "exit"}, none_of({needs({"latency"})})),
       {{"if", needs({"pipe"})}, {"then", math_latency}}});
}

/// What an opcode needs where no base can say it.
Json complete_opcode()
{
  Json out = where("memory", {"shared"}, needs({"latency"}));
  out["anyOf"] = Json::array({needs({"pipe", "latency"}), needs({"memory", "access"}), needs({"control"})});
  return out;
}

}  // namespace

std::string arch_schema()
{
  ArchConfig arch;
  SchemaWriter writer;
  describe(writer, arch);
  Json complete = writer.completeness();
  complete["properties"]["opcodes"]["additionalProperties"] = complete_opcode();

  Json properties = Json::object();
  properties["base"] = {
      {"type", "string"},
      {"minLength", 1},
      {"description",
       "a preset's name or a .yaml file that this one starts from; maps are merged, the rest replaced"}};
  properties.update(writer.properties);
  properties["opcodes"]["additionalProperties"]["allOf"] = opcode_rules();
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "smsim architecture"},
                 {"type", "object"},
                 {"properties", properties},
                 {"additionalProperties", false},
                 {"if", {{"not", needs({"base"})}}},
                 {"then", complete}};
  return schema.dump(2) + "\n";
}

}  // namespace smsim

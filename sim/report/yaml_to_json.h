// A configuration document as JSON: whole numbers become numbers, everything else stays text.
#pragma once

#include "base/numbers.h"
#include "config/yaml_node.h"

#include <nlohmann/json.hpp>

namespace smsim {

inline nlohmann::ordered_json to_json(const YamlNode& node)
{
  using Json = nlohmann::ordered_json;
  switch (node.kind) {
  case YamlNode::Kind::empty:
    return nullptr;
  case YamlNode::Kind::scalar: {
    const auto number = node.quoted ? std::nullopt : parse_integer(node.text);
    return number ? Json(*number) : Json(node.text);
  }
  case YamlNode::Kind::sequence: {
    Json list = Json::array();
    for (const YamlNode& item : node.items)
      list.push_back(to_json(item));
    return list;
  }
  case YamlNode::Kind::map: {
    Json object = Json::object();
    for (const YamlEntry& entry : node.entries)
      object[entry.key] = to_json(entry.value);
    return object;
  }
  }
  return nullptr;
}

}  // namespace smsim

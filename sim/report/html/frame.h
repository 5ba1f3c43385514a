// What every page has around its sections: head, style, navigation, the results as JSON, the script.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace smsim::html {

struct Link {
  std::string id;
  std::string text;
};

/// A script element that holds data.
struct EmbeddedJson {
  std::string id;
  std::string text;
};
EmbeddedJson embedded(std::string id, const nlohmann::ordered_json& content);

struct Frame {
  std::string title;
  std::string subtitle;  ///< HTML
  std::vector<Link> navigation;
  std::string sections;
  std::vector<EmbeddedJson> data;
  std::string note;  ///< on the data
};

std::string page(const Frame& frame);

}  // namespace smsim::html

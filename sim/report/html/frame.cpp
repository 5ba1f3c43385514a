#include "report/html/frame.h"

#include "base/version.h"
#include "report/html/assets.h"
#include "report/html/elements.h"

#include <nlohmann/json.hpp>

namespace smsim::html {

using Json = nlohmann::ordered_json;

EmbeddedJson embedded(std::string id, const Json& content)
{
  std::string text = content.dump(-1, ' ', false, Json::error_handler_t::replace);
  // No text of the result may end the script element.
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at))
    text.replace(at, 1, "\\u003c");
  return {std::move(id), std::move(text)};
}

std::string page(const Frame& frame)
{
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data:\">\n<meta name=\"generator\" content=\"smsim " +
      std::string(version) +
      "\">\n<link rel=\"icon\" "
      "href=\"data:,\">\n<title>" +
      escaped(frame.title) + "</title>\n<style>\n" + std::string(style_sheet) +
      "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<header>\n<h1>" +
      escaped(frame.title) + "</h1>\n<p>" + frame.subtitle + "</p>\n<nav aria-label=\"Sections\">";
  for (const Link& link : frame.navigation)
    out += "<a href=\"#" + link.id + "\">" + escaped(link.text) + "</a> ";
  out +=
      "</nav>\n<button id=\"theme\" type=\"button\" hidden>Dark</button>\n</header>\n<main id=\"main\">\n" +
      frame.sections + "</main>\n<footer><p>Made by smsim " + std::string(version) +
      ". A model, not a measurement. The whole result is in this page as JSON: the elements ";
  for (std::size_t i = 0; i < frame.data.size(); ++i)
    out += (i > 0 ? ", <code>#" : "<code>#") + frame.data[i].id + "</code>";
  out += ". " + escaped(frame.note) +
         "</p></footer>\n<div id=\"tip\" role=\"status\" aria-live=\"polite\" hidden></div>\n";
  for (const EmbeddedJson& data : frame.data)
    out += "<script type=\"application/json\" id=\"" + data.id + "\">" + data.text + "</script>\n";
  return out + "<script>\n" + std::string(script) + "</script>\n</body>\n</html>\n";
}

}  // namespace smsim::html

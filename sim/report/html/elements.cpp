#include "report/html/elements.h"

#include "base/text_file.h"
#include "report/table_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace smsim::html {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::string_view narrow_space = "\u202F";

const Json& at(const Json& result, const std::string& key) { return result.at(Json::json_pointer(key)); }

/// As JSON writes it, so that the attribute and the result in the page are the same text.
std::string exact(double value) { return Json(value).dump(); }

double ratio_of(double part, double whole) { return whole == 0 ? 0 : part / whole; }

double sum_over_sms(const Json& result, std::size_t scheduler, const std::string& key)
{
  double sum = 0;
  for (const Json& part : result.at("sub_partitions"))
    if (part.at("sub_partition").get<std::size_t>() == scheduler) sum += at(part, key).get<double>();
  return sum;
}

std::string attribute(std::string_view name, std::string_view value)
{
  return " " + std::string(name) + "=\"" + escaped(value) + "\"";
}

std::string percent_text(double share) { return smsim::percent(share) + std::string(narrow_space) + "%"; }

}  // namespace

std::string escaped(std::string_view text)
{
  std::string out;
  for (std::size_t bad = find_invalid_utf8(text);; bad = find_invalid_utf8(text)) {
    for (const char c : text.substr(0, std::min(bad, text.size()))) {
      switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
      }
    }
    if (bad >= text.size()) return out;
    out += "\uFFFD";
    text.remove_prefix(bad + 1);
  }
}

std::string grouped(std::string_view digits)
{
  const std::size_t sign = digits.starts_with('-') ? 1 : 0;
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  std::string out(digits);
  for (std::size_t at = whole; at > sign + 3;) {
    at -= 3;
    out.insert(at, narrow_space);
  }
  return out;
}

std::string Numbers::element(const std::string& places, double value, const std::string& text) const
{
  return "<data" + attribute("value", exact(value)) + places +
         (run_.empty() ? "" : attribute("data-run", run_)) + ">" + text + "</data>";
}

double Numbers::value(const std::string& key) const { return at(result_, key).get<double>(); }
bool Numbers::is_null(const std::string& key) const { return at(result_, key).is_null(); }
double Numbers::share(const std::string& key, const std::string& over) const
{
  return ratio_of(value(key), value(over));
}
double Numbers::scheduler_share(std::size_t scheduler, const std::string& key, const std::string& over) const
{
  return ratio_of(sum_over_sms(result_, scheduler, key), sum_over_sms(result_, scheduler, over));
}

std::string Numbers::count(const std::string& key) const
{
  const Json& number = at(result_, key);
  return "<data" + attribute("value", number.dump()) + attribute("data-key", key) +
         (run_.empty() ? "" : attribute("data-run", run_)) + ">" + grouped(number.dump()) + "</data>";
}

std::string Numbers::ratio(const std::string& key, int places) const
{
  return element(attribute("data-key", key), value(key), grouped(fixed(value(key), places)));
}

std::string Numbers::percent(const std::string& key) const
{
  return element(attribute("data-key", key), value(key), percent_text(value(key)));
}

std::string Numbers::percent(const std::string& key, const std::string& over) const
{
  const double part = share(key, over);
  return element(attribute("data-key", key) + attribute("data-over", over), part, percent_text(part));
}

std::string Numbers::scheduler_percent(std::size_t scheduler, const std::string& key,
                                       const std::string& over) const
{
  const double part = scheduler_share(scheduler, key, over);
  return element(attribute("data-scheduler", std::to_string(scheduler)) + attribute("data-key", key) +
                     attribute("data-over", over),
                 part, fixed(part * 100, 1));
}

std::string bar_cell(double share, const std::string& content, std::string_view class_name)
{
  return "<td class=\"bar " + std::string(class_name) +
         "\" style=\"--share:" + fixed(100 * std::clamp(share, 0.0, 1.0), 2) + "%\">" + content + "</td>";
}

std::string table(const std::string& caption, const std::vector<std::vector<std::string>>& rows)
{
  std::string out = "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" + escaped(caption) +
                    "\"><table><caption><span>" + escaped(caption) + "</span></caption>\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += i == 0 ? "<thead><tr>" : "<tr>";
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      const std::string& cell = rows[i][j];
      if (cell.starts_with("<td"))
        out += cell;
      else if (i == 0)
        out += "<th scope=\"col\">" + cell + "</th>";
      else
        out += j == 0 ? "<th scope=\"row\">" + cell + "</th>" : "<td>" + cell + "</td>";
    }
    out += i == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string section(std::string_view id, std::string_view title, const std::string& content)
{
  return "<section id=\"" + std::string(id) + "\">\n<h2>" + escaped(title) + "</h2>\n" + content +
         "</section>\n";
}

std::string figure(const Figure& figure)
{
  return "<figure id=\"" + figure.id + "\" role=\"group\" aria-labelledby=\"" + figure.id +
         "-title\">\n<figcaption><h3 id=\"" + figure.id + "-title\">" + escaped(figure.title) + "</h3><p>" +
         figure.how_to_read + "</p></figcaption>\n" + figure.drawing +
         "<details class=\"alternative\"><summary>The same in text</summary>\n" + figure.alternative +
         "</details>\n</figure>\n";
}

}  // namespace smsim::html

#include "support/page.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace smsim::test {

using Json = nlohmann::ordered_json;

namespace {

std::string between(const std::string& text, const std::string& before, const std::string& after,
                    std::size_t& at)
{
  const std::size_t begin = text.find(before, at);
  if (begin == std::string::npos) {
    at = std::string::npos;
    return {};
  }
  const std::size_t end = text.find(after, begin + before.size());
  if (end == std::string::npos) throw std::runtime_error("no " + after + " behind " + before);
  at = end + after.size();
  return text.substr(begin + before.size(), end - begin - before.size());
}

std::string attribute(const std::string& tag, const std::string& name)
{
  std::size_t at = 0;
  return between(tag, " " + name + "=\"", "\"", at);
}

double sum_of(const Json& result, const std::string& scheduler, const std::string& key)
{
  if (scheduler.empty()) return result.at(Json::json_pointer(key)).get<double>();
  double sum = 0;
  for (const Json& part : result.at("sub_partitions"))
    if (part.at("sub_partition").dump() == scheduler) sum += part.at(Json::json_pointer(key)).get<double>();
  return sum;
}

/// "1 234.50" with the page's narrow spaces, which are three bytes.
std::string digits_of(const std::string& text)
{
  std::string digits;
  for (const char c : text)
    if ((c >= '0' && c <= '9') || c == '.' || c == '-') digits += c;
  return digits;
}

}  // namespace

std::vector<PageNumber> numbers_of(const std::string& page)
{
  std::vector<PageNumber> numbers;
  for (std::size_t at = 0;;) {
    const std::string element = between(page, "<data ", "</data>", at);
    if (at == std::string::npos) return numbers;
    const std::size_t close = element.find('>');
    const std::string tag = " " + element.substr(0, close);
    numbers.push_back({attribute(tag, "value"), attribute(tag, "data-key"), attribute(tag, "data-over"),
                       attribute(tag, "data-scheduler"), attribute(tag, "data-run"),
                       element.substr(close + 1)});
  }
}

Json json_of(const std::string& page, const std::string& id)
{
  std::size_t at = 0;
  return Json::parse(between(page, "<script type=\"application/json\" id=\"" + id + "\">", "</script>", at));
}

std::string fault_of(const PageNumber& number, const Json& result)
{
  const std::string name = number.key + (number.over.empty() ? "" : " / " + number.over) + " shown as '" +
                           number.text + "' (" + number.value + ")";
  double expected = sum_of(result, number.scheduler, number.key);
  if (!number.over.empty()) {
    const double whole = sum_of(result, number.scheduler, number.over);
    expected = whole == 0 ? 0 : expected / whole;
  }
  if (std::stod(number.value) != expected) return name + ": the result says " + Json(expected).dump();
  const std::string digits = digits_of(number.text);
  const bool is_percent = number.text.find('%') != std::string::npos || !number.scheduler.empty();
  const std::size_t point = digits.find('.');
  const int places = point == std::string::npos ? 0 : static_cast<int>(digits.size() - point) - 1;
  double half_of_last_place = 0.5;
  for (int i = 0; i < places; ++i)
    half_of_last_place /= 10;
  const double shown = is_percent ? expected * 100 : expected;
  // A whole number is shown whole, a fraction rounded.
  const double allowed = point == std::string::npos ? 0 : half_of_last_place * (1 + 1e-9);
  return std::abs(std::stod(digits) - shown) <= allowed ? "" : name + ": that is not " + Json(shown).dump();
}

std::string text_of(const std::string& page)
{
  std::string out;
  for (std::size_t at = 0; at < page.size();) {
    if (page[at] != '<') {
      const bool blank = page[at] == '\n' || page[at] == ' ';
      if (!blank)
        out += page[at];
      else if (!out.empty() && out.back() != ' ')
        out += ' ';
      ++at;
      continue;
    }
    for (const char* whole : {"style", "script"})
      if (page.compare(at + 1, std::string(whole).size(), whole) == 0)
        at = page.find(std::string("</") + whole, at);
    at = page.find('>', at);
    if (at == std::string::npos) break;
    ++at;
  }
  return out;
}

}  // namespace smsim::test

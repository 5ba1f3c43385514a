#include "report/result_file.h"

#include "base/text_file.h"
#include "occupancy/calculator.h"
#include "stats/memory_counts.h"
#include "stats/warp_states.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t file_limit = std::uint64_t{256} << 20U;
constexpr int most_depth = 200;  // reports go down step by step
constexpr std::string_view what_is_read = "a file that `smsim run --format json` wrote is expected";

Mark mark_at(const std::shared_ptr<const SourceText>& source, std::size_t offset)
{
  for (std::size_t line = 0; line < source->lines.size(); ++line) {
    const std::size_t length = source->lines[line].size();
    if (offset <= length) return {source, static_cast<int>(line) + 1, static_cast<int>(offset) + 1};
    offset -= length + 1;
  }
  const std::size_t last = source->lines.size();
  return {source, static_cast<int>(last), last == 0 ? 0 : static_cast<int>(source->lines.back().size()) + 1};
}

/// Characters of a text, which count how far they were read.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* read) : at_(at), read_(read) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++()
  {
    ++at_;
    ++*read_;
    return *this;
  }
  CountingIterator operator++(int)
  {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* read_;
};

/// Where each key of the objects in objects stands: "/occupancy/theoretical" to its offset. Lists are passed
/// over.
class KeyPlaces : public nlohmann::json_sax<Json> {
 public:
  explicit KeyPlaces(const std::string& text)
  {
    Json::sax_parse(CountingIterator(text.data(), &read_),
                    CountingIterator(text.data() + text.size(), &read_), this);
  }
  [[nodiscard]] std::size_t of(const std::string& pointer) const
  {
    const auto found = places_.find(pointer);
    return found == places_.end() ? 0 : found->second;
  }

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return true; }
  bool end_object() override { return value(); }
  bool start_array(std::size_t) override
  {
    ++lists_;
    return true;
  }
  bool end_array() override
  {
    --lists_;
    return value();
  }
  bool key(string_t& name) override
  {
    if (lists_ > 0) return true;
    path_.push_back(name);
    std::string pointer;
    for (const std::string& part : path_)
      pointer += "/" + part;
    places_.emplace(std::move(pointer), read_ - std::min(read_, name.size() + 2));
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override
  {
    return false;
  }

 private:
  bool value()
  {
    if (lists_ == 0 && !path_.empty()) path_.pop_back();
    return true;
  }

  std::size_t read_ = 0;
  std::size_t lists_ = 0;
  std::vector<std::string> path_;
  std::map<std::string, std::size_t> places_;
};

enum class Kind { text, number, number_or_null, flag, map };

struct Needed {
  std::string pointer;
  Kind kind;
};

/// What the reports read, parents before their children.
std::vector<Needed> needed_keys()
{
  std::vector<Needed> keys;
  for (const char* name : {"/smsim_version", "/workload", "/architecture", "/policy"})
    keys.push_back({name, Kind::text});
  keys.push_back({"/stopped_early", Kind::flag});
  for (const char* name :
       {"/seed", "/sms", "/cycles", "/instructions", "/ipc", "/active_warp_cycles", "/sm_imbalance"})
    keys.push_back({name, Kind::number});
  for (const char* name : {"/occupancy", "/occupancy/limits", "/launch", "/tail", "/tail/loss",
                           "/warp_states", "/memory", "/config", "/config/architecture", "/config/workload"})
    keys.push_back({name, Kind::map});
  for (const char* name :
       {"theoretical", "achieved", "achieved_elapsed", "blocks_per_sm", "warps_per_sm", "max_warps_per_sm"})
    keys.push_back({std::string("/occupancy/") + name, Kind::number});
  for (const LimiterInfo& limiter : limiter_table)
    keys.push_back({std::string("/occupancy/limits/") + limiter.key, Kind::number_or_null});
  for (const char* name : {"/launch/grid", "/launch/waves", "/tail/cycles", "/tail/share_of_runtime"})
    keys.push_back({name, Kind::number});
  for (const char* name :
       {"total", "exited_warps", "before_tail", "partial_wave", "uneven_blocks", "launch_order"})
    keys.push_back({std::string("/tail/loss/") + name, Kind::number});
  for (const WarpStateInfo& state : warp_state_table)
    keys.push_back({"/warp_states/" + std::string(state.key), Kind::number});
  for (const std::string_view level : level_keys) {
    const std::string path = "/memory/" + std::string(level);
    keys.push_back({path, Kind::map});
    keys.push_back({path + "/accesses", Kind::number});
    keys.push_back({path + "/bytes", Kind::number});
  }
  return keys;
}

bool is_of(const Json& value, Kind kind)
{
  switch (kind) {
  case Kind::text:
    return value.is_string();
  case Kind::number:
    return value.is_number();
  case Kind::number_or_null:
    return value.is_number() || value.is_null();
  case Kind::flag:
    return value.is_boolean();
  case Kind::map:
    return value.is_object();
  }
  return false;
}

std::string_view word_of(Kind kind)
{
  switch (kind) {
  case Kind::text:
    return "a text";
  case Kind::number:
    return "a number";
  case Kind::number_or_null:
    return "a number or null";
  case Kind::flag:
    return "true or false";
  case Kind::map:
    return "an object";
  }
  return {};
}

/// "/tail/loss" as error texts write paths.
std::string dotted(const std::string& pointer)
{
  std::string path = pointer.substr(1);
  std::replace(path.begin(), path.end(), '/', '.');
  return path;
}

std::string parent_of(const std::string& pointer) { return pointer.substr(0, pointer.rfind('/')); }

void check(const Json& result, const std::string& text, const std::shared_ptr<const SourceText>& source,
           Diagnostics& diagnostics)
{
  const KeyPlaces places(text);
  const auto mark = [&](const std::string& pointer) { return mark_at(source, places.of(pointer)); };
  const Json version = result.is_object() ? result.value("schema_version", Json()) : Json();
  if (version.is_null()) {
    diagnostics.error({source, 1, 1}, "", "this is no result of a run: it has no schema_version",
                      what_is_read);
    return;
  }
  if (version != result_schema_version) {
    diagnostics.error(mark("/schema_version"), "schema_version", "the result is of version " + version.dump(),
                      "this program reads version " + std::to_string(result_schema_version) +
                          "; run the kernel again, or use the smsim that wrote it");
    return;
  }
  for (const Needed& needed : needed_keys()) {
    const Json::json_pointer pointer(needed.pointer);
    const std::string parent = parent_of(needed.pointer);
    if (!parent.empty() &&
        !(result.contains(Json::json_pointer(parent)) && result.at(Json::json_pointer(parent)).is_object()))
      continue;  // told of the parent
    if (!result.contains(pointer))
      diagnostics.error(mark(parent), dotted(needed.pointer), "missing", what_is_read);
    else if (!is_of(result.at(pointer), needed.kind))
      diagnostics.error(mark(needed.pointer), dotted(needed.pointer),
                        "a value of the wrong kind: " + std::string(result.at(pointer).type_name()),
                        "expected: " + std::string(word_of(needed.kind)));
  }
}

}  // namespace

Json read_result_file(const std::string& path, Diagnostics& diagnostics)
{
  const auto source = read_text_file(path, file_limit, diagnostics);
  if (!source) return {};
  std::string text;
  for (const std::string& line : source->lines)
    text.append(line).append("\n");
  try {
    int depth = 0;
    Json result = Json::parse(text, [&](int now, Json::parse_event_t, const Json&) {
      depth = std::max(depth, now);
      return true;
    });
    if (depth > most_depth)
      diagnostics.error({source, 1, 1}, "",
                        "this is no result of a run: it is nested " + std::to_string(depth) + " deep",
                        what_is_read);
    else
      check(result, text, source, diagnostics);
    return result;
  } catch (const Json::parse_error& error) {
    const bool cut_off = error.byte >= text.size();
    diagnostics.error(mark_at(source, error.byte == 0 ? 0 : error.byte - 1), "",
                      text.find_first_not_of(" \t\n") == std::string::npos ? "the file is empty"
                      : cut_off ? "the file ends in the middle of its JSON"
                                : "this is no JSON",
                      what_is_read);
  } catch (const Json::out_of_range&) {
    diagnostics.error({source, 1, 1}, "", "a number is too large for JSON", what_is_read);
  }
  return {};
}

}  // namespace smsim

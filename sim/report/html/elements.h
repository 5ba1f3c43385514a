// The small pieces of a page: escaped text, numbers that say which key of the JSON result they are, tables,
// figures with their alternative in text. Nothing here knows what a page is about.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace smsim::html {

/// Text between tags or in a quoted attribute: &, <, > and quotes are escaped, bytes that are no UTF-8
/// replaced.
std::string escaped(std::string_view text);

/// 1234567 as "1 234 567", with spaces that do not break.
std::string grouped(std::string_view digits);

/// One number of a page. `<data>` holds the exact value and, as JSON pointers, where it comes from: `key`, or
/// key / over, or with `scheduler` the sum over all SMs of that key of sub-partition `scheduler` (over the
/// sum of `over`). A test and the page's reader can so hold every number against the result in the page.
class Numbers {
 public:
  /// `run` tells the results of a comparison apart: "a", "b"; "" where there is one.
  explicit Numbers(const nlohmann::ordered_json& result, std::string_view run = {})
      : result_(result), run_(run)
  {
  }

  [[nodiscard]] std::string count(const std::string& key) const;
  [[nodiscard]] std::string ratio(const std::string& key, int places = 2) const;
  [[nodiscard]] std::string percent(const std::string& key) const;
  [[nodiscard]] std::string percent(const std::string& key, const std::string& over) const;
  [[nodiscard]] std::string scheduler_percent(std::size_t scheduler, const std::string& key,
                                              const std::string& over) const;

  /// The same as plain numbers.
  [[nodiscard]] double value(const std::string& key) const;
  [[nodiscard]] double share(const std::string& key, const std::string& over) const;
  [[nodiscard]] double scheduler_share(std::size_t scheduler, const std::string& key,
                                       const std::string& over) const;
  [[nodiscard]] bool is_null(const std::string& key) const;

 private:
  [[nodiscard]] std::string element(const std::string& places, double value, const std::string& text) const;

  const nlohmann::ordered_json& result_;
  std::string run_;
};

/// A cell with a bar of that share (0 to 1) behind its content.
std::string bar_cell(double share, const std::string& content, std::string_view class_name = {});

/// Rows of finished cells; the first is the head.
std::string table(const std::string& caption, const std::vector<std::vector<std::string>>& rows);

/// `<section>` with a heading that a link of the navigation leads to.
std::string section(std::string_view id, std::string_view title, const std::string& content);

/// A figure: what it shows, what to look for, the drawing, and the same in text for those who cannot see it.
struct Figure {
  std::string id;
  std::string title;
  std::string how_to_read;  ///< a sentence or two, HTML
  std::string drawing;
  std::string alternative;  ///< a table or a list, HTML
};
std::string figure(const Figure& figure);

}  // namespace smsim::html

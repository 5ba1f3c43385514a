// Reads an HTML page of smsim back: the results in it, and the numbers that it shows.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace smsim::test {

/// A `<data>` element: what it shows, and where it says that comes from.
struct PageNumber {
  std::string value;      ///< exact
  std::string key;        ///< JSON pointer
  std::string over;       ///< "" where it is no share
  std::string scheduler;  ///< "" where it is not of one
  std::string run;        ///< "" where the page has one result
  std::string text;       ///< as shown
};

std::vector<PageNumber> numbers_of(const std::string& page);

/// The content of `<script type="application/json" id="...">`.
nlohmann::ordered_json json_of(const std::string& page, const std::string& id);

/// What is wrong with the number, held against the result; "" where nothing is.
std::string fault_of(const PageNumber& number, const nlohmann::ordered_json& result);

/// The text of a page without tags, styles and scripts; space between its words is one blank.
std::string text_of(const std::string& page);

}  // namespace smsim::test

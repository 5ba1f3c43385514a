// page.css and page.js, as the build put them into the program.
#pragma once

#include <string_view>

namespace smsim::html {

extern const std::string_view style_sheet;
extern const std::string_view script;

}  // namespace smsim::html

// When each block ran, and on which SM: a Gantt chart with a row for each place of an SM.
#pragma once

#include "report/html/sections.h"

#include <string>

namespace smsim::html {

std::string schedule_figure(const PageInput& page);

}  // namespace smsim::html

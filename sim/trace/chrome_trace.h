// Chrome's trace event format (JSON), which chrome://tracing and Perfetto open: "X" is a whole slice, "B" and
// "E" are its ends, "C" is a counter, "M" names a process or a thread.
// Times are in microseconds there: a cycle is one, so that it shows as 1.
// Source: "Trace Event Format", Google, 2016.
#pragma once

#include "trace/slice_trace.h"

namespace smsim {

std::unique_ptr<SliceFormat> make_chrome_format();

}  // namespace smsim

// Perfetto's trace format (protobuf): track events of slices and counters, for runs whose JSON no viewer
// would read. Times are in nanoseconds there: a cycle is one. Source: perfetto.dev, protos/perfetto/trace
// (trace_packet, track_event, track_descriptor, interned_data).
#pragma once

#include "trace/slice_trace.h"

namespace smsim {

std::unique_ptr<SliceFormat> make_perfetto_format();

}  // namespace smsim

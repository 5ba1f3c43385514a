// The options that say what of a run is traced: --trace and its windows.
#pragma once

#include "cli.h"
#include "trace/trace_writer.h"

namespace smsim::cli {

/// Cycles from `from` to `until`, not included.
struct CycleWindow {
  std::uint64_t from = 0;
  std::uint64_t until = never.value();
};
/// "A:B", "A:" or ":B"; all cycles where the option is not given. @throws UsageError.
CycleWindow read_cycles(const OptionParser& parser, const std::string& option);
/// "0", "0,3" or "0-3,8": numbers below `limit`, in order; `what` they are, for the message. @throws
/// UsageError.
std::vector<std::uint32_t> read_numbers(const OptionParser& parser, const std::string& option,
                                        std::uint32_t limit, const std::string& what);

void add_trace_options(OptionParser& parser);

/// What --trace asks for, or null. `sms` are those of the run.
std::unique_ptr<TraceWriter> read_trace(const OptionParser& parser, std::uint32_t sms);

/// After the run: @throws RunError where the window was behind its end; warns where the limit cut the trace.
void check_trace(const OptionParser& parser, const TraceWriter& trace, std::uint64_t cycles);

}  // namespace smsim::cli

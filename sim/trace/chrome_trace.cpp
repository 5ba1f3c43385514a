#include "trace/chrome_trace.h"

#include <nlohmann/json.hpp>

namespace smsim {
namespace {

std::string json_string(std::string_view text)
{
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class ChromeFormat final : public SliceFormat {
 public:
  void begin(TraceFile& file, const TraceRun& run) override
  {
    file.text(R"({"otherData":{"written by":"smsim","time":"1 us is 1 cycle","architecture":)");
    file.text(json_string(run.arch));
    file.text(R"(,"kernel":)");
    file.text(json_string(run.kernel));
    file.text(R"(,"policy":)");
    file.text(json_string(run.policy));
    file.text("},\n\"traceEvents\":[");
  }

  void name_sm(TraceFile& file, std::uint32_t sm) override
  {
    head(file, "M", sm, 0);
    file.text(R"(,"name":"process_name","args":{"name":"SM )");
    file.number(sm);
    file.text("\"}}");
    head(file, "M", sm, 0);
    file.text(R"(,"name":"process_sort_index","args":{"sort_index":)");
    file.number(sm);
    file.text("}}");
  }

  void name_row(TraceFile& file, std::uint32_t sm, std::uint32_t row, std::string_view name) override
  {
    head(file, "M", sm, row);
    file.text(R"(,"name":"thread_name","args":{"name":)");
    file.text(json_string(name));
    file.text("}}");
    head(file, "M", sm, row);
    file.text(R"(,"name":"thread_sort_index","args":{"sort_index":)");
    file.number(row);
    file.text("}}");
  }

  void open(TraceFile& file, std::uint32_t sm, std::uint32_t row, std::string_view name, Cycle at) override
  {
    head(file, "B", sm, row);
    time(file, at);
    file.text(R"(,"name":)");
    file.text(json_string(name));
    file.text("}");
  }

  void close(TraceFile& file, std::uint32_t sm, std::uint32_t row, Cycle at) override
  {
    head(file, "E", sm, row);
    time(file, at);
    file.text("}");
  }

  void state(TraceFile& file, std::uint32_t sm, std::uint32_t row, WarpState state, Cycle from,
             Cycle until) override
  {
    head(file, "X", sm, row);
    time(file, from);
    file.text(R"(,"dur":)");
    file.number(until - from);
    file.text(R"(,"name":")");
    file.text(info(state).key);
    file.text("\"}");
  }

  void counter(TraceFile& file, std::uint32_t sm, std::size_t which, Cycle at, std::uint32_t value) override
  {
    head(file, "C", sm, 0);
    time(file, at);
    file.text(R"(,"name":")");
    file.text(counter_names[which].name);
    file.text(R"(","args":{")");
    file.text(counter_names[which].unit);
    file.text(R"(":)");
    file.number(value);
    file.text("}}");
  }

  void end(TraceFile& file) override { file.text("\n]}\n"); }

 private:
  /// Processes and threads count from 1: viewers take process 0 for the idle one.
  void head(TraceFile& file, std::string_view phase, std::uint32_t sm, std::uint32_t row)
  {
    file.text(first_ ? "\n{\"ph\":\"" : ",\n{\"ph\":\"");
    first_ = false;
    file.text(phase);
    file.text(R"(","pid":)");
    file.number(sm + 1);
    file.text(R"(,"tid":)");
    file.number(row + 1);
  }
  static void time(TraceFile& file, Cycle at)
  {
    file.text(R"(,"ts":)");
    file.number(at.value());
  }

  bool first_ = true;
};

}  // namespace

std::unique_ptr<SliceFormat> make_chrome_format() { return std::make_unique<ChromeFormat>(); }

}  // namespace smsim

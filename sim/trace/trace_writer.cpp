#include "trace/trace_writer.h"

#include "trace/chrome_trace.h"
#include "trace/konata_trace.h"
#include "trace/perfetto_trace.h"
#include "trace/slice_trace.h"

#include <algorithm>

namespace smsim {

bool TraceWriter::wants(std::uint32_t sm) const
{
  return options_.sms.empty() ||
         std::find(options_.sms.begin(), options_.sms.end(), sm) != options_.sms.end();
}

bool TraceWriter::count_event(Cycle now)
{
  if (cut_at_) return false;
  if (events_ == options_.limit) {
    cut_at_ = now;
    return false;
  }
  ++events_;
  return true;
}

std::optional<TraceFormat> trace_format_of(const std::filesystem::path& path)
{
  const std::filesystem::path name = path.extension() == ".gz" ? path.stem() : path.filename();
  const std::filesystem::path ending = name.extension();
  if (ending == ".json") return TraceFormat::chrome;
  if (ending == ".pftrace") return TraceFormat::perfetto;
  if (ending == ".konata" || ending == ".kanata") return TraceFormat::konata;
  return std::nullopt;
}

std::uint64_t usual_limit(TraceFormat format)
{
  return format == TraceFormat::perfetto ? 20'000'000 : 1'000'000;
}

std::unique_ptr<TraceWriter> make_trace_writer(const TraceOptions& options)
{
  switch (trace_format_of(options.path).value()) {
  case TraceFormat::chrome:
    return std::make_unique<SliceTrace>(options, make_chrome_format());
  case TraceFormat::perfetto:
    return std::make_unique<SliceTrace>(options, make_perfetto_format());
  case TraceFormat::konata:
    return std::make_unique<KonataTrace>(options);
  }
  return nullptr;
}

}  // namespace smsim

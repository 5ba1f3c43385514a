#include "report/kernel_list_report.h"

#include "base/version.h"
#include "report/table_text.h"

namespace smsim {

void KernelListReport::add(const RunContext& context)
{
  std::string report = format_ == Format::json  ? json_report(context)
                       : format_ == Format::csv ? csv_report(context)
                                                : text_report(context);
  // One header line for all rows.
  if (format_ == Format::csv && !reports_.empty()) report.erase(0, report.find('\n') + 1);
  reports_.push_back(std::move(report));
  cycles_ += context.result.cycles;
  instructions_ += context.result.instructions();
}

std::string KernelListReport::finish() const
{
  std::string out;
  if (format_ == Format::json) {
    out = "{\n\"schema_version\": 1,\n\"smsim_version\": \"" + std::string(version) + "\",\n\"kernels\": [\n";
    for (const std::string& report : reports_)
      out += (&report == &reports_.front() ? "" : ",\n") + report;
    return out + "],\n\"total\": {\"kernels\": " + std::to_string(reports_.size()) +
           ", \"cycles\": " + std::to_string(cycles_) +
           ", \"instructions\": " + std::to_string(instructions_) + "}\n}\n";
  }
  for (const std::string& report : reports_)
    out += (out.empty() || format_ == Format::csv ? "" : "\n") + report;
  if (format_ == Format::csv) return out;
  ReportSection total("Total");
  total.row("Kernels", std::uint64_t{reports_.size()}, "one after the other")
      .row("Elapsed Cycles", cycles_, "cycles")
      .row("Executed Instructions", instructions_, "instructions");
  return out + "\n" + total.text();
}

}  // namespace smsim

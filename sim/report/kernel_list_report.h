// The report of kernels that run one after the other: each kernel's own, and the total.
#pragma once

#include "report/run_reports.h"

#include <cstdint>
#include <string>
#include <vector>

namespace smsim {

class KernelListReport {
 public:
  enum class Format { text, json, csv };
  explicit KernelListReport(Format format) : format_(format) {}

  void add(const RunContext& context);
  /// text: the reports and a total behind them; json: {"kernels": [...], "total": {...}}; csv: a row a
  /// kernel.
  [[nodiscard]] std::string finish() const;

 private:
  Format format_;
  std::vector<std::string> reports_;
  std::uint64_t cycles_ = 0;
  std::uint64_t instructions_ = 0;
};

}  // namespace smsim

// Traces of kernels for tests, written as their tracer writes them.
#pragma once

#include "workload/workload_loader.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace smsim::test {

struct TraceText {
  std::string version = "3";
  std::string grid = "(1,1,1)";
  std::string block = "(32,1,1)";
  std::string registers = "32";
  std::string shared = "0";
  bool line_numbers = false;
  std::vector<std::string> warps;  ///< of block 0,0,0: lines of instructions
  /// Instead of `warps`: blocks, in the file's order.
  std::vector<std::pair<std::string, std::vector<std::string>>> blocks;

  [[nodiscard]] std::string text() const;
};

/// The trace as a workload; throws InputError where it is none.
Workload load(const TraceText& text);

/// Small and odd: several blocks and warps, loads, stores and shared accesses of random threads, barriers.
TraceText random_trace(std::uint64_t number);

}  // namespace smsim::test

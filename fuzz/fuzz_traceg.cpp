// Any bytes as a trace: told what is wrong, or read and every block read back.
#include "workload/trace_loader.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace smsim;
  const int file = ::memfd_create("trace", 0);
  if (file < 0 || ::write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  Diagnostics diagnostics;
  const Workload workload = load_trace("/proc/self/fd/" + std::to_string(file), {}, diagnostics);
  ::close(file);
  if (!diagnostics.ok()) {
    if (diagnostics.text().empty()) std::abort();
    return 0;
  }
  std::uint64_t instructions = 0;
  for (std::uint64_t number = 0; number < workload.program.trace->blocks(); ++number) {
    const auto block = workload.program.trace->read(BlockId{number});
    for (const TraceWarp& warp : *block)
      instructions += warp.steps.size();
  }
  if (instructions != workload.traced->instructions) std::abort();
  return 0;
}

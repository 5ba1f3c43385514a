// Reads what nvcc prints with -Xptxas -v or --resource-usage: one record for each kernel and architecture.
//
//   ptxas info    : Compiling entry function '_Z4tilePf' for 'sm_90'
//   ptxas info    : Function properties for _Z4tilePf
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 10 registers, used 1 barriers, 4224 bytes smem
//
// Everything else in the log (commands, warnings, other tools' lines, whatever a build tool puts before a
// line) is passed over. With relocatable device code the linker has the last word on a kernel's registers and
// shared memory:
//
//   nvlink info    : Function properties for '_Z4tilePf': (target: sm_90)
//   nvlink info    : used 12 registers, 0 stack, 4224 bytes smem, 528 bytes cmem[0], 0 bytes lmem (target:
//   sm_90)
#pragma once

#include "base/diagnostics.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsim {

/// What a kernel takes of one constant bank.
struct ConstantBank {
  std::uint32_t bank = 0;
  std::uint64_t bytes = 0;
};

/// One kernel compiled for one architecture.
struct PtxasKernel {
  std::string name;                ///< as in the log
  std::string demangled_name;      ///< the same as `name` where that is no mangled name
  std::string target;              ///< "sm_90a"; "" where the log does not say (nvlink, for one architecture)
  std::string compute_capability;  ///< "9.0"; "" where `target` is
  std::uint32_t registers = 0;     ///< per thread
  std::optional<std::uint32_t> barriers;           ///< nothing: the compiler was too old to say
  std::uint64_t static_shared_bytes = 0;           ///< without the driver's reserve
  std::optional<std::uint64_t> stack_frame_bytes;  ///< these three: nothing in a log of nvlink alone
  std::optional<std::uint64_t> spill_store_bytes;
  std::optional<std::uint64_t> spill_load_bytes;
  std::uint64_t cumulative_stack_bytes = 0;
  std::uint64_t local_bytes = 0;
  std::vector<ConstantBank> constant_banks;  ///< in the log's order
  bool linked = false;                       ///< registers and shared memory are the linker's
  Mark where;                                ///< the line that has the registers

  /// All constant banks together.
  [[nodiscard]] std::uint64_t constant_bytes() const;
};

/// Reads every kernel of a log, in the log's order. A kernel that was compiled more than once (for several
/// architectures, in several files) is there more than once; one that was compiled and then linked is there
/// once. A "Used" line with no entry function before it, an entry function with no "Used" line after it, a
/// malformed number and a log without a kernel are errors in `diagnostics`.
std::vector<PtxasKernel> parse_ptxas_log(const std::shared_ptr<const SourceText>& source,
                                         Diagnostics& diagnostics);

/// Says what a kernel was compiled for where the log does not (nothing happens where it does). The linker
/// counts the driver's reserve to static shared memory for 9.0, so that this may make `static_shared_bytes`
/// smaller.
void assume_compute_capability(PtxasKernel& kernel, std::string_view compute_capability);

}  // namespace smsim

// A kernel's trace as a workload: its launch from the header, its instructions by the SASS table, what each
// warp did as a KernelTrace. The file is read once, from begin to end.
#pragma once

#include "workload/traceg_reader.h"
#include "workload/workload_loader.h"

#include <map>

namespace smsim {

/// What a trace says about its kernel, counted while it was read.
struct TraceFacts {
  /// One of the instructions of Program::code.
  struct Op {
    std::string sass;
    std::uint32_t width = 0;     ///< bytes of a thread; 0: no access
    std::uint64_t executed = 0;  ///< by warps
    std::uint64_t threads = 0;   ///< that took part, in all
    std::uint64_t partial = 0;   ///< executions in which not all of the warp's threads took part
    std::uint64_t units = 0;     ///< sectors or words touched, in all
  };

  TracegHeader header;
  std::vector<Op> ops;
  std::uint64_t instructions = 0;
  std::uint64_t silent_warps = 0;  ///< without an instruction
  std::map<std::string, std::uint64_t>
      unknown;  ///< mnemonics that the SASS table has no row for, how often executed

  [[nodiscard]] std::uint64_t unknown_instructions() const;
};

/// Does the name end as a trace's does: .traceg, alone or with .xz or .gz?
bool is_trace_name(std::string_view name);

/// `overrides` may speak of launch.carveout, launch.barriers, launch.max_registers, launch.launch_bounds,
/// level and trace.unknown_opcode: the rest is as it was traced.
Workload load_trace(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                    Diagnostics& diagnostics);

/// The same trace under further overrides, or as another document says; a launch that was not traced is an
/// error.
Workload relaunched(Workload workload, const std::vector<std::string>& overrides, Diagnostics& diagnostics);
Workload relaunched(Workload workload, YamlNode document, Diagnostics& diagnostics);

}  // namespace smsim

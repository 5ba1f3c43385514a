// Workload files: find, read, override, check.
#pragma once

#include "config/arch_loader.h"
#include "config/kernel_config.h"
#include "workload/program.h"
#include "workload/spill_pass.h"

#include <string>
#include <vector>

namespace smsim {

struct TraceFacts;

struct Workload {
  std::string name;
  std::string description;
  KernelConfig kernel;
  Program program;
  YamlNode document;                         ///< what was read, overrides included
  std::shared_ptr<const TraceFacts> traced;  ///< of a traced kernel
  std::optional<Spills>
      spills;  ///< where a register cap has been applied: kernel and program are those under it
};

/// The shipped workloads: name ("lessons/vector_add"), path and the description in the file.
struct WorkloadInfo {
  std::string name;
  std::filesystem::path path;
  std::string description;
};
std::vector<WorkloadInfo> list_workloads();

/// Reads a workload by its shipped name (with or without its folder) or by a path, which may be a trace's.
/// `overrides` are "path=value" words. Errors go to `diagnostics`; the answer is then not usable.
/// `named` is where the user gave the name, if not alone.
Workload load_workload(const std::string& name_or_path, const std::vector<std::string>& overrides,
                       Diagnostics& diagnostics, const Mark& named = {});

/// The same for a workload file that was read already.
Workload load_workload_document(YamlNode root, const std::vector<std::string>& overrides,
                                Diagnostics& diagnostics);

/// A workload that was loaded, with further overrides.
Workload with_overrides(const Workload& workload, const std::vector<std::string>& overrides,
                        Diagnostics& diagnostics);

/// Does this "path=value" override speak of a workload (launch, memory level, program) rather than an
/// architecture?
bool is_workload_override(std::string_view option);

}  // namespace smsim

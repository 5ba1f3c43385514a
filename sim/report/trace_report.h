// What a traced kernel is and does, before any run: launch, theoretical occupancy where it was made for,
// instruction mix, accesses, divergence.
#pragma once

#include "config/arch_config.h"
#include "workload/workload_loader.h"

#include <string>

namespace smsim {

std::string trace_text(const ArchConfig& arch, const Workload& workload);
/// One object; keys in docs/kernel_traces.md.
std::string trace_info_json(const ArchConfig& arch, const Workload& workload);

}  // namespace smsim

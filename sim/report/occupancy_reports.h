// Reports of the occupancy calculator: pure functions of an architecture and a launch.
#pragma once

#include "occupancy/cliffs.h"

#include <string>

namespace smsim {

/// Limits, what binds, allocation and suggestion, in Nsight Compute's words.
std::string occupancy_text(const ArchConfig& arch, const KernelConfig& kernel);
/// One object; keys in docs/results.md.
std::string occupancy_json(const ArchConfig& arch, const KernelConfig& kernel);
/// The arithmetic of each limit as a textbook would write it, what rounding cost, and the nearest cliffs.
std::string occupancy_explanation(const ArchConfig& arch, const KernelConfig& kernel);
/// A curve with a bar for each point; the launch's own value is marked.
std::string curve_text(const ArchConfig& arch, const KernelConfig& kernel, LaunchNumber over);
std::string curve_json(const ArchConfig& arch, const KernelConfig& kernel, LaunchNumber over);

}  // namespace smsim

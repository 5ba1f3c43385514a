// The attributes of an instruction that is written as a map: everything but its assembly line.
#pragma once

#include "config/field_reader.h"
#include "workload/program.h"

namespace smsim {

/// A probability or fraction, in millionths.
std::optional<std::uint64_t> read_probability(const YamlNode& node, const std::string& path,
                                              Diagnostics& diagnostics);
/// The same in 1 / 2^32, to the nearest.
std::uint64_t share_of_draws(std::uint64_t in_millionths);

/// Reads a level: a word (l1, l2, dram) or a map of probabilities that add up to 1.
LevelMix read_levels(const YamlNode& node, const std::string& path, Diagnostics& diagnostics);

/// Reads the state that a stall is charged to.
WarpState read_stall_state(const YamlNode& node, const std::string& path, Diagnostics& diagnostics);

/// Reads every attribute of `map` into `instruction`. Unknown keys are left for the caller's finish().
void read_attributes(MapReader& map, Instruction& instruction, Diagnostics& diagnostics);

}  // namespace smsim

// The rows of public_cases.yaml: public questions and reports about occupancy.
#pragma once

#include "config/arch_loader.h"
#include "config/kernel_config.h"
#include "occupancy/calculator.h"
#include "support/kernels.h"

#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <string>
#include <vector>

namespace smsim::test {

inline const YAML::Node& public_cases()
{
  static const YAML::Node rows = YAML::LoadFile(SMSIM_SOURCE_DIR "/tests/reference/public_cases.yaml");
  return rows;
}

inline std::vector<YAML::Node> rows_of(const std::string& kind)
{
  std::vector<YAML::Node> rows;
  for (const YAML::Node& row : public_cases())
    if (row["kind"].as<std::string>() == kind) rows.push_back(row);
  return rows;
}

inline YAML::Node row_named(const std::string& id)
{
  for (const YAML::Node& row : public_cases())
    if (row["id"].as<std::string>() == id) return row;
  FAIL("no row " << id);
  return {};
}

inline std::uint64_t number(const YAML::Node& map, const char* key, std::uint64_t otherwise = 0)
{
  return map[key] ? map[key].as<std::uint64_t>() : otherwise;
}

/// The preset of a compute capability; where there is none, a file of limits made for these rows; with the
/// row's SMs.
inline ArchConfig arch_of(const std::string& capability, const YAML::Node& inputs)
{
  static const std::map<std::string, std::string> made_for_these_rows{
      {"1.3", "cc13.yaml"}, {"2.0", "cc20.yaml"}, {"3.0", "cc30.yaml"}, {"3.7", "cc37.yaml"}};
  std::string name = preset_of_compute_capability(capability);
  if (const auto file = made_for_these_rows.find(capability);
      name.empty() && file != made_for_these_rows.end())
    name = SMSIM_SOURCE_DIR "/tests/reference/archs/" + file->second;
  REQUIRE_MESSAGE(name != "", "compute capability ", capability,
                  " has neither a preset nor a file in archs/");
  std::vector<std::string> overrides;
  if (inputs["num_sms"]) overrides.push_back("sms=" + inputs["num_sms"].as<std::string>());
  return arch(name, overrides);
}

inline ArchConfig arch_of(const YAML::Node& inputs)
{
  return arch_of(inputs["compute_capability"].as<std::string>(), inputs);
}

inline double percent_of(const Occupancy& occupancy) { return 100 * occupancy.ratio(); }

}  // namespace smsim::test

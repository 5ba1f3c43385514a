// The parts of an Occupancy that several JSON results hold.
#pragma once

#include "occupancy/calculator.h"

#include <nlohmann/json.hpp>

namespace smsim {

inline nlohmann::ordered_json limits_json(const Occupancy& occupancy)
{
  nlohmann::ordered_json limits = nlohmann::ordered_json::object();
  for (const LimiterInfo& info : limiter_table) {
    const BlockLimit& limit = occupancy.limit(info.limiter);
    if (limit)
      limits[info.key] = *limit;
    else
      limits[info.key] = nullptr;
  }
  return limits;
}

inline nlohmann::ordered_json limiters_json(const Occupancy& occupancy)
{
  nlohmann::ordered_json limiters = nlohmann::ordered_json::array();
  for (const Limiter limiter : occupancy.limiters)
    limiters.push_back(limiter_table[static_cast<std::size_t>(limiter)].key);
  return limiters;
}

}  // namespace smsim

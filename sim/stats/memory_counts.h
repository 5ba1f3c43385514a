// How many global and local accesses each memory level served, and their bytes; how many of them were spills.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace smsim {

enum class Level { l1, l2, dram };
inline constexpr std::size_t level_count = 3;
constexpr std::size_t index_of(Level level) { return static_cast<std::size_t>(level); }
inline constexpr std::array<std::string_view, level_count> level_keys{"l1", "l2", "dram"};

/// By Level: the one that had the data.
struct MemoryCounts {
  std::array<std::uint64_t, level_count> accesses{};
  std::array<std::uint64_t, level_count> bytes{};
  std::uint64_t l1_decisions = 0;  ///< loads that L1 looked up, or that were drawn from levels with L1
  std::uint64_t l1_hits = 0;       ///< of those, served by L1
  std::uint64_t spill_loads = 0;   ///< of all accesses, those to a spilled register's slot
  std::uint64_t spill_stores = 0;

  /// Nothing where no load had anything to do with L1.
  [[nodiscard]] std::optional<double> l1_hit_rate() const
  {
    if (l1_decisions == 0) return std::nullopt;
    return static_cast<double>(l1_hits) / static_cast<double>(l1_decisions);
  }

  MemoryCounts& operator+=(const MemoryCounts& other)
  {
    for (std::size_t i = 0; i < level_count; ++i) {
      accesses[i] += other.accesses[i];
      bytes[i] += other.bytes[i];
    }
    l1_decisions += other.l1_decisions;
    l1_hits += other.l1_hits;
    spill_loads += other.spill_loads;
    spill_stores += other.spill_stores;
    return *this;
  }
};

}  // namespace smsim

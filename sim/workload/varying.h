// A number that a program needs: the same for all, or one for each block or each warp of a block, from a list
// or drawn.
#pragma once

#include "workload/distribution.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace smsim {

struct Varying {
  enum class Per { all, block, warp };
  Per per = Per::all;
  std::vector<std::uint64_t> values{};  ///< one; or one for each block of the grid, or each warp of a block
  std::optional<Distribution> drawn{};  ///< instead of `values`: once for each block, or warp of each block
  std::uint64_t seed = 0;               ///< of the draws; with `site`, known when the program is bound
  std::uint32_t site = 0;

  /// A draw is made anew for each who asks: it is the same, and a grid of any size takes no memory.
  [[nodiscard]] std::uint64_t of(std::uint64_t block, std::uint32_t warp) const
  {
    if (drawn) return drawn->draw({seed, block, per == Per::warp ? warp : 0, site, 0});
    if (per == Per::block) return values[block];
    return per == Per::warp ? values[warp] : values.front();
  }

  /// Whether some block or warp may get one of from ... to.
  [[nodiscard]] bool may_be(std::uint64_t from, std::uint64_t to) const;
  /// The largest that any of them may get.
  [[nodiscard]] std::uint64_t largest() const;
  /// Over the values that are listed; of a distribution, over 4096 draws spread evenly.
  [[nodiscard]] double average() const;
};

}  // namespace smsim

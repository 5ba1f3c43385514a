// The L1 data cache of an SM: set-associative, least recently used, lines of 32-byte sectors. Stores go
// through without taking a place, but for those of spilled registers, which stay until their line must go.
// Its size is what the shared-memory carveout leaves. Asked in the issue phase, in the order in which
// accesses leave the memory queues; it knows nothing of bandwidth.
//
// A sector that is on its way counts as present from its fill on: an access that comes before merges with the
// one that asked for it and waits for the same fill.
#pragma once

#include "base/ids.h"
#include "sm/state_key.h"
#include "workload/kernel_trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace smsim {

struct L1Shape {
  std::uint64_t bytes = 0;
  std::uint32_t line_bytes = 128;  ///< a power of two, 32 to 1024
  std::uint32_t ways = 4;
};

/// The warp that brought a line, and where it is.
struct L1Owner {
  BlockId block{0};
  std::uint32_t warp = 0;
  std::uint32_t part = 0;  ///< sub-partition
  WarpSlot slot{0};
};

/// `owner` brought the line, or had brought it and it had to go.
struct L1Change {
  std::uint64_t line;
  L1Owner owner;
  bool lost;
};

class L1Cache {
 public:
  explicit L1Cache(const L1Shape& shape);

  /// What a lookup found of the sectors that it asked for.
  struct Lookup {
    std::uint32_t missing = 0;     ///< sectors that must be fetched
    Cycle filled{0};               ///< when the last of those on their way is there; 0: all are
    std::uint32_t given_back = 0;  ///< sectors, written here before, of lines that had to go
  };

  /// Looks up `sectors` consecutive sectors from `address` on, for a load that leaves the queue at `now`.
  /// Sectors that are missing get a place; `fill` must follow with the cycle of their arrival.
  Lookup load(std::uint64_t address, std::uint32_t sectors, Cycle now, const L1Owner& by = {});
  /// The same for sectors that a trace gives.
  Lookup load(std::span<const AccessRun> sectors, Cycle now, const L1Owner& by = {});
  void fill(Cycle arrives);

  /// A store goes through to L2; a sector that is present stays present.
  void store(std::uint64_t address, std::uint32_t sectors);

  /// A store that stays here: its sectors take a place and are present from now on. The answer is how many
  /// sectors, written here before, of lines that had to go are given back to L2. Only where has_room().
  std::uint32_t keep(std::uint64_t address, std::uint32_t sectors, const L1Owner& by = {});
  [[nodiscard]] bool has_room() const { return sets_ > 0; }

  /// Of the lines that hold something, set by set in the order of their last uses.
  void append_to(StateKey& key) const;

  /// From now on it remembers who brought what.
  void watch() { owners_.resize(lines_.size()); }
  /// What `load` and `keep` have changed since, in order; empty where nobody watches.
  std::vector<L1Change> changes;

 private:
  struct Line {
    std::uint64_t tag = no_tag;
    std::uint64_t used = 0;   ///< the order of last uses
    std::uint32_t valid = 0;  ///< sectors present or on their way, a bit each
    std::uint32_t dirty = 0;  ///< those that L2 does not have
    Cycle filled{0};          ///< when the last of them is there
  };
  static constexpr std::uint64_t no_tag = ~std::uint64_t{0};
  static constexpr std::uint32_t sector_bytes = 32;

  void look_up(std::uint64_t sector, std::uint32_t count, Cycle now, const L1Owner& by, Lookup& found);
  Line* find(std::uint64_t line_number);
  /// `given_back` grows by the dirty sectors of the line that had to go.
  Line& find_or_replace(std::uint64_t line_number, const L1Owner& by, std::uint32_t& given_back);

  std::uint32_t line_bytes_;
  std::uint32_t ways_;
  std::uint64_t sets_;
  std::vector<Line> lines_;      ///< set by set
  std::vector<L1Owner> owners_;  ///< of the lines, if somebody watches
  std::vector<Line*> waiting_;   ///< lines of the last load that miss sectors
  std::uint64_t clock_ = 0;
};

}  // namespace smsim

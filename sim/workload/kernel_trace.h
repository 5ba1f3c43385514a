// What the warps of a real kernel did, block by block: for each warp its instructions in order, for each of
// those the threads that took part and the memory that they touched.
//
// A trace of any size takes no memory: it lies packed in a temporary file without a name, and a block is read
// from there when it is launched, by any SM, in any order. Nothing here knows where a trace comes from.
#pragma once

#include "base/ids.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace smsim {

/// One instruction that a warp executed.
struct TraceStep {
  std::uint32_t op = 0;    ///< which of the program's instructions
  std::uint8_t lanes = 0;  ///< threads that took part
  std::uint8_t runs = 0;   ///< of the warp's runs, those that are this one's
  friend bool operator==(const TraceStep&, const TraceStep&) = default;
};

/// Neighbouring units that an access touches: 32-byte sectors of global or local memory, 4-byte words of
/// shared memory.
class AccessRun {
 public:
  static constexpr std::uint64_t most = 32;                              ///< units of one run
  static constexpr std::uint64_t first_limit = std::uint64_t{1} << 56U;  ///< what `first` is below

  AccessRun() = default;
  AccessRun(std::uint64_t first, std::uint64_t count) : bits_(first << 8U | count) {}
  [[nodiscard]] std::uint64_t first() const { return bits_ >> 8U; }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(bits_ & 0xFFU); }
  friend bool operator==(const AccessRun&, const AccessRun&) = default;

 private:
  std::uint64_t bits_ = 0;
};

struct TraceWarp {
  std::vector<TraceStep> steps;
  std::vector<AccessRun> runs;  ///< of the steps, one after the other
};

/// A block's warps, by their number in the block.
using TraceBlock = std::vector<TraceWarp>;

/// Passes that a shared access takes: the most words that one of `banks` banks has to give.
std::uint32_t bank_passes(std::span<const AccessRun> words, std::uint32_t banks);

/// Where a warp is in its trace.
class TraceCursor {
 public:
  TraceCursor() = default;
  /// Before the first instruction of a warp.
  TraceCursor(std::shared_ptr<const TraceBlock> block, std::uint32_t warp)
      : block_(std::move(block)), warp_(&(*block_)[warp])
  {
  }

  [[nodiscard]] bool at_end() const { return step_ == warp_->steps.size(); }
  [[nodiscard]] const TraceStep& step() const { return warp_->steps[step_]; }
  /// What the instruction touches.
  [[nodiscard]] std::span<const AccessRun> runs() const { return {warp_->runs.data() + run_, step().runs}; }
  /// Instructions from here on, that one included; of no warp none.
  [[nodiscard]] std::size_t remaining() const { return warp_ ? warp_->steps.size() - step_ : 0; }
  void next()
  {
    run_ += step().runs;
    ++step_;
  }

 private:
  std::shared_ptr<const TraceBlock> block_;
  const TraceWarp* warp_ = nullptr;
  std::size_t step_ = 0;
  std::size_t run_ = 0;
};

/// The blocks of a kernel. Written once, block after block in any order, then read by any number of threads.
class KernelTrace {
 public:
  /// @throws RunError when there is no room for temporary files.
  explicit KernelTrace(std::uint64_t blocks, std::uint32_t warps_per_block);
  KernelTrace(const KernelTrace&) = delete;
  KernelTrace& operator=(const KernelTrace&) = delete;
  ~KernelTrace();

  /// False if the block has been written before.
  /// @throws RunError when the disk is full.
  bool write(BlockId block, const TraceBlock& warps);
  /// A block that was never written has warps without instructions.
  [[nodiscard]] std::shared_ptr<const TraceBlock> read(BlockId block) const;

  [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
  [[nodiscard]] std::uint64_t written() const { return written_; }

 private:
  std::uint64_t blocks_;
  std::uint32_t warps_per_block_;
  std::uint64_t written_ = 0;
  std::uint64_t end_;         ///< of the file
  int file_ = -1;             ///< first for each block where it lies; then the blocks
  std::vector<char> packed_;  ///< scratch
};

}  // namespace smsim

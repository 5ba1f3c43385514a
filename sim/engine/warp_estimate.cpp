#include "engine/warp_estimate.h"

#include <algorithm>

namespace smsim {
namespace {

/// Goes through the program once; of a loop's body only the first two rounds, the others are like the second.
class LoneWarp {
 public:
  LoneWarp(const ArchConfig& arch, const BoundProgram& program)
      : arch_(arch), program_(program), parts_(arch.sm.sub_partitions), ready_(program.register_count, 0),
        pipe_free_(arch.pipes.size(), 0), counters_(dependence_counters, 0)
  {
    for (const PipeConfig& pipe : arch.pipes)
      names_.push_back("pipe " + pipe.name);
    for (const char* name :
         {"issue slots", "memory queue", "L2 bandwidth", "DRAM bandwidth", "memory accesses in flight"})
      names_.emplace_back(name);
    totals_.units.assign(names_.size(), 0);
  }

  WarpEstimate run()
  {
    if (program_.trace)
      follow_trace();
    else
      walk(0, static_cast<std::uint32_t>(program_.ops.size()), 0);
    WarpEstimate estimate;
    estimate.instructions = totals_.instructions;
    estimate.waits = totals_.waits;
    estimate.cycles = std::max(next_, results_done_);
    if (results_done_ > next_) estimate.waits += 1;
    totals_.units[unit(Shared::issue)] = totals_.instructions;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (totals_.units[i] > 0) estimate.units.push_back({names_[i], totals_.units[i]});
    std::stable_sort(estimate.units.begin(), estimate.units.end(),
                     [](const auto& a, const auto& b) { return a.cycles > b.cycles; });
    return estimate;
  }

 private:
  /// Units behind the pipes, in the order of their names.
  enum class Shared { issue, queue, l2, dram, outstanding };

  struct Totals {
    double instructions = 0;
    double waits = 0;
    std::vector<double> units;
  };

  [[nodiscard]] std::size_t unit(Shared which) const
  {
    return arch_.pipes.size() + static_cast<std::size_t>(which);
  }

  /// The warp of the first block that executes the most.
  void follow_trace()
  {
    const auto block = program_.trace->read(BlockId{0});
    const auto longest = std::max_element(block->begin(), block->end(), [](const auto& a, const auto& b) {
      return a.steps.size() < b.steps.size();
    });
    TraceCursor cursor(block, static_cast<std::uint32_t>(longest - block->begin()));
    for (; !cursor.at_end(); cursor.next()) {
      BoundOp op = program_.ops[cursor.step().op];
      op.passes = passes_of(program_, op, cursor);
      for (const AccessRun& run : cursor.runs())
        op.bytes += run.count() * 32;
      issue(op);
    }
  }

  void walk(std::uint32_t at, std::uint32_t end, std::size_t region)
  {
    const std::vector<Region>& regions = program_.regions;
    while (at < end && !exited_) {
      while (region < regions.size() && regions[region].begin < at)
        ++region;
      if (region < regions.size() && regions[region].begin == at) {
        enter(region);
        at = regions[region].end;
      } else {
        issue(program_.ops[at++]);
      }
    }
  }

  void enter(std::size_t index)
  {
    const Region& region = program_.regions[index];
    if (region.kind == Region::Kind::loop) {
      const double count = region.count.average();
      if (count <= 0) return;
      repeat(std::min(count, 1.0), [&] { walk(region.begin, region.end, index + 1); });
      if (count > 1) repeat(count - 1, [&] { walk(region.begin, region.end, index + 1); });
      return;
    }
    const double lanes = region.lanes.value.average();
    const auto all = static_cast<double>(region.lanes.is_fraction ? LaneShare::whole : arch_.sm.warp_size);
    ++splits_;
    if (lanes > 0) walk(region.begin, region.middle, index + 1);
    if (lanes < all) walk(region.middle, region.end, index + 1);
    --splits_;
  }

  /// One round is gone through and taken `times`: totals grow, and time goes on, by that much more.
  template <class Round>
  void repeat(double times, const Round& round)
  {
    const Totals before = totals_;
    const double start = next_;
    round();
    const auto scale = [&](double& now, double then) { now = then + (now - then) * times; };
    scale(totals_.instructions, before.instructions);
    scale(totals_.waits, before.waits);
    for (std::size_t i = 0; i < names_.size(); ++i)
      scale(totals_.units[i], before.units[i]);
    const double later = (next_ - start) * (times - 1);
    for (std::vector<double>* clocks : {&ready_, &pipe_free_, &counters_})
      for (double& clock : *clocks)
        clock += later;
    next_ += later;
    last_ += later;
    results_done_ += later;
  }

  void issue(const BoundOp& op)
  {
    double at = next_;
    for (std::size_t i = 0; i < op.operand_count; ++i)
      at = std::max(at, ready_[op.operands[i]]);
    for (std::size_t i = 0; i < dependence_counters; ++i)
      if ((op.wait_mask >> i & 1U) != 0) at = std::max(at, counters_[i]);
    if (op.kind == OpKind::math) {
      at = std::max(at, pipe_free_[op.group]);
      pipe_free_[op.group] = at + op.interval;
      totals_.units[op.group] += static_cast<double>(op.interval) * (op.pipe_is_shared ? parts_ : 1);
    }
    if (at > last_ + 1) totals_.waits += 1;
    totals_.instructions += 1;
    last_ = at;
    const double done = at + latency_of(op);
    const bool is_memory = op.kind == OpKind::shared_access || op.kind == OpKind::global_access;
    if (is_memory) occupy_memory(op, done - at);
    if (op.destination != no_register) ready_[op.destination] = done;
    if (op.write_counter >= 0) counters_[static_cast<std::size_t>(op.write_counter)] = done;
    if (op.read_counter >= 0)
      counters_[static_cast<std::size_t>(op.read_counter)] =
          at + (is_memory ? arch_.memory.front_latency : arch_.register_file.read_window);
    next_ = at + op.stall;
    if (op.kind == OpKind::barrier || op.kind == OpKind::branch || op.kind == OpKind::sleep)
      next_ = std::max(next_, done);
    if (is_memory) results_done_ = std::max(results_done_, done);
    if (op.kind == OpKind::fence) next_ = std::max(next_, results_done_);
    // Behind an exit in a side of a split other lanes go on.
    if (op.kind == OpKind::exit && splits_ == 0) exited_ = true;
  }

  struct Shares {
    double l1;
    double l2;
    double dram;
  };
  /// How likely each level serves an access.
  static Shares shares_of(const BoundOp& op)
  {
    if (op.address.kind == AddressPattern::Kind::local) return {1, 0, 0};
    const auto l1 = static_cast<double>(op.levels.below_l1) / static_cast<double>(LevelMix::one);
    const auto l2 = static_cast<double>(op.levels.below_l2) / static_cast<double>(LevelMix::one) - l1;
    return {l1, l2, 1 - l1 - l2};
  }

  [[nodiscard]] double latency_of(const BoundOp& op) const
  {
    const MemoryConfig& memory = arch_.memory;
    if (op.kind == OpKind::shared_access)
      return op.latency + static_cast<double>(op.passes - 1) * memory.sm_interval;
    if (op.kind != OpKind::global_access) return op.latency;
    const Shares shares = shares_of(op);
    return shares.l1 * memory.l1.latency + shares.l2 * memory.l2.latency + shares.dram * memory.dram.latency;
  }

  void occupy_memory(const BoundOp& op, double latency)
  {
    const MemoryConfig& memory = arch_.memory;
    totals_.units[unit(Shared::queue)] += std::max<double>(
        memory.sub_partition_interval, static_cast<double>(memory.sm_interval) * op.passes * parts_);
    if (op.kind != OpKind::global_access) return;
    const Shares shares = shares_of(op);
    const auto transfer = [&](const BandwidthConfig& level, double share) {
      if (!level.millibytes_per_cycle) return 0.0;
      return share * op.bytes * 1000 * parts_ / static_cast<double>(*level.millibytes_per_cycle);
    };
    totals_.units[unit(Shared::l2)] += transfer(memory.l2, shares.l2 + shares.dram);
    totals_.units[unit(Shared::dram)] += transfer(memory.dram, shares.dram);
    if (memory.max_outstanding)
      totals_.units[unit(Shared::outstanding)] += latency * parts_ / *memory.max_outstanding;
  }

  const ArchConfig& arch_;
  const BoundProgram& program_;
  double parts_;
  std::vector<std::string> names_;
  Totals totals_;
  std::vector<double> ready_;      ///< of each register
  std::vector<double> pipe_free_;  ///< of each pipe
  std::vector<double> counters_;   ///< when each dependence counter is back at 0
  double next_ = 0;                ///< the first cycle in which the warp may issue
  double last_ = -1;               ///< its last issue
  double results_done_ = 0;        ///< of memory accesses
  unsigned splits_ = 0;            ///< that it is in
  bool exited_ = false;
};

}  // namespace

WarpEstimate estimate_warp(const ArchConfig& arch, const BoundProgram& program)
{
  return LoneWarp(arch, program).run();
}

}  // namespace smsim

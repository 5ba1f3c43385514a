// The event engine: each group of SMs goes from one cycle in which something is due to the next, by itself,
// up to the next cycle in which it has room for blocks. The dispatcher serves the groups in the order of
// those cycles: those of cycle T when no group can stop at T or before any more. So it does not matter who
// ran first, nor on how many threads.
#include "base/threads.h"
#include "engine/run_plan.h"
#include "sm/block_dispatcher.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <set>

namespace smsim {
namespace {

SmResult close_books(Sm& sm, Cycle end, Cycle tail_start)
{
  sm.finish(end);
  SmResult result;
  result.blocks = sm.blocks_run();
  result.most_resident_blocks = sm.most_resident_blocks();
  result.block_cycles = sm.block_cycles();
  result.block_cycles_squared = sm.block_cycles_squared();
  result.shortest_block = sm.shortest_block();
  result.longest_block = sm.longest_block();
  result.active_cycles = sm.active_cycles();
  result.active_warp_cycles = sm.active_warp_cycles(end);
  result.allocated_warp_cycles = sm.allocated_warp_cycles();
  const Sm::Integrals before = sm.integrals_at(std::min(tail_start, end));
  result.tail_active_warp_cycles = result.active_warp_cycles - before.active;
  result.tail_allocated_warp_cycles = result.allocated_warp_cycles - before.allocated;
  result.memory = sm.memory.counts();
  for (const SubPartition& part : sm.sub_partitions()) {
    SubPartitionResult& row = result.sub_partitions.emplace_back();
    row.states = part.states();
    row.eligible_cycles = part.eligible_cycles();
    row.thread_instructions = part.thread_instructions();
    row.pipe_cycles = part.pipe_cycles();
    row.no_eligible_cycles = result.active_cycles - part.eligible_cycles();
  }
  return result;
}

class GridRun {
 public:
  explicit GridRun(const RunPlan& plan)
      : plan_(plan), dispatcher_(plan.launch_order(), plan.clusters(), plan.cluster(),
                                 plan.inputs.arch.dispatch.fill, plan.group_sizes.size()),
        runnable_(std::min<std::size_t>(plan.threads, plan.group_sizes.size()))
  {
    std::uint32_t first_sm = 0;
    for (const std::uint32_t size : plan.group_sizes) {
      waiting_.emplace(Cycle{0}, tracks_.size());
      tracks_.emplace_back(plan.inputs, first_sm, size, plan.cluster(), tracks_.size());
      first_sm += size;
    }
  }

  EngineResult run()
  {
    run_threads(static_cast<std::uint32_t>(runnable_.size()), [this](std::uint32_t thread) { work(thread); });
    if (error_) std::rethrow_exception(error_);
    finish_interrupted();
    return result();
  }

 private:
  /// On a cache line of its own, since other threads read it.
  struct alignas(64) Clock {
    std::atomic<std::uint64_t> value{0};
  };
  struct Track {
    Track(const RunInputs& inputs, std::uint32_t first_sm, std::uint32_t size, std::uint32_t cluster,
          std::size_t i)
        : group(inputs, first_sm, size, cluster), index(i)
    {
    }
    SmGroup group;
    std::size_t index;
    std::unique_ptr<Clock> clock = std::make_unique<Clock>();  ///< it will not stop before
    SmGroup::Stop why = SmGroup::Stop::room;
  };

  /// What each thread does until nothing is left to do.
  void work(std::uint32_t thread)
  {
    std::unique_lock lock(mutex_);
    while (true) {
      dispatch();
      Track* const taken = take(thread);
      if (!taken) {
        if (error_ || (running_.empty() && nothing_runnable())) return;
        lock.unlock();
        pause_thread();
        lock.lock();
        continue;
      }
      Track& track = *taken;
      running_.push_back(&track);
      const bool more_may_come = !dispatcher_.all_launched();
      lock.unlock();
      std::exception_ptr error;
      try {
        track.why = track.group.run(plan_.bound, more_may_come, plan_.stop, track.clock->value);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (error && !error_) error_ = error;
      std::erase(running_, &track);
      if (!error && track.why == SmGroup::Stop::room) waiting_.emplace(track.group.now(), track.index);
    }
  }

  /// A thread keeps to its own groups, which are in its core's cache, unless another has several to spare.
  Track* take(std::uint32_t thread)
  {
    std::deque<Track*>& own = runnable_[thread];
    if (!own.empty()) {
      Track* const track = own.front();
      own.pop_front();
      return track;
    }
    const auto longest = std::max_element(runnable_.begin(), runnable_.end(),
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    if (longest->size() < 2) return nullptr;
    Track* const track = longest->back();
    longest->pop_back();
    return track;
  }

  [[nodiscard]] bool nothing_runnable() const
  {
    return std::all_of(runnable_.begin(), runnable_.end(), [](const auto& queue) { return queue.empty(); });
  }

  /// Serves the groups that wait in the earliest cycle, if no other can come to stand there.
  void dispatch()
  {
    while (!waiting_.empty()) {
      if (dispatcher_.all_launched()) {
        for (const auto& [now, index] : waiting_)
          resume(tracks_[index]);
        waiting_.clear();
        return;
      }
      const Cycle first = waiting_.begin()->first;
      // Groups become runnable in the order of their cycles: the front of a queue is its earliest.
      for (const auto& queue : runnable_)
        if (!queue.empty() && queue.front()->clock->value.load() <= first.value()) return;
      for (const Track* track : running_)
        if (track->clock->value.load(std::memory_order_acquire) <= first.value()) return;
      serve(first);
    }
  }

  void serve(Cycle now)
  {
    std::vector<BlockDispatcher::Candidate> candidates;
    while (!waiting_.empty() && waiting_.begin()->first == now) {
      const std::size_t index = waiting_.begin()->second;
      candidates.push_back({index, &tracks_[index].group});
      waiting_.erase(waiting_.begin());
    }
    dispatcher_.dispatch(candidates);
    if (dispatcher_.all_launched()) tail_start_ = now;
    for (const BlockDispatcher::Candidate& candidate : candidates)
      resume(tracks_[candidate.index]);
  }

  void resume(Track& track)
  {
    track.clock->value.store(track.group.now().value() + 1);
    runnable_[track.index % runnable_.size()].push_back(&track);
  }

  /// An interrupted run has its groups in different cycles: all go on to the latest of them.
  void finish_interrupted()
  {
    const auto interrupted = [](const Track& t) { return t.why == SmGroup::Stop::interrupted; };
    if (std::none_of(tracks_.begin(), tracks_.end(), interrupted)) return;
    end_ = Cycle{0};
    for (const Track& track : tracks_)
      end_ = std::max(end_, track.group.now());
    // Whatever could be launched meanwhile is not: the run is cut short, and says so.
    for (Track& track : tracks_)
      if (track.why == SmGroup::Stop::interrupted || track.why == SmGroup::Stop::room)
        track.why = track.group.run(end_, false, nullptr, track.clock->value);
  }

  EngineResult result()
  {
    EngineResult result;
    Cycle last{0};
    bool ended = dispatcher_.all_launched();
    bool stuck = false;
    bool cut = false;
    for (const Track& track : tracks_) {
      last = std::max(last, track.group.last_event());
      ended = ended && track.why == SmGroup::Stop::ended;
      stuck |= track.why == SmGroup::Stop::stuck;
      cut |= track.why == SmGroup::Stop::bound || track.why == SmGroup::Stop::interrupted;
    }
    if (stuck && !cut) {
      tell_end(last + 1);
      throw RunError(deadlock_report(plan_, last, waiting_warps()));
    }
    const Cycle end = ended ? last : end_;
    result.stopped_early = !ended;
    result.cycles = end.value();
    const Cycle tail_start = dispatcher_.all_launched() ? tail_start_ : end;
    result.tail_start = tail_start.value();
    for (Track& track : tracks_) {
      for (const auto& sm : track.group.sms())
        result.sms.push_back(close_books(*sm, end, tail_start));
      if (track.group.sms().empty()) result.sms.resize(result.sms.size() + track.group.size(), idle_sm());
    }
    result.sms.resize(plan_.sms, idle_sm());
    return result;
  }

  /// Who listens hears of a deadlock's whole way.
  void tell_end(Cycle end)
  {
    if (!plan_.inputs.listener) return;
    for (Track& track : tracks_)
      for (const auto& sm : track.group.sms())
        sm->finish(end);
    plan_.inputs.listener->end(end);
  }

  [[nodiscard]] SmResult idle_sm() const
  {
    SmResult idle;
    SubPartitionResult part;
    part.pipe_cycles.resize(plan_.inputs.arch.pipes.size());
    idle.sub_partitions.assign(plan_.inputs.arch.sm.sub_partitions, part);
    return idle;
  }

  std::vector<std::vector<WarpReport>> waiting_warps()
  {
    std::vector<std::vector<WarpReport>> warps;
    for (Track& track : tracks_) {
      for (const auto& sm : track.group.sms())
        warps.push_back(sm->waiting_warps());
      if (track.group.sms().empty()) warps.resize(warps.size() + track.group.size());
    }
    return warps;
  }

  const RunPlan& plan_;
  std::mutex mutex_;  ///< guards all below, but for what a running track's thread does to its group
  BlockDispatcher dispatcher_;
  std::deque<Track> tracks_;
  std::set<std::pair<Cycle, std::size_t>> waiting_;  ///< have room; by the cycle that they stand in
  std::vector<std::deque<Track*>> runnable_;         ///< by thread: were served, or have only to end
  std::vector<Track*> running_;
  Cycle tail_start_{0};
  Cycle end_ = plan_.bound;  ///< of a run that is cut short
  std::exception_ptr error_;
};

}  // namespace

EngineResult run_by_events(const RunPlan& plan) { return GridRun(plan).run(); }

}  // namespace smsim

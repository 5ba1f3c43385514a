#include "sweep/runner.h"

#include "base/threads.h"
#include "engine/simulation.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace smsim {
namespace {

using namespace std::chrono_literals;

/// Results are committed after this time or when so many have come together: what a crash loses. While the
/// disk is busy with some, more come together for the next time, so that no thread waits for a slow one.
constexpr auto commit_interval = 500ms;
constexpr std::size_t commit_results = 512;
constexpr auto progress_interval = 100ms;
/// Results that wait for the disk; a thread that finds so many waits too.
constexpr std::size_t most_waiting = 20'000;

std::string trimmed(std::string message)
{
  while (message.ends_with('\n'))
    message.pop_back();
  return message.empty() ? "failed" : message;
}

/// What the threads share: where the next point comes from, and where results go.
class Pool {
 public:
  Pool(const Sweep& sweep, StoreWriter& store, const SweepRun& run)
      : sweep_(sweep), store_(store), run_(run), cursor_(sweep), done_(store.done())
  {
    progress_.total = run.shard.points_of(run.points);
    for (const bool done : done_)
      progress_.before += done ? 1 : 0;
    progress_.done = progress_.before;
    progress_.failed = store.failures();
  }

  SweepProgress run()
  {
    std::thread pool([&] { run_threads(run_.threads, [&](std::uint32_t) { work(); }); });
    try {
      write_results();
    } catch (...) {
      halt_ = true;
      room_.notify_all();
      pool.join();
      throw;
    }
    pool.join();
    if (error_) std::rethrow_exception(error_);
    return progress_;
  }

 private:
  std::optional<SweepPoint> next()
  {
    const std::scoped_lock lock(cursor_mutex_);
    while (!halt_) {
      auto point = cursor_.next();
      if (!point) return std::nullopt;
      if (run_.shard.has(point->number) && (point->number >= done_.size() || !done_[point->number]))
        return point;
    }
    return std::nullopt;
  }

  void work()
  {
    try {
      PointBuilder builder(sweep_);
      while (auto point = next()) {
        PointResult result = run_point(sweep_, builder, *point, &halt_);
        if (halt_) break;
        std::unique_lock lock(results_mutex_);
        room_.wait(lock, [&] { return results_.size() < most_waiting || halt_; });
        results_.push_back(std::move(result));
        if (results_.size() == commit_results) changed_.notify_all();
      }
    } catch (...) {
      const std::scoped_lock lock(results_mutex_);
      error_ = std::current_exception();
      halt_ = true;
    }
    const std::scoped_lock lock(results_mutex_);
    ++finished_;
    changed_.notify_all();
  }

  void write_results()
  {
    auto committed = std::chrono::steady_clock::now();
    std::vector<PointResult> batch;
    for (bool all_finished = false; !all_finished;) {
      {
        std::unique_lock lock(results_mutex_);
        changed_.wait_for(lock, progress_interval,
                          [&] { return finished_ == run_.threads || results_.size() >= commit_results; });
        all_finished = finished_ == run_.threads;
        if (run_.stop && run_.stop->load()) halt_ = true;
        const auto now = std::chrono::steady_clock::now();
        if (all_finished || results_.size() >= commit_results || now - committed >= commit_interval) {
          batch.swap(results_);
          committed = now;
          room_.notify_all();
        }
      }
      if (!batch.empty()) commit(batch);
      if (run_.on_progress && now_shown(all_finished)) run_.on_progress(progress_);
    }
  }

  /// A few times a second is enough for people.
  bool now_shown(bool at_end)
  {
    const auto now = std::chrono::steady_clock::now();
    if (!at_end && now - shown_ < progress_interval) return false;
    shown_ = now;
    return true;
  }

  void commit(std::vector<PointResult>& batch)
  {
    store_.add(batch);
    progress_.done += batch.size();
    for (const PointResult& result : batch)
      progress_.failed += result.failure.empty() ? 0 : 1;
    batch.clear();
  }

  const Sweep& sweep_;
  StoreWriter& store_;
  const SweepRun& run_;
  SweepProgress progress_;
  std::chrono::steady_clock::time_point shown_;
  std::atomic<bool> halt_{false};

  std::mutex cursor_mutex_;
  PointCursor cursor_;
  std::vector<bool> done_;

  std::mutex results_mutex_;
  std::condition_variable changed_;
  std::condition_variable room_;
  std::vector<PointResult> results_;
  std::uint32_t finished_ = 0;
  std::exception_ptr error_;
};

}  // namespace

PointResult run_point(const Sweep& sweep, PointBuilder& builder, const SweepPoint& point,
                      const std::atomic<bool>* stop)
{
  PointResult result;
  result.number = point.number;
  for (const ParameterValue& value : builder.parameters(point))
    result.parameters.push_back(cell_of(value));
  try {
    const BuiltPoint built = builder.build(point);
    result.id = built.id;
    RunOptions options;
    options.seed = point.seed;
    options.max_cycles = sweep.max_cycles;
    options.stop = stop;
    const RunResult found = run_kernel(built.arch, built.workload, options);
    if (found.stopped_early)
      result.failure = "has not ended after " + std::to_string(found.cycles) + " cycles";
    else
      result.metrics = metrics_of(found);
  } catch (const InputError& error) {
    result.failure = trimmed(error.what());
  } catch (const RunError& error) {
    result.failure = trimmed(error.what());
  }
  return result;
}

SweepProgress run_sweep(const Sweep& sweep, StoreWriter& store, const SweepRun& run)
{
  return Pool(sweep, store, run).run();
}

}  // namespace smsim

// smsim sweep FILE -o results.sqlite
#include "cli.h"
#include "report/table_text.h"
#include "run_setup.h"
#include "shard_option.h"
#include "sweep/dry_run.h"
#include "sweep/runner.h"
#include "sweep/sweep_loader.h"
#include "sweep_progress.h"

#include <signal.h>

namespace smsim::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<int> signal_seen{0};

/// Ctrl-C and a scheduler's SIGTERM end the sweep with what it has; a second one ends the program, which
/// loses at most the last half second.
void stop_on_signals()
{
  struct sigaction action = {};
  action.sa_handler = [](int number) {
    signal_seen.store(number, std::memory_order_relaxed);
    interrupted.store(true, std::memory_order_relaxed);
  };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

/// More points than anybody means to run are asked about before they are counted.
void check_size(const Sweep& sweep, const OptionParser& parser)
{
  const auto places = count_places(sweep);
  if (places && (*places <= points_without_asking || parser.has("yes"))) return;
  const std::string many = places ? std::to_string(*places) : "more than 4611686018427387904";
  throw InputError(
      parser.text("file") + ": " + many + " points, more than " + std::to_string(points_without_asking) +
      (places ? "; --yes runs them all the same, a random or latin_hypercube sample runs some of them\n"
              : "; no store holds as many\n"));
}

Sweep read_sweep(const OptionParser& parser)
{
  Diagnostics diagnostics;
  Sweep sweep = load_sweep(parser.text("file"), diagnostics);
  throw_if_errors(diagnostics);
  check_size(sweep, parser);
  check_sweep_values(sweep, diagnostics);
  throw_if_errors(diagnostics);
  return sweep;
}

std::string summary(const std::string& path, const SweepProgress& progress)
{
  const std::uint64_t here = progress.done - progress.before;
  std::string text = path + ": " + std::to_string(progress.done) + " of " + std::to_string(progress.total) +
                     (progress.total == 1 ? " point" : " points");
  if (progress.before > 0) text += " (" + std::to_string(here) + " now)";
  return text + ", " + std::to_string(progress.failed) + " failed\n";
}

}  // namespace

int run_sweep_command(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "sweep", "sweep FILE -o STORE [OPTIONS]",
      "Runs every point of a sweep file: a base architecture and workload, and axes over any of their keys\n"
      "(docs/sweeps.md). Results go to an SQLite file as they come. Stop it when you like, also with kill "
      "-9:\n"
      "the same command goes on where it was. A point that fails is recorded with its message. `smsim "
      "results`\n"
      "shows them. Exit status: 0 all points tried, 1 every point failed or the store cannot be written, 2 "
      "bad\n"
      "input, 130 or 143 stopped by Ctrl-C or SIGTERM.",
      "  smsim sweep workloads/sweeps/registers_and_warps.yaml --dry-run\n"
      "  smsim sweep workloads/sweeps/registers_and_warps.yaml -o registers.sqlite -j 8\n"
      "  smsim sweep my_sweep.yaml -o shard-3.sqlite --shard 3/16    # one of 16 machines; then smsim merge\n"
      "  smsim sweep my_sweep.yaml -o shard.sqlite --shard slurm     # in a job array: tools/slurm/\n");
  const auto text = [] { return po::value<std::string>(); };
  parser.options.add_options()("file", text(), "the sweep file")(
      "output,o", text(),
      "the result store, an SQLite file; one that holds some of the points is gone on with")(
      "threads,j", text(),
      "points at the same time; no result depends on it (default: one a processor core)")(
      "shard", text(),
      "i/N: only every N-th point from the i-th on, counted from 0; slurm: as the job array says")(
      "dry-run", "count and list the points, run a few to estimate the time, and stop")(
      "list", text()->default_value("20"),
      "with --dry-run: how many points to list, or all")("yes", "run more than 10 million points");
  parser.positional("file", 1);
  if (!parser.parse(arguments)) return 0;
  if (!parser.has("file")) parser.fail("name a sweep file; workloads/sweeps/ has some to start from");
  if (parser.has("dry-run") && parser.has("output")) parser.fail("--dry-run writes nothing: leave out -o");
  if (!parser.has("dry-run") && !parser.has("output")) parser.fail("name a store with -o, or try --dry-run");
  const std::uint32_t threads = read_threads(parser);
  const Shard shard = parser.has("shard") ? read_shard(parser) : Shard{};
  const std::uint64_t listed =
      parser.text("list") == "all" ? ~std::uint64_t{0} : parser.integer("list", 0, points_without_asking);
  const Sweep sweep = read_sweep(parser);
  const std::uint64_t points = count_points(sweep);
  if (parser.has("dry-run")) {
    write_output({}, dry_run_text(sweep, points, shard, listed, threads));
    return 0;
  }

  const std::string path = parser.text("output");
  StoreWriter store(path, header_of(sweep, points, shard));
  stop_on_signals();
  ProgressBar bar;
  SweepRun run{points, threads, shard, &interrupted, {}};
  if (bar.is_shown()) run.on_progress = [&](const SweepProgress& progress) { bar.show(progress); };
  const SweepProgress progress = run_sweep(sweep, store, run);
  bar.clear();
  write_output({}, summary(path, progress));
  if (progress.done < progress.total) {
    write_output({}, "Stopped; the same command goes on with the rest.\n");
    return 128 + signal_seen.load();
  }
  return progress.total > 0 && progress.failed == progress.total ? 1 : 0;
}

}  // namespace smsim::cli

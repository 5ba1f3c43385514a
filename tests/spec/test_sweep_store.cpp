// What a result store outlives: kill -9, Ctrl-C, a second writer, a full disk; and files that are none.
#include "support/sweeps.h"
#include "sweep/store.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>

using namespace smsim;
using namespace smsim::test;

namespace {

namespace fs = std::filesystem;

const std::string few = "axes: {memory.dram.latency: {range: [300, 309]}}\n";
const std::string many = "axes: {memory.dram.latency: {range: [301, 1800]}}\n";

std::string stored(const std::string& file)
{
  std::string store = new_store();
  CHECK(test::smsim("sweep " + file + " -o " + store).status == 0);
  return store;
}

/// Points that another process would find there now.
std::int64_t count_points(const std::string& store)
{
  try {
    Database database = open_store(store);
    return std::get<std::int64_t>(database.value("SELECT count(*) FROM points"));
  } catch (const InputError&) {
    return 0;  // not made yet
  }
}

/// Waits until the store has grown beyond `seen`, or the program has ended.
std::int64_t wait_for_more(RunningProgram& program, const std::string& store, std::int64_t seen)
{
  while (!program.has_ended()) {
    const std::int64_t now = count_points(store);
    if (now > seen) return now;
    ::usleep(500);
  }
  return seen;
}

ProgramRun refused(const std::string& store, const std::string& file)
{
  const ProgramRun run = test::smsim("sweep " + file + " -o " + store);
  CHECK(run.status == 2);
  CHECK(run.out == "");
  return run;
}

}  // namespace

TEST_CASE("killed at 20 moments and gone on with, a sweep is that of an undisturbed one")
{
  const std::string file = sweep_file(many);
  const std::string undisturbed = export_of(stored(file));
  const auto finish = [&](const std::string& store) {
    const ProgramRun rest = test::smsim("sweep " + file + " -o " + store);
    CHECK(rest.out.find(": 1500 of 1500 points") != std::string::npos);
    CHECK(export_of(store) == undisturbed);
  };
  std::string store = new_store();
  std::int64_t seen = 0;
  int kills = 0;
  for (int starts = 0; kills < 20 && starts < 100; ++starts) {
    RunningProgram program({"sweep", file, "-o", store, "-j", "2"});
    // The first kills fall into the start, before there is a store; the others around a commit.
    if (kills < 3)
      ::usleep(static_cast<useconds_t>(1000 + 2000 * kills));
    else
      seen = wait_for_more(program, store, seen);
    ::usleep(static_cast<useconds_t>(kills * 397 % 1000));
    program.send(SIGKILL);
    if (program.wait() == 128 + SIGKILL) {
      ++kills;
      CHECK(count_points(store) >= seen);
      seen = count_points(store);
    } else {  // it was faster: another one
      finish(store);
      store = new_store();
      seen = 0;
    }
  }
  CHECK(kills == 20);
  finish(store);
}

TEST_CASE("Ctrl-C and a scheduler's SIGTERM end a sweep with what it has, and it goes on from there")
{
  // 70 quick points, then one that takes longer than anybody waits.
  std::string counts = "1";
  for (int i = 2; i <= 70; ++i)
    counts += ", " + std::to_string(i);
  const std::string quick = sweep_file("axes: {\"program[0].loop.count\": [" + counts + "]}\n");
  const std::string file = sweep_file("axes: {\"program[0].loop.count\": [" + counts + ", 1000000000000]}\n");
  const std::string store = new_store();
  for (const int signal : {SIGINT, SIGTERM}) {
    RunningProgram program({"sweep", file, "-o", store, "-j", "1"});
    while (count_points(store) < 70 && !program.has_ended())
      ::usleep(500);
    ::usleep(50'000);  // the second time it is at the last point at once
    program.send(signal);
    CHECK(program.wait() == 128 + signal);
    CHECK(export_of(store) == export_of(stored(quick)));
  }
}

TEST_CASE("a second process on a store is refused while the first one writes, and nothing is lost")
{
  const std::string file = sweep_file(few);
  const std::string store = new_store();
  {
    const StoreLock first(store);
    const ProgramRun second = test::smsim("sweep " + file + " -o " + store);
    CHECK(second.status == 1);
    CHECK(second.err == store + ": another smsim is writing to it; wait for it, or take another file\n");
  }
  CHECK(test::smsim("sweep " + file + " -o " + store).status == 0);
  CHECK(export_of(store) == export_of(stored(file)));
}

TEST_CASE("results can be read while a sweep writes")
{
  const std::string store = stored(sweep_file(few));
  const StoreLock writer(store);
  CHECK(test::smsim("results " + store + " --limit 1").status == 0);
}

TEST_CASE("a store of other points is not mixed with these")
{
  const std::string file = sweep_file(few);
  const std::string store = stored(file);
  const std::string before = export_of(store);
  const std::string other = sweep_file("axes: {memory.dram.latency: {range: [300, 310]}}\n");
  CHECK(refused(store, other).err ==
        store + ": holds other points: sweep.yaml has changed since; take another file\n");
  const std::string folder = file.substr(0, file.rfind('/'));
  CHECK(refused(store, file + " --shard 0/2").err ==
        store + ": holds shard 0/1, not 0/2; each shard has a file of its own\n");
  write_file(folder + "/tiny.yaml", read_file(folder + "/tiny.yaml") + "\ndescription: changed\n");
  CHECK(refused(store, file).err ==
        store + ": holds other points: tiny.yaml has changed since; take another file\n");
  CHECK(export_of(store) == before);
}

TEST_CASE("a store of another version of smsim is left alone")
{
  const std::string file = sweep_file(few);
  const std::string store = stored(file);
  Database(store, Database::Mode::write)
      .execute("UPDATE sweep SET value = '9.9.9' WHERE name = 'smsim_version'");
  CHECK(refused(store, file).err.starts_with(store + ": its points are of smsim 9.9.9, this is smsim "));
  CHECK(test::smsim("results " + store).status == 0);
  Database(store, Database::Mode::write).execute("PRAGMA user_version = 7");
  CHECK(refused(store, file).err.starts_with(store + ": is of a newer smsim: its layout is 7, this smsim ("));
  CHECK(test::smsim("results " + store).status == 2);
}

TEST_CASE("a file that is no store is refused and left as it is")
{
  const std::string file = sweep_file(few);
  const std::string folder = temporary_folder();
  const std::string text =
      write_file(folder + "/text.sqlite", "a text that somebody wants to keep\n" + std::string(200, 'x'));
  CHECK(refused(text, file).err == text + ": is no SQLite file\n");
  CHECK(read_file(text).starts_with("a text that somebody wants to keep\n"));
  const std::string foreign = folder + "/foreign.sqlite";
  Database(foreign, Database::Mode::write).execute("CREATE TABLE friends (name TEXT)");
  CHECK(refused(foreign, file).err == foreign + ": is an SQLite file, but no store of `smsim sweep`\n");
  CHECK(refused(folder, file).err.starts_with(folder + ": "));
  CHECK(test::smsim("results " + text).err == text + ": is no SQLite file\n");
  CHECK(test::smsim("results " + folder + "/none.sqlite").err == folder + "/none.sqlite: no such file\n");
  CHECK(test::smsim("results " + write_file(folder + "/empty.sqlite", "")).err ==
        folder + "/empty.sqlite: is empty; no store of `smsim sweep`\n");
}

TEST_CASE("a store that was cut short is told to be damaged, wherever it was cut")
{
  const std::string file = sweep_file(few);
  const std::string store = stored(file);
  const std::string whole = read_file(store);
  for (const std::size_t size : {std::size_t{50}, std::size_t{4096}, whole.size() / 2, whole.size() - 4096}) {
    CAPTURE(size);
    const std::string cut = write_file(temporary_folder() + "/cut.sqlite", whole.substr(0, size));
    for (const std::string& command :
         {"sweep " + file + " -o " + cut, "results " + cut, "merge " + cut + " -o " + cut + "2"}) {
      const ProgramRun run = test::smsim(command);
      CHECK(run.status == 2);
      CHECK(run.out == "");
      CHECK((run.err.starts_with(cut + ": is damaged or cut short: ") ||
             run.err == cut + ": is no SQLite file\n"));
    }
    CHECK(read_file(cut) == whole.substr(0, size));
  }
}

TEST_CASE("a folder that cannot be written to is told before anything is run")
{
  const std::string file = sweep_file(few);
  const ProgramRun none = test::smsim("sweep " + file + " -o /nowhere/results.sqlite");
  CHECK(none.status == 2);
  CHECK(none.err == "/nowhere/results.sqlite: cannot be opened or written: No such file or directory\n");
  const ProgramRun system = test::smsim("sweep " + file + " -o /proc/results.sqlite");
  CHECK(system.status == 2);
  CHECK(system.err.starts_with("/proc/results.sqlite: cannot be opened or written: "));
  if (::getuid() == 0) return;  // to root no folder is read-only
  const std::string folder = temporary_folder();
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
  CHECK(test::smsim("sweep " + file + " -o " + folder + "/r.sqlite").err ==
        folder + "/r.sqlite: cannot be opened or written: Permission denied\n");
  fs::permissions(folder, fs::perms::owner_all);
}

TEST_CASE("a disk that is full ends a sweep with what was committed, and it can be gone on with")
{
  const std::string file = sweep_file("axes: {memory.dram.latency: {range: [301, 700]}}\n");
  const std::string store = new_store();
  // A file that may not grow beyond 60 blocks of 1 KiB stands for the full disk.
  const std::string folder = temporary_folder();
  const std::string script = write_file(folder + "/full.sh", "ulimit -f 60\nexec \"$@\"\n");
  const std::string command = "SMSIM_DATA='" SMSIM_SOURCE_DIR "' bash " + script +
                              " '" SMSIM_PROGRAM "' sweep " + file + " -j 2 -o " + store + " >" + folder +
                              "/out 2>" + folder + "/err";
  const int status = std::system(command.c_str());
  CHECK(WEXITSTATUS(status) == 1);
  CHECK(read_file(folder + "/err").starts_with(store + ": cannot be written, is the disk full? "));
  CHECK(count_points(store) < 400);
  CHECK(test::smsim("sweep " + file + " -o " + store).status == 0);
  CHECK(count_points(store) == 400);
  CHECK(export_of(store) == export_of(stored(file)));
}

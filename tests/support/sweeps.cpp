#include "support/sweeps.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace smsim::test {

std::string sweep_file(const std::string& rest)
{
  const std::string folder = temporary_folder();
  write_file(folder + "/tiny.yaml", "name: tiny\nlaunch: {grid: 2, block: 64, registers_per_thread: 16}\n"
                                    "level: {l1: 0.5, dram: 0.5}\nprogram:\n  - loop: {count: 1, body: "
                                    "[\"ld.global r4, [r2]\", \"fadd r5, r4, r4\"]}\n");
  return write_file(folder + "/sweep.yaml",
                    "name: tiny_sweep\narch: h100\nworkload: tiny.yaml\nset: {sms: 1}\n" + rest);
}

std::string new_store() { return temporary_folder() + "/results.sqlite"; }

std::string export_of(const std::string& store)
{
  const ProgramRun run = smsim("results " + store + " --format csv");
  return run.status == 0 ? run.out : "no export: " + run.err;
}

RunningProgram::RunningProgram(const std::vector<std::string>& arguments)
{
  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error("no process");
  if (process_ > 0) return;
  for (const int signal : {SIGINT, SIGTERM})  // the test program's handlers are not the child's
    ::signal(signal, SIG_DFL);
  ::setenv("SMSIM_DATA", SMSIM_SOURCE_DIR, 1);
  const int nothing = ::open("/dev/null", O_WRONLY);
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
  std::vector<std::string> words{SMSIM_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(SMSIM_PROGRAM, pointers.data());
  ::_exit(127);
}

RunningProgram::~RunningProgram()
{
  if (ended_) return;
  send(SIGKILL);
  wait();
}

void RunningProgram::send(int signal) const
{
  if (!ended_) ::kill(process_, signal);
}

int RunningProgram::wait()
{
  int status = 0;
  if (!ended_ && ::waitpid(process_, &status, 0) == process_) {
    ended_ = true;
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return status_;
}

bool RunningProgram::has_ended()
{
  int status = 0;
  if (!ended_ && ::waitpid(process_, &status, WNOHANG) == process_) {
    ended_ = true;
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return ended_;
}

}  // namespace smsim::test

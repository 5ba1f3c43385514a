#include "support/program.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace smsim::test {
namespace {

namespace fs = std::filesystem;

struct TemporaryFolders {
  std::vector<std::string> paths;
  ~TemporaryFolders()
  {
    std::error_code ignored;
    for (const std::string& path : paths)
      fs::remove_all(path, ignored);
  }
};

TemporaryFolders& folders()
{
  static TemporaryFolders instance;
  return instance;
}

}  // namespace

std::string temporary_folder()
{
  std::string path = (fs::temp_directory_path() / "smsim-test-XXXXXX").string();
  if (!::mkdtemp(path.data())) throw std::runtime_error("no temporary folder");
  folders().paths.push_back(path);
  return path;
}

std::string write_file(const std::string& path, const std::string& content)
{
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

std::string read_file(const std::string& path)
{
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

ProgramRun smsim(const std::string& arguments, const std::string& folder)
{
  const std::string outputs = temporary_folder();
  const std::string where = folder.empty() ? SMSIM_SOURCE_DIR : folder;
  const std::string command = "cd '" + where +
                              "' && SMSIM_DATA='" SMSIM_SOURCE_DIR "' '" SMSIM_PROGRAM "' >'" + outputs +
                              "/out' 2>'" + outputs + "/err' " + arguments;
  const int status = std::system(command.c_str());
  ProgramRun run;
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.out = read_file(outputs + "/out");
  run.err = read_file(outputs + "/err");
  return run;
}

Cases chosen_cases()
{
  const char* const chosen = std::getenv("SMSIM_CASES");
  if (!chosen) return {};
  const std::string text(chosen);
  return {std::stoull(text.substr(0, text.find(':'))), std::stoull(text.substr(text.find(':') + 1))};
}

std::uint64_t share_of_cases(std::uint64_t all)
{
  const std::uint64_t share = all * chosen_cases().count / Cases{}.count;
  return std::clamp<std::uint64_t>(share, std::min<std::uint64_t>(all, 5), all);
}

}  // namespace smsim::test

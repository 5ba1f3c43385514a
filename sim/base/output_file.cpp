#include "base/output_file.h"

#include "base/diagnostics.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace smsim {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::strerror(errno); }  // NOLINT(concurrency-mt-unsafe)

}  // namespace

OutputFile::OutputFile(const fs::path& path) : given_(path)
{
  std::error_code ignored;
  if (fs::is_directory(given_, ignored)) fail("is a directory");
  // A device or a pipe (/dev/full, or /dev/stdout even where that is a file) must not be renamed over: it is
  // written directly. Behind any other symbolic link its target is replaced, and the link stays.
  const bool is_device = given_.string().starts_with("/dev/") || given_.string().starts_with("/proc/");
  in_place_ = is_device || (fs::exists(given_, ignored) && !fs::is_regular_file(given_, ignored));
  path_ = !in_place_ && fs::is_symlink(given_, ignored) ? fs::weakly_canonical(given_, ignored) : given_;
  target_ = in_place_ ? path_ : fs::path(path_.string() + ".part-" + std::to_string(::getpid()));
  file_.reset(std::fopen(target_.c_str(), "wb"));
  if (!file_) fail(reason());
}

OutputFile::~OutputFile()
{
  std::error_code ignored;
  if (!kept_ && !in_place_) fs::remove(target_, ignored);
}

void OutputFile::fail(const std::string& why)
{
  throw RunError(given_.string() + ": cannot be written: " + why);
}

void OutputFile::write(std::string_view text)
{
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail(reason());
}

void OutputFile::commit()
{
  if (std::fflush(file_.get()) != 0) fail(reason());
  if (!in_place_ && ::fsync(::fileno(file_.get())) != 0) fail(reason());
  if (std::fclose(file_.release()) != 0) fail(reason());
  if (!in_place_) {
    std::error_code renamed;
    fs::rename(target_, path_, renamed);
    if (renamed) fail(renamed.message());
  }
  kept_ = true;
}

}  // namespace smsim

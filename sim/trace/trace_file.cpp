#include "trace/trace_file.h"

#include "base/output_file.h"

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <exception>

namespace smsim {
namespace {

namespace io = boost::iostreams;

/// The lower end of a stream. A stream keeps an exception to itself, so it is kept for its owner too.
class FileSink {
 public:
  using char_type = char;
  using category = io::sink_tag;

  FileSink(OutputFile& file, std::exception_ptr& error) : file_(file), error_(error) {}
  std::streamsize write(const char* text, std::streamsize size)
  {
    if (error_) return size;
    try {
      file_.write({text, static_cast<std::size_t>(size)});
    } catch (...) {
      error_ = std::current_exception();
    }
    return size;
  }

 private:
  OutputFile& file_;
  std::exception_ptr& error_;
};

}  // namespace

struct TraceFile::Out {
  Out(const std::filesystem::path& path) : file(path)
  {
    if (path.extension() != ".gz") return;
    zipped = std::make_unique<io::filtering_ostream>();
    zipped->push(io::gzip_compressor(io::gzip_params(io::zlib::best_speed)));
    zipped->push(FileSink(file, error));
  }
  void rethrow() const
  {
    if (error) std::rethrow_exception(error);
  }

  OutputFile file;
  std::exception_ptr error;
  std::unique_ptr<io::filtering_ostream> zipped;  ///< none: written as it is
};

TraceFile::TraceFile(const std::filesystem::path& path) : out_(std::make_unique<Out>(path))
{
  buffer_.reserve(2 * piece);
}

TraceFile::~TraceFile() = default;

void TraceFile::hand_on()
{
  if (out_->zipped) {
    out_->zipped->write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    out_->rethrow();
  } else {
    out_->file.write(buffer_);
  }
  buffer_.clear();
}

void TraceFile::close()
{
  hand_on();
  out_->zipped.reset();  // writes the end
  out_->rethrow();
  out_->file.commit();
}

}  // namespace smsim

// A listener that writes what it hears into a file, as it hears it: of some SMs, in a window of cycles, up to
// a number of events.
//
// The file comes into its place when the run has ended. If it cannot be written (a disk that fills), that
// ends the run with a RunError and leaves no part of it.
#pragma once

#include "trace/listener.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace smsim {

struct TraceOptions {
  std::filesystem::path path;
  Cycle from{0};                            ///< the window: cycles from here
  Cycle until{never};                       ///< to here, not included
  std::vector<std::uint32_t> sms;           ///< empty: all; a format that holds one SM takes SM 0
  std::uint64_t limit = ~std::uint64_t{0};  ///< events
};

class TraceWriter : public TraceListener {
 public:
  explicit TraceWriter(TraceOptions options) : options_(std::move(options)) {}

  [[nodiscard]] bool wants(std::uint32_t sm) const override;

  [[nodiscard]] std::uint64_t events() const { return events_; }
  /// Where it stopped because of the limit.
  [[nodiscard]] std::optional<Cycle> cut_at() const { return cut_at_; }

 protected:
  [[nodiscard]] const TraceOptions& options() const { return options_; }
  /// Counts one more event that is to be written at `now`; false if that is one too many.
  bool count_event(Cycle now);
  [[nodiscard]] bool is_cut() const { return cut_at_.has_value(); }

 private:
  TraceOptions options_;
  std::uint64_t events_ = 0;
  std::optional<Cycle> cut_at_;
};

/// What a trace can be, by the ending of its file's name.
enum class TraceFormat { chrome, perfetto, konata };

/// Nothing for an ending that it does not know.
std::optional<TraceFormat> trace_format_of(const std::filesystem::path& path);
/// The endings that it knows, for messages.
inline constexpr std::string_view trace_endings =
    ".json, .pftrace, .konata, .kanata, each with .gz behind it or without";
/// Events after which a viewer of the format has a hard time.
std::uint64_t usual_limit(TraceFormat format);

/// A writer of the format that the file's name asks for.
std::unique_ptr<TraceWriter> make_trace_writer(const TraceOptions& options);

}  // namespace smsim

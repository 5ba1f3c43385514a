// Reading a user's file whole and writing a result whole or not at all.
#pragma once

#include "base/diagnostics.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace smsim {

/// Reads a text file of at most `limit` bytes into lines; a byte-order mark is dropped. A directory, an
/// unreadable file, one above the limit, UTF-16 text or one with control characters is an error in
/// `diagnostics`, and the answer is null. `path` "-" reads stdin.
std::shared_ptr<const SourceText> read_text_file(const std::filesystem::path& path, std::uint64_t limit,
                                                 Diagnostics& diagnostics);

/// Makes a SourceText of words that are no file, e.g. of an option's value.
std::shared_ptr<const SourceText> make_source(std::string name, std::string_view text);

/// Where `text` stops being UTF-8; npos where it is all UTF-8.
std::size_t find_invalid_utf8(std::string_view text);

/// Writes a file whole or not at all: into a temporary neighbour, then renamed over `path`.
/// @throws RunError when it cannot be written (disk full, no permission); no partial file is left.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace smsim

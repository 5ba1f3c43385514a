// "did you mean": the nearest allowed word to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smsim {

/// The allowed word nearest to `word` by edit distance (insert, delete, replace, swap of neighbours; case
/// ignored) if at most a third of the letters are wrong; else the only one that `word` is a part of, or that
/// is a part of it, or of several the only one that begins with it; else "".
std::string nearest_word(std::string_view word, const std::vector<std::string>& allowed);

/// "allowed: a, b, c (did you mean 'b'?)", the second half of an error message.
std::string allowed_words(std::string_view word, const std::vector<std::string>& allowed);

}  // namespace smsim

// "did you mean": the nearest allowed word to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smsim {

/// The allowed word nearest to `word` by edit distance (insert, delete, replace, swap of neighbours; case ignored),
/// or "" if none is near enough to be a slip of the keyboard: more than a third of its letters wrong.
std::string nearest_word(std::string_view word, const std::vector<std::string>& allowed);

/// "allowed: a, b, c (did you mean 'b'?)", the second half of an error message.
std::string allowed_words(std::string_view word, const std::vector<std::string>& allowed);

}  // namespace smsim

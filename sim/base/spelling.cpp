#include "base/spelling.h"

#include <algorithm>
#include <cctype>

namespace smsim {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::size_t edit_distance(std::string_view a, std::string_view b)
{
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      const bool swapped =
          i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_word(std::string_view word, const std::vector<std::string>& allowed)
{
  std::string best;
  if (word.size() > 64) return best;
  std::size_t least = word.size() / 3 + 1;
  for (const std::string& candidate : allowed) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  if (!best.empty() || word.size() < 4) return best;
  // Not a slip of the keyboard: half a name, or a name and more. A suggestion only where there is one such
  // word, or one that begins so.
  std::vector<std::string> parts;
  for (const std::string& candidate : allowed)
    if (candidate.find(word) != std::string::npos ||
        (candidate.size() >= 4 && word.find(candidate) != std::string_view::npos))
      parts.push_back(candidate);
  if (parts.size() > 1)
    std::erase_if(parts, [&](const std::string& part) { return !part.starts_with(word); });
  return parts.size() == 1 ? parts[0] : std::string();
}

std::string allowed_words(std::string_view word, const std::vector<std::string>& allowed)
{
  std::string out = "allowed:";
  for (std::size_t i = 0; i < allowed.size(); ++i)
    out += (i ? ", " : " ") + allowed[i];
  if (const std::string near = nearest_word(word, allowed); !near.empty())
    out += " (did you mean '" + near + "'?)";
  return out;
}

}  // namespace smsim

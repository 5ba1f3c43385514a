#include "config/kernel_config.h"

#include "base/numbers.h"

namespace smsim {

std::optional<Carveout> parse_carveout(std::string_view text)
{
  if (text == "default") return Carveout{};
  if (text.ends_with('%')) {
    const auto percent = parse_integer(text.substr(0, text.size() - 1));
    if (!percent || *percent > 100) return std::nullopt;
    return Carveout{Carveout::Kind::percent, *percent};
  }
  // A bare number could be a percentage or bytes; neither is guessed.
  if (text.find_first_not_of("0123456789") == std::string_view::npos) return std::nullopt;
  const auto size = parse_size(text);
  if (!size) return std::nullopt;
  return Carveout{Carveout::Kind::bytes, *size};
}

}  // namespace smsim

// SHA-256 (FIPS 180-4), for naming what a sweep ran: the same digits as `sha256sum` prints.
#pragma once

#include <string>
#include <string_view>

namespace smsim {

/// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace smsim

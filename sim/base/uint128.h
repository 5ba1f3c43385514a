// An unsigned integer of 128 bits, which GCC and clang have on every 64-bit machine: for sums of squares.
#pragma once

namespace smsim {

__extension__ using Uint128 = unsigned __int128;

}  // namespace smsim

#include "base/random.h"

#include <Random123/philox.h>

namespace smsim {
namespace {

r123::Philox4x32::ctr_type draw(const DrawKey& key)
{
  // 64 + 64 + 32 + 32 + 64 bits of key are folded into Philox's 128-bit counter and 64-bit key: the seed is
  // the key; block and repetition are the counter's halves, with warp and site in their upper bits, which
  // stay distinct up to 2^40 blocks of 2^12 warps (the block takes the low 40 and the warp 12, then 12 bits
  // of the site) and 2^44 repetitions (with 20 bits of the site above them).
  const std::uint64_t low = (key.block & 0xFF'FFFF'FFFFU) | (std::uint64_t{key.warp & 0xFFFU} << 40) |
                            (std::uint64_t{key.site & 0xFFFU} << 52);
  const std::uint64_t high = (key.repetition & 0xFFF'FFFF'FFFFU) | (std::uint64_t{key.site >> 12} << 44);
  const r123::Philox4x32::ctr_type counter = {
      {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32),
       static_cast<std::uint32_t>(high), static_cast<std::uint32_t>(high >> 32)}};
  const r123::Philox4x32::key_type philox_key = {
      {static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)}};
  return r123::Philox4x32{}(counter, philox_key);
}

}  // namespace

std::uint32_t draw_u32(const DrawKey& key) { return draw(key)[0]; }

std::array<std::uint32_t, 4> draw_four(const DrawKey& key)
{
  const auto drawn = draw(key);
  return {drawn[0], drawn[1], drawn[2], drawn[3]};
}

double draw_unit(const DrawKey& key)
{
  const auto drawn = draw(key);
  const std::uint64_t bits = (std::uint64_t{drawn[0]} << 20) | (drawn[1] >> 12);
  return (static_cast<double>(bits) + 0.5) * 0x1p-52;
}

}  // namespace smsim

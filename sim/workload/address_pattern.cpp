#include "workload/address_pattern.h"

#include "base/random.h"

namespace smsim {
namespace {

constexpr std::uint64_t sector = 32;
/// Room for one site's addresses: 2^44 bytes, so that 2^20 sites fit 64 bits.
constexpr unsigned site_bits = 44;
/// Where local slots lie: no instruction has this number.
constexpr std::uint64_t local_site = (1U << 20U) - 1;

constexpr std::uint64_t whole_sectors(std::uint64_t bytes) { return (bytes + sector - 1) / sector * sector; }

}  // namespace

std::uint64_t address_of(const AddressPattern& pattern, const AccessIdentity& access, std::uint64_t bytes)
{
  const std::uint64_t size = whole_sectors(bytes);
  const std::uint64_t warp = access.block * access.warps_per_block + access.warp;
  std::uint64_t offset = 0;
  switch (pattern.kind) {
  case AddressPattern::Kind::none:
  case AddressPattern::Kind::traced:
    break;
  case AddressPattern::Kind::streaming:
    // Warps interleave as threads of a coalesced kernel do: repetition r of all warps lies before repetition
    // r + 1.
    offset = (access.repetition * access.blocks * access.warps_per_block + warp) * size;
    break;
  case AddressPattern::Kind::strided: {
    const std::uint64_t steps = pattern.footprint / pattern.stride;
    offset = warp * pattern.footprint + access.repetition % steps * pattern.stride;
    break;
  }
  case AddressPattern::Kind::block_shared: {
    const std::uint64_t places = pattern.footprint < size ? 1 : pattern.footprint / size;
    const std::uint64_t place = (access.repetition * access.warps_per_block + access.warp) % places;
    offset = access.block * pattern.footprint + place * size;
    break;
  }
  case AddressPattern::Kind::random: {
    const std::uint64_t sectors = pattern.footprint / sector;
    const std::uint64_t draw =
        draw_u32({access.seed, access.block, access.warp, access.site, access.repetition});
    offset = ((draw * sectors) >> 32U) * sector;
    break;
  }
  case AddressPattern::Kind::local:
    offset = (warp * pattern.slots + pattern.slot) * size;
    break;
  }
  constexpr std::uint64_t mask = (std::uint64_t{1} << site_bits) - 1;
  const std::uint64_t site = pattern.kind == AddressPattern::Kind::local ? local_site : access.site;
  return (site << site_bits) | (offset & mask & ~(sector - 1));
}

}  // namespace smsim

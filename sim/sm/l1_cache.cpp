#include "sm/l1_cache.h"

#include <algorithm>
#include <bit>

namespace smsim {

L1Cache::L1Cache(const L1Shape& shape)
    : line_bytes_(shape.line_bytes), ways_(shape.ways),
      sets_(shape.bytes / (std::uint64_t{shape.line_bytes} * shape.ways)), lines_(sets_ * shape.ways)
{
}

L1Cache::Line* L1Cache::find(std::uint64_t line_number)
{
  if (sets_ == 0) return nullptr;
  Line* const set = lines_.data() + line_number % sets_ * ways_;
  for (Line* line = set; line != set + ways_; ++line)
    if (line->tag == line_number) return line;
  return nullptr;
}

L1Cache::Line& L1Cache::find_or_replace(std::uint64_t line_number, const L1Owner& by,
                                        std::uint32_t& given_back)
{
  if (Line* const line = find(line_number)) return *line;
  Line* const set = lines_.data() + line_number % sets_ * ways_;
  Line* const oldest =
      std::min_element(set, set + ways_, [](const Line& a, const Line& b) { return a.used < b.used; });
  given_back += static_cast<std::uint32_t>(std::popcount(oldest->dirty));
  if (!owners_.empty()) {
    L1Owner& owner = owners_[static_cast<std::size_t>(oldest - lines_.data())];
    if (oldest->tag != no_tag) changes.push_back({oldest->tag, owner, true});
    changes.push_back({line_number, by, false});
    owner = by;
  }
  *oldest = Line{};
  oldest->tag = line_number;
  return *oldest;
}

L1Cache::Lookup L1Cache::load(std::uint64_t address, std::uint32_t sectors, Cycle now, const L1Owner& by)
{
  Lookup found;
  waiting_.clear();
  look_up(address / sector_bytes, sectors, now, by, found);
  return found;
}

L1Cache::Lookup L1Cache::load(std::span<const AccessRun> sectors, Cycle now, const L1Owner& by)
{
  Lookup found;
  waiting_.clear();
  for (const AccessRun& run : sectors)
    look_up(run.first(), run.count(), now, by, found);
  return found;
}

void L1Cache::look_up(std::uint64_t sector, std::uint32_t count, Cycle now, const L1Owner& by, Lookup& found)
{
  if (sets_ == 0) {
    found.missing += count;
    return;
  }
  const std::uint64_t end = sector + count;
  const std::uint64_t per_line = line_bytes_ / sector_bytes;
  while (sector < end) {
    Line& line = find_or_replace(sector / per_line, by, found.given_back);
    line.used = ++clock_;
    if (line.filled > now) found.filled = std::max(found.filled, line.filled);
    bool misses = false;
    for (; sector < end; ++sector) {
      const std::uint32_t bit = 1U << (sector % per_line);
      if ((line.valid & bit) == 0) {
        line.valid |= bit;
        ++found.missing;
        misses = true;
      }
      if ((sector + 1) % per_line == 0) {
        ++sector;
        break;
      }
    }
    if (misses) waiting_.push_back(&line);
  }
}

void L1Cache::fill(Cycle arrives)
{
  for (Line* line : waiting_)
    line->filled = std::max(line->filled, arrives);
  waiting_.clear();
}

void L1Cache::store(std::uint64_t address, std::uint32_t sectors)
{
  std::uint64_t sector = address / sector_bytes;
  const std::uint64_t end = sector + sectors;
  const std::uint64_t per_line = line_bytes_ / sector_bytes;
  for (; sector < end; sector = (sector / per_line + 1) * per_line)
    if (Line* const line = find(sector / per_line)) line->used = ++clock_;
}

std::uint32_t L1Cache::keep(std::uint64_t address, std::uint32_t sectors, const L1Owner& by)
{
  std::uint32_t given_back = 0;
  const std::uint64_t first = address / sector_bytes;
  const std::uint64_t per_line = line_bytes_ / sector_bytes;
  for (std::uint64_t sector = first; sector < first + sectors; ++sector) {
    Line& line = find_or_replace(sector / per_line, by, given_back);
    line.used = ++clock_;
    line.valid |= 1U << (sector % per_line);
    line.dirty |= 1U << (sector % per_line);
  }
  return given_back;
}

void L1Cache::append_to(StateKey& key) const
{
  std::vector<const Line*> lines;
  for (std::uint64_t set = 0; set < sets_; ++set) {
    lines.clear();
    for (std::uint32_t way = 0; way < ways_; ++way)
      if (const Line& line = lines_[set * ways_ + way]; line.tag != no_tag) lines.push_back(&line);
    if (lines.empty()) continue;
    std::sort(lines.begin(), lines.end(), [](const Line* a, const Line* b) { return a->used < b->used; });
    key.number(set + 1);
    key.number(lines.size());
    for (const Line* line : lines) {
      key.number(line->tag);
      key.number(line->valid);
      key.number(line->dirty);
      key.time(line->filled);
    }
  }
  key.number(0);
}

}  // namespace smsim

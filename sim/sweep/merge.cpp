#include "sweep/merge.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace smsim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t batch_rows = 5'000;
constexpr std::size_t most_ranges = 20;

struct Input {
  std::string path;
  Database database;
  StoreHeader header;
};

/// Why a store cannot be joined to the first one.
std::string unlike(const StoreHeader& a, const StoreHeader& b)
{
  if (a.smsim_version != b.smsim_version)
    return "is of smsim " + b.smsim_version + ", not of " + a.smsim_version + "; versions are not mixed";
  if (a.name != b.name) return "is of the sweep '" + b.name + "', not of '" + a.name + "'";
  if (a.fingerprint != b.fingerprint) {
    for (const SweepFile& file : a.files)
      for (const SweepFile& other : b.files)
        if (file.name == other.name && file.sha256 != other.sha256)
          return "was run with another " + file.name;
    return "is of another sweep of that name";
  }
  if (a.points != b.points || a.shard.count != b.shard.count)
    return "is one of " + std::to_string(b.shard.count) + " shards, not of " + std::to_string(a.shard.count);
  return {};
}

/// Numbers as ranges: "0-3, 7 and 12 more".
std::string ranges_text(const std::vector<std::uint64_t>& numbers, std::uint64_t step)
{
  std::string out;
  std::size_t ranges = 0;
  for (std::size_t i = 0; i < numbers.size();) {
    if (ranges++ == most_ranges) return out + " and " + std::to_string(numbers.size() - i) + " more";
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + step)
      ++last;
    if (!out.empty()) out += ", ";
    out += std::to_string(numbers[i]);
    if (last > i) out += (step == 1 ? "-" : " to ") + std::to_string(numbers[last]);
    i = last + 1;
  }
  return out;
}

std::string missing_line(const Shard& shard, const Input* input, std::uint64_t expected,
                         const std::vector<bool>& there)
{
  if (expected == 0) return {};
  const std::string name = "shard " + shard.text();
  if (!input) return name + ": no store of it was given (" + std::to_string(expected) + " points)";
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < expected; ++i) {
    const std::uint64_t point = shard.index + i * shard.count;
    if (point >= there.size() || !there[point]) numbers.push_back(point);
  }
  if (numbers.empty()) return {};
  return name + " (" + input->path + "): " + std::to_string(numbers.size()) + " of " +
         std::to_string(expected) + " points: " + ranges_text(numbers, shard.count) +
         (shard.count > 1 && numbers.size() > 1 ? " in steps of " + std::to_string(shard.count) : "");
}

std::uint64_t copy(Input& input, StoreWriter& output)
{
  const auto parameters = static_cast<int>(input.header.parameters.size());
  const auto metrics = static_cast<int>(metric_names().size());
  Statement rows = input.database.prepare(
      "SELECT points.point, points.id, failures.message, parameters.*, results.* FROM points"
      " JOIN parameters ON parameters.point = points.point"
      " LEFT JOIN results ON results.point = points.point"
      " LEFT JOIN failures ON failures.point = points.point ORDER BY points.point");
  std::vector<PointResult> batch;
  std::uint64_t copied = 0;
  while (rows.step()) {
    PointResult& result = batch.emplace_back();
    result.number = rows.whole(0);
    if (!input.header.shard.has(result.number) || result.number >= input.header.points)
      throw InputError(input.path + ": holds point " + std::to_string(result.number) +
                       ", which is not of its shard\n");
    result.id = rows.text(1);
    result.failure = rows.text(2);
    for (int i = 0; i < parameters; ++i)
      result.parameters.push_back(rows.cell(4 + i));
    for (int i = 0; i < metrics; ++i)
      result.metrics.push_back(rows.cell(5 + parameters + i));
    ++copied;
    if (batch.size() < batch_rows) continue;
    output.add(batch);
    batch.clear();
  }
  if (!batch.empty()) output.add(batch);
  return copied;
}

}  // namespace

MergeReport merge_stores(const std::vector<std::string>& paths, const std::string& output)
{
  std::vector<Input> inputs;
  std::string wrong;
  std::map<std::uint64_t, Input*> by_shard;
  inputs.reserve(paths.size());
  for (const std::string& path : paths) {
    Database database = open_store(path);
    StoreHeader header = read_header(database);
    inputs.push_back({path, std::move(database), std::move(header)});
    Input& input = inputs.back();
    const std::string why = unlike(inputs[0].header, input.header);
    if (!why.empty()) {
      wrong.append(path).append(": ").append(why).append(" (").append(inputs[0].path).append(")\n");
    } else if (const auto [first, is_new] = by_shard.emplace(input.header.shard.index, &input); !is_new) {
      wrong +=
          path + ": holds shard " + input.header.shard.text() + ", as " + first->second->path + " does\n";
    }
  }
  if (!wrong.empty()) throw InputError(wrong);
  std::error_code ignored;
  if (fs::exists(output, ignored)) throw InputError(output + ": exists already; merge writes a new file\n");

  StoreHeader header = inputs[0].header;
  const std::uint64_t shards = header.shard.count;
  header.shard = {};
  MergeReport report;
  report.points = header.points;
  const std::string part = output + ".part-" + std::to_string(::getpid());
  try {
    StoreWriter writer(part, header);
    for (Input& input : inputs)
      report.joined += copy(input, writer);
    report.failed = writer.failures();
    const std::vector<bool> there = writer.done();
    for (std::uint64_t i = 0; i < shards; ++i) {
      const Shard shard{i, shards};
      const auto found = by_shard.find(i);
      std::string line = missing_line(shard, found == by_shard.end() ? nullptr : found->second,
                                      shard.points_of(header.points), there);
      if (!line.empty()) report.missing.push_back(std::move(line));
    }
  } catch (...) {
    fs::remove(part, ignored);
    fs::remove(part + "-journal", ignored);
    throw;
  }
  std::error_code renamed;
  fs::rename(part, output, renamed);
  if (renamed) {
    fs::remove(part, ignored);
    throw RunError(output + ": cannot be written: " + renamed.message() + "\n");
  }
  return report;
}

}  // namespace smsim

#include "shard_option.h"

#include "base/numbers.h"

#include <cstdlib>

namespace smsim::cli {
namespace {

constexpr std::uint64_t most_shards = 1'000'000;

std::uint64_t from_slurm(const OptionParser& parser, const std::string& name, const char* otherwise)
{
  const char* text = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe)
  if (!text) text = otherwise;
  if (!text)
    parser.fail("--shard slurm: " + name +
                " is not set: this is no task of a Slurm job array (sbatch --array=0-15 ...)");
  const auto value = parse_integer(text);
  if (!value) parser.fail("--shard slurm: " + name + "='" + text + "' is not a whole number");
  return *value;
}

/// The task's place in the array, whatever the array begins with.
Shard slurm_shard(const OptionParser& parser)
{
  const std::uint64_t task = from_slurm(parser, "SLURM_ARRAY_TASK_ID", nullptr);
  const std::uint64_t first = from_slurm(parser, "SLURM_ARRAY_TASK_MIN", nullptr);
  const std::uint64_t count = from_slurm(parser, "SLURM_ARRAY_TASK_COUNT", nullptr);
  const std::uint64_t step = from_slurm(parser, "SLURM_ARRAY_TASK_STEP", "1");
  const bool regular =
      step > 0 && task >= first && (task - first) % step == 0 && (task - first) / step < count;
  if (!regular || count > most_shards)
    parser.fail("--shard slurm: task " + std::to_string(task) + " of an array of " + std::to_string(count) +
                " tasks from " + std::to_string(first) +
                " on has no place in it; expected: an array without gaps, such as --array=0-15");
  return {(task - first) / step, count};
}

}  // namespace

Shard read_shard(const OptionParser& parser)
{
  const std::string text = parser.text("shard");
  if (text == "slurm") return slurm_shard(parser);
  const std::size_t slash = text.find('/');
  const auto index = parse_integer(std::string_view(text).substr(0, slash));
  const auto count =
      slash == std::string::npos ? std::nullopt : parse_integer(std::string_view(text).substr(slash + 1));
  if (!index || !count || *count == 0 || *count > most_shards)
    parser.fail("--shard: '" + text + "' is no shard; expected: i/N such as 0/4, or slurm");
  if (*index >= *count)
    parser.fail("--shard: there is no shard " + text + "; shards are counted from 0: 0/" +
                std::to_string(*count) + " to " + std::to_string(*count - 1) + "/" + std::to_string(*count));
  return {*index, *count};
}

}  // namespace smsim::cli

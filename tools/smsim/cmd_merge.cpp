// smsim merge SHARD... -o STORE
#include "cli.h"
#include "sweep/merge.h"

#include <iostream>

namespace smsim::cli {

int run_merge(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "merge", "merge STORE... -o STORE",
      "Joins the stores of a sweep's shards into one. Stores of different sweeps or versions of smsim "
      "are not\n"
      "joined. What is missing is listed; `smsim sweep FILE -o STORE` with the joined store runs it.\n"
      "Exit status: 0 the sweep is whole, 1 points are missing, 2 bad input.",
      "  smsim merge shard-*.sqlite -o results.sqlite\n");
  parser.options.add_options()("stores", po::value<std::vector<std::string>>(), "the shards' stores")(
      "output,o", po::value<std::string>(), "the joined store, a new file");
  parser.positional("stores", -1);
  if (!parser.parse(arguments)) return 0;
  const std::vector<std::string> stores = parser.list("stores");
  if (stores.empty()) parser.fail("name the shards' stores");
  if (!parser.has("output")) parser.fail("name the joined store with -o");
  const std::string path = parser.text("output");
  const MergeReport report = merge_stores(stores, path);
  write_output({}, path + ": " + std::to_string(report.joined) + " of " + std::to_string(report.points) +
                       (report.points == 1 ? " point, " : " points, ") + std::to_string(report.failed) +
                       " failed\n");
  for (const std::string& line : report.missing)
    std::cerr << "missing: " << line << "\n";
  return report.missing.empty() ? 0 : 1;
}

}  // namespace smsim::cli

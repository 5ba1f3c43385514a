#include "report/advice.h"
#include "report/html/elements.h"
#include "report/html/sections.h"
#include "report/table_text.h"
#include "sm/bound_program.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace smsim::html {
namespace {

struct Use {
  std::string key;  ///< for tests: "pipe fma"
  std::string name;
  double share = 0;  ///< of what could have been used in the whole run
  std::string of;
};

/// Cycles for which the accesses of the run took the SMs' way to memory.
double memory_cycles(const PageInput& page)
{
  const ArchConfig& arch = page.run.arch;
  Diagnostics diagnostics;
  const BoundProgram program = bind_program(page.run.workload.program, arch, page.run.workload.kernel,
                                            page.run.result.seed, diagnostics);
  double taken = 0;
  const std::vector<std::uint64_t>& issues = page.recording.issues();
  for (std::size_t pc = 0; pc < issues.size() && pc < program.ops.size(); ++pc) {
    const BoundOp& op = program.ops[pc];
    if (op.kind == OpKind::shared_access || op.kind == OpKind::global_access)
      taken += static_cast<double>(issues[pc]) * op.passes * arch.memory.sm_interval;
  }
  return taken;
}

std::vector<Use> uses(const PageInput& page)
{
  const ArchConfig& arch = page.run.arch;
  const RunResult& result = page.run.result;
  const double sm_cycles = static_cast<double>(result.cycles) * static_cast<double>(result.sms.size());
  const double scheduler_cycles = sm_cycles * arch.sm.sub_partitions;
  const auto share = [](double part, double whole) { return whole == 0 ? 0 : part / whole; };
  std::vector<Use> found;
  found.push_back({"issue", "Issue slots",
                   share(static_cast<double>(result.instructions()), scheduler_cycles),
                   "one instruction a cycle and scheduler"});
  for (std::size_t i = 0; i < arch.pipes.size(); ++i) {
    const PipeConfig& pipe = arch.pipes[i];
    if (result.pipe_cycles(i) == 0) continue;
    const bool of_sm = pipe.scope == Scope::sm;
    found.push_back({"pipe " + pipe.name, "Pipe " + pipe.name, pipe_utilisation(page.run, i),
                     std::to_string(pipe.lanes) + " lanes for " + (of_sm ? "the SM" : "each scheduler")});
  }
  const double queued = memory_cycles(page);
  if (queued > 0)
    found.push_back(
        {"queue", "Way to memory", share(queued, sm_cycles),
         "an access of the SM " +
             (arch.memory.sm_interval == 1 ? std::string("each cycle")
                                           : "every " + std::to_string(arch.memory.sm_interval) + " cycles") +
             "; bank conflicts take more"});
  const auto bandwidth = [&](const char* key, const char* name, std::optional<double> used,
                             const BandwidthConfig& level) {
    if (!used) return;
    found.push_back(
        {key, name, *used,
         fixed(static_cast<double>(*level.millibytes_per_cycle) / 1000, 1) + " B a cycle and SM"});
  };
  bandwidth("l2", "L2 bandwidth", l2_utilisation(page.run), arch.memory.l2);
  bandwidth("dram", "DRAM bandwidth", dram_utilisation(page.run), arch.memory.dram);
  return found;
}

std::string memory_table(const PageInput& page)
{
  const Numbers numbers(page.result);
  constexpr const char* names[] = {"L1", "L2", "DRAM"};
  const MemoryCounts counts = page.run.result.memory();
  std::uint64_t all = 0;
  for (const std::uint64_t accesses : counts.accesses)
    all += accesses;
  if (all == 0) return "<p>The kernel has no global or local accesses.</p>\n";
  std::vector<std::vector<std::string>> rows{{"Level", "Accesses that it served", "Bytes"}};
  for (std::size_t i = 0; i < level_count; ++i) {
    const std::string path = "/memory/" + std::string(level_keys[i]);
    rows.push_back({names[i],
                    bar_cell(static_cast<double>(counts.accesses[i]) / static_cast<double>(all),
                             numbers.count(path + "/accesses")),
                    numbers.count(path + "/bytes")});
  }
  return table("Global and local accesses by the level that had the data", rows);
}

/// The instructions that were issued most often.
std::string instruction_table(const PageInput& page)
{
  constexpr std::size_t most_rows = 12;
  const std::vector<std::uint64_t>& issues = page.recording.issues();
  std::vector<std::size_t> order(issues.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return issues[a] > issues[b]; });
  const double all = std::max(1.0, static_cast<double>(page.run.result.instructions()));
  std::vector<std::vector<std::string>> rows{{"Instruction", "Issued", "Share"}};
  for (std::size_t i = 0; i < std::min(order.size(), most_rows) && issues[order[i]] > 0; ++i)
    rows.push_back({"<code>" + escaped(page.recording.instructions()[order[i]]) + "</code>",
                    grouped(std::to_string(issues[order[i]])),
                    bar_cell(static_cast<double>(issues[order[i]]) / all,
                             percent(static_cast<double>(issues[order[i]]) / all) + "\u202F%")});
  return table(order.size() > most_rows
                   ? "The " + std::to_string(most_rows) + " instructions issued most often, of " +
                         std::to_string(order.size())
                   : std::string("How often each instruction was issued"),
               rows);
}

}  // namespace

std::string usage_section(const PageInput& page)
{
  std::vector<std::vector<std::string>> rows{{"Unit", "Used", "What it can do"}};
  for (const Use& use : uses(page))
    rows.push_back({escaped(use.name),
                    bar_cell(use.share,
                             "<data value=\"" + nlohmann::ordered_json(use.share).dump() + "\" data-use=\"" +
                                 escaped(use.key) + "\">" + percent(use.share) + "\u202F%</data>",
                             use.share >= 0.8 ? "binding" : ""),
                    escaped(use.of)});
  return section(
      "usage", "Pipes and bandwidth",
      "<p>Shares of what each unit could have done in all cycles of all SMs. Near 100\u202F% a unit is the "
      "limit, and more warps do not help; if all are low, the warps wait for latencies.</p>\n" +
          table("How much of each unit was used", rows) + memory_table(page) + instruction_table(page));
}

}  // namespace smsim::html

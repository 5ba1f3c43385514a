#include "report/trace_report.h"

#include "base/numbers.h"
#include "base/version.h"
#include "occupancy/calculator.h"
#include "report/occupancy_json.h"
#include "report/table_text.h"
#include "workload/trace_loader.h"

#include <algorithm>
#include <map>

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

double ratio(std::uint64_t part, std::uint64_t whole)
{
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// All executions of a mnemonic.
struct Row {
  std::string sass;
  std::string opcode;
  std::uint64_t executed = 0;
  std::uint64_t threads = 0;
  std::uint64_t units = 0;
  std::uint64_t bytes = 0;  ///< that threads asked for
  bool is_shared = false;
};

std::vector<Row> rows_of(const Workload& workload, bool accesses)
{
  std::map<std::pair<std::string, std::string>, Row> by_name;
  for (std::size_t i = 0; i < workload.program.code.size(); ++i) {
    const TraceFacts::Op& op = workload.traced->ops[i];
    if (accesses && op.width == 0) continue;
    const std::string& opcode = workload.program.code[i].mnemonic;
    Row& row = by_name[{op.sass, opcode}];
    row.sass = op.sass;
    row.opcode = opcode;
    row.executed += op.executed;
    row.threads += op.threads;
    row.units += op.units;
    row.bytes += op.threads * op.width;
    row.is_shared = opcode.ends_with(".shared");
  }
  std::vector<Row> rows;
  rows.reserve(by_name.size());
  for (auto& [name, row] : by_name)
    rows.push_back(std::move(row));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.executed > b.executed; });
  return rows;
}

struct Sums {
  std::uint64_t threads = 0;
  std::uint64_t partial = 0;
};

Sums sums_of(const TraceFacts& facts)
{
  Sums sums;
  for (const TraceFacts::Op& op : facts.ops) {
    sums.threads += op.threads;
    sums.partial += op.partial;
  }
  return sums;
}

std::string limiters_of(const Occupancy& occupancy)
{
  std::string list;
  for (const Limiter limiter : occupancy.limiters)
    list += (list.empty() ? "" : ", ") + std::string(limiter_table[static_cast<std::size_t>(limiter)].key);
  return list;
}

}  // namespace

std::string trace_text(const ArchConfig& arch, const Workload& workload)
{
  const TraceFacts& facts = *workload.traced;
  const KernelConfig& kernel = workload.kernel;
  const Occupancy occupancy = calculate_occupancy(arch, kernel);
  const Sums sums = sums_of(facts);
  ReportSection launch("Kernel");
  const auto extents = [](const std::array<std::uint32_t, 3>& of) {
    return std::to_string(of[0]) + " x " + std::to_string(of[1]) + " x " + std::to_string(of[2]);
  };
  launch.row("Made For", "sm_" + std::to_string(facts.header.binary_version), "shown on " + arch.name)
      .row("Tracer Version", facts.header.tracer_version.empty() ? "none" : facts.header.tracer_version)
      .row("Grid", extents(kernel.grid), "blocks")
      .row("Block", extents(kernel.block), "threads")
      .row("Registers Per Thread", std::uint64_t{kernel.registers_per_thread}, "registers")
      .row("Shared Memory Per Block", size_text(kernel.static_shared_bytes))
      .row("Instructions", facts.instructions, "executed by warps")
      .row("Different Instructions", std::uint64_t{workload.program.code.size()});
  if (facts.silent_warps > 0) launch.row("Warps Without Instructions", facts.silent_warps, "warps");
  for (const std::string& key : facts.header.other_keys)
    launch.row("Unknown Header Key", key);
  ReportSection fits("Theoretical Occupancy");
  fits.row("Theoretical Occupancy", percent(occupancy.ratio()), "%")
      .row("Theoretical Active Warps per SM", occupancy.warps_per_sm, "warps");
  if (occupancy.launchable())
    fits.row("Limited By", limiters_of(occupancy));
  else
    fits.row("No Block Can Launch", occupancy.not_launchable);
  ReportSection divergence("Divergence");
  divergence
      .row("Average Active Threads Per Warp", fixed(ratio(sums.threads, facts.instructions), 2), "threads")
      .row("Divergent Or Predicated Instructions", percent(ratio(sums.partial, facts.instructions)),
           "% of them, without some of the warp's threads");

  std::vector<std::vector<std::string>> mix{{"Instruction", "executed", "share %", "threads", "as"}};
  constexpr std::size_t most = 20;
  const auto rows = rows_of(workload, false);
  for (std::size_t i = 0; i < std::min(rows.size(), most); ++i)
    mix.push_back({rows[i].sass, std::to_string(rows[i].executed),
                   percent(ratio(rows[i].executed, facts.instructions)),
                   fixed(ratio(rows[i].threads, rows[i].executed), 2), rows[i].opcode});
  std::string text = workload.name + ", a traced kernel\n\n" + launch.text() + fits.text() +
                     divergence.text() + "Instruction Mix\n" + columns(mix, 1, 1);
  if (rows.size() > most) text += "  and " + std::to_string(rows.size() - most) + " more\n";
  const auto accesses = rows_of(workload, true);
  if (!accesses.empty()) {
    std::vector<std::vector<std::string>> table{{"Access", "executed", "per access", "bytes used %", "unit"}};
    for (const Row& row : accesses)
      table.push_back({row.sass, std::to_string(row.executed), fixed(ratio(row.units, row.executed), 2),
                       percent(ratio(row.bytes, row.units * (row.is_shared ? 4U : 32U))),
                       row.is_shared ? "words of 4 bytes" : "sectors of 32 bytes"});
    text += "\nMemory Accesses\n" + columns(table, 1, 1);
  }
  if (!facts.unknown.empty()) {
    ReportSection unknown("Opcodes That No Row Of arch_configs/sass/sass.yaml Knows");
    for (const auto& [mnemonic, executed] : facts.unknown)
      unknown.row(mnemonic, executed, "executed");
    text += "\n" + unknown.text();
  }
  return text;
}

std::string trace_info_json(const ArchConfig& arch, const Workload& workload)
{
  const TraceFacts& facts = *workload.traced;
  const KernelConfig& kernel = workload.kernel;
  const Occupancy occupancy = calculate_occupancy(arch, kernel);
  const Sums sums = sums_of(facts);
  Json out;
  out["schema_version"] = 1;
  out["smsim_version"] = version;
  out["kernel"] = workload.name;
  out["binary_version"] = facts.header.binary_version;
  out["tracer_version"] = facts.header.tracer_version;
  out["other_header_keys"] = facts.header.other_keys;
  out["launch"] = {{"grid", kernel.grid},
                   {"block", kernel.block},
                   {"registers_per_thread", kernel.registers_per_thread},
                   {"shared_bytes_per_block", kernel.static_shared_bytes}};
  out["architecture"] = arch.name;
  out["occupancy"] = {{"theoretical", occupancy.ratio()},       {"blocks_per_sm", occupancy.blocks_per_sm},
                      {"warps_per_sm", occupancy.warps_per_sm}, {"not_launchable", occupancy.not_launchable},
                      {"limits", limits_json(occupancy)},       {"limiters", limiters_json(occupancy)}};
  out["instructions"] = facts.instructions;
  out["different_instructions"] = workload.program.code.size();
  out["warps_without_instructions"] = facts.silent_warps;
  out["average_active_threads_per_warp"] = ratio(sums.threads, facts.instructions);
  out["divergent_share"] = ratio(sums.partial, facts.instructions);
  out["unknown_instructions"] = facts.unknown_instructions();
  Json& mix = out["mix"] = Json::array();
  for (const Row& row : rows_of(workload, false))
    mix.push_back({{"sass", row.sass},
                   {"opcode", row.opcode},
                   {"executed", row.executed},
                   {"active_threads", ratio(row.threads, row.executed)}});
  Json& accesses = out["accesses"] = Json::array();
  for (const Row& row : rows_of(workload, true))
    accesses.push_back({{"sass", row.sass},
                        {"executed", row.executed},
                        {"unit", row.is_shared ? "word" : "sector"},
                        {"units_per_access", ratio(row.units, row.executed)},
                        {"bytes_asked", row.bytes}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace smsim

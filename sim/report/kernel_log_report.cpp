#include "report/kernel_log_report.h"

#include "config/arch_loader.h"
#include "occupancy/cliffs.h"
#include "occupancy/ncu_csv.h"
#include "occupancy/ptxas_log.h"
#include "report/advice.h"
#include "report/occupancy_json.h"
#include "report/table_text.h"

#include <map>

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

/// Architectures by compute capability, or the one that the user named.
class ArchFinder {
 public:
  ArchFinder(const KernelLogOptions& options, Diagnostics& diagnostics) : options_(options), diagnostics_(diagnostics) {}

  const ArchConfig* find(const std::string& compute_capability, const Mark& where)
  {
    std::string name = options_.arch;
    if (name.empty() && !compute_capability.empty()) name = preset_of_compute_capability(compute_capability);
    if (name.empty()) {
      const std::string what = compute_capability.empty()
                                   ? "it is not said what this kernel was compiled for"
                                   : "no preset has compute capability '" + compute_capability + "'";
      diagnostics_.error(where, "", what, "name an architecture with --arch; presets: " + join(known_compute_capabilities()));
      return nullptr;
    }
    if (const auto found = archs_.find(name); found != archs_.end()) return &found->second;
    const std::size_t errors_before = diagnostics_.count();
    ArchConfig arch = load_arch(name, options_.overrides, diagnostics_);
    if (diagnostics_.count() != errors_before) return nullptr;
    return &archs_.emplace(name, std::move(arch)).first->second;
  }

 private:
  static std::string join(const std::vector<std::string>& words)
  {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
    return out;
  }

  const KernelLogOptions& options_;
  Diagnostics& diagnostics_;
  std::map<std::string, ArchConfig> archs_;
};

/// Left-aligned texts, right-aligned numbers, as wide as needed.
std::string columns(const std::vector<std::vector<std::string>>& rows, std::size_t text_columns_at_end)
{
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - row[i].size(), ' ');
      const bool last = i + 1 == row.size();
      const bool is_text = i == 0 || i + text_columns_at_end >= row.size();
      out += is_text ? row[i] + (last ? "" : pad) : pad + row[i];
      if (!last) out += "  ";
    }
    out += '\n';
  }
  return out;
}

std::string next_cliff(const ArchConfig& arch, const KernelConfig& kernel)
{
  const std::vector<Cliff> cliffs = nearest_cliffs(arch, kernel);
  for (const Cliff& cliff : cliffs)
    if (cliff.blocks_after > cliff.blocks_before) return cliff_text(cliff);
  return cliffs.empty() ? "none" : cliff_text(cliffs.front());
}

std::string optional_number(const std::optional<std::uint64_t>& value) { return value ? std::to_string(*value) : "n/a"; }

std::string ptxas_report(const std::shared_ptr<const SourceText>& source, const KernelLogOptions& options, bool json,
                         Diagnostics& diagnostics)
{
  if (!options.threads) {
    diagnostics.error({source, 0, 0}, "", "a compiler's log does not say the block size", "give it with --threads N");
    return {};
  }
  ArchFinder archs(options, diagnostics);
  std::vector<std::vector<std::string>> rows{{"KERNEL", "TARGET", "REGS", "SHARED", "SPILL ST", "SPILL LD", "BLOCKS/SM",
                                              "OCCUPANCY", "LIMITED BY", "NEXT CLIFF"}};
  Json list = Json::array();
  for (PtxasKernel& found : parse_ptxas_log(source, diagnostics)) {
    const ArchConfig* arch = archs.find(found.compute_capability, found.where);
    if (!arch) continue;
    assume_compute_capability(found, arch->compute_capability);
    KernelConfig kernel;
    kernel.block = {static_cast<std::uint32_t>(*options.threads), 1, 1};
    kernel.registers_per_thread = found.registers;
    kernel.static_shared_bytes = found.static_shared_bytes;
    kernel.dynamic_shared_bytes = options.dynamic_shared_bytes;
    // The calculator counts at least one barrier, as the driver does.
    kernel.barriers = std::max(found.barriers.value_or(1), 1U);
    const Occupancy occupancy = calculate_occupancy(*arch, kernel);
    const std::string limited = occupancy.launchable() ? limiters_text(occupancy.limiters) : "cannot launch: " + occupancy.not_launchable;
    rows.push_back({found.demangled_name, found.target.empty() ? arch->compute_capability : found.target,
                    std::to_string(found.registers), std::to_string(found.static_shared_bytes),
                    optional_number(found.spill_store_bytes), optional_number(found.spill_load_bytes),
                    std::to_string(occupancy.blocks_per_sm), percent(occupancy.ratio()) + " %", limited, next_cliff(*arch, kernel)});
    const auto or_null = [](const std::optional<std::uint64_t>& value) { return value ? Json(*value) : Json(nullptr); };
    list.push_back({{"kernel", found.name},
                    {"demangled", found.demangled_name},
                    {"target", found.target},
                    {"architecture", arch->name},
                    {"registers", found.registers},
                    {"static_shared_bytes", found.static_shared_bytes},
                    {"spill_store_bytes", or_null(found.spill_store_bytes)},
                    {"spill_load_bytes", or_null(found.spill_load_bytes)},
                    {"launchable", occupancy.launchable()},
                    {"blocks_per_sm", occupancy.blocks_per_sm},
                    {"warps_per_sm", occupancy.warps_per_sm},
                    {"occupancy", occupancy.ratio()},
                    {"limits", limits_json(occupancy)},
                    {"limiters", limiters_json(occupancy)},
                    {"next_cliff", next_cliff(*arch, kernel)}});
  }
  if (json) return Json{{"threads", *options.threads}, {"kernels", list}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return "Blocks of " + std::to_string(*options.threads) + " threads\n\n" + columns(rows, 2);
}

std::string block_limit_text(const BlockLimit& limit) { return limit ? std::to_string(*limit) : "-"; }

std::string ncu_report(const std::shared_ptr<const SourceText>& source, const KernelLogOptions& options, bool json,
                       Diagnostics& diagnostics)
{
  ArchFinder archs(options, diagnostics);
  Json list = Json::array();
  std::string text;
  for (const NcuKernel& found : parse_ncu_csv(source, diagnostics)) {
    const ArchConfig* arch = archs.find(found.compute_capability, found.where);
    if (!arch) continue;
    KernelConfig kernel;
    kernel.block = found.block;
    kernel.grid = found.grid;
    kernel.registers_per_thread = found.registers_per_thread;
    kernel.static_shared_bytes = found.static_shared_bytes;
    kernel.dynamic_shared_bytes = found.dynamic_shared_bytes;
    if (found.shared_configuration_bytes) kernel.carveout = {Carveout::Kind::bytes, *found.shared_configuration_bytes};
    // The profiler names the barriers' limit, not their number.
    const BlockLimit& barrier_limit = found.limits[static_cast<std::size_t>(Limiter::barriers)];
    if (barrier_limit && *barrier_limit > 0 && arch->sm.max_barriers)
      kernel.barriers = static_cast<std::uint32_t>(*arch->sm.max_barriers / *barrier_limit);
    const Occupancy occupancy = calculate_occupancy(*arch, kernel);
    std::vector<std::vector<std::string>> rows{{"", "NSIGHT", "SMSIM", ""}};
    Json limits = Json::object();
    bool agrees = true;
    for (const LimiterInfo& info : limiter_table) {
      const BlockLimit& theirs = found.limits[static_cast<std::size_t>(info.limiter)];
      const BlockLimit& ours = occupancy.limit(info.limiter);
      const bool differs = theirs && ours && *theirs != *ours;
      agrees = agrees && !differs;
      rows.push_back({info.label, block_limit_text(theirs), block_limit_text(ours), differs ? "<- differs" : ""});
      limits[info.key] = {{"nsight", theirs ? Json(*theirs) : Json(nullptr)}, {"smsim", ours ? Json(*ours) : Json(nullptr)}};
    }
    rows.push_back({"Theoretical Occupancy", fixed(found.theoretical_occupancy_percent, 2), percent(occupancy.ratio()), "%"});
    if (found.achieved_occupancy_percent) rows.push_back({"Achieved Occupancy", fixed(*found.achieved_occupancy_percent, 2), "-", "%"});
    text += found.name + " (launch " + found.id + ") on " + arch->name + ", " + std::to_string(kernel.threads_per_block()) +
            " threads, " + std::to_string(kernel.registers_per_thread) + " registers\n" + columns(rows, 1);
    if (found.sizes_rounded) text += "The table's sizes are rounded; `ncu --print-units base` prints bytes.\n";
    text += "\n";
    list.push_back({{"id", found.id},
                    {"kernel", found.name},
                    {"architecture", arch->name},
                    {"limits", limits},
                    {"limits_agree", agrees},
                    {"occupancy", {{"nsight", found.theoretical_occupancy_percent / 100}, {"smsim", occupancy.ratio()}}},
                    {"achieved", found.achieved_occupancy_percent ? Json(*found.achieved_occupancy_percent / 100) : Json(nullptr)}});
  }
  if (json) return Json{{"kernels", list}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return text;
}

}  // namespace

std::string kernel_log_report(const std::shared_ptr<const SourceText>& source, const KernelLogOptions& options, bool json,
                              Diagnostics& diagnostics)
{
  return looks_like_ncu_csv(*source) ? ncu_report(source, options, json, diagnostics)
                                     : ptxas_report(source, options, json, diagnostics);
}

}  // namespace smsim

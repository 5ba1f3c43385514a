#include "report/kernel_log_report.h"

#include "config/arch_loader.h"
#include "occupancy/cliffs.h"
#include "occupancy/ncu_csv.h"
#include "occupancy/ptxas_log.h"
#include "report/advice.h"
#include "report/occupancy_json.h"
#include "report/table_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

/// Architectures by compute capability, or the one that the user named.
class ArchFinder {
 public:
  ArchFinder(const KernelLogOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics)
  {
  }

  [[nodiscard]] bool knows(const std::string& compute_capability) const
  {
    return !name_for(compute_capability).empty();
  }

  const ArchConfig* find(const std::string& compute_capability, const Mark& where)
  {
    const std::string name = name_for(compute_capability);
    if (name.empty()) {
      const std::string what = compute_capability.empty()
                                   ? "it is not said what this kernel was compiled for"
                                   : "no preset has compute capability '" + compute_capability + "'";
      diagnostics_.error(where, "", what,
                         "name an architecture with --arch; compute capabilities with a preset: " +
                             join(known_compute_capabilities()));
      return nullptr;
    }
    if (const auto found = archs_.find(name); found != archs_.end()) return &found->second;
    const std::size_t errors_before = diagnostics_.count();
    ArchConfig arch = load_arch(name, options_.overrides, diagnostics_);
    if (diagnostics_.count() != errors_before) return nullptr;
    return &archs_.emplace(name, std::move(arch)).first->second;
  }

 private:
  [[nodiscard]] std::string name_for(const std::string& compute_capability) const
  {
    if (!options_.arch.empty() || compute_capability.empty()) return options_.arch;
    return preset_of_compute_capability(compute_capability);
  }

  static std::string join(const std::vector<std::string>& words)
  {
    std::string out;
    for (const std::string& word : words)
      out += (out.empty() ? "" : ", ") + word;
    return out;
  }

  const KernelLogOptions& options_;
  Diagnostics& diagnostics_;
  std::map<std::string, ArchConfig> archs_;
};

/// The nearest change that gains occupancy; where none does, the nearest that loses some.
std::string next_cliff(const ArchConfig& arch, const KernelConfig& kernel, const Occupancy& occupancy)
{
  const std::vector<Cliff> cliffs = nearest_cliffs(arch, kernel);
  for (const Cliff& cliff : cliffs)
    if (cliff.occupancy_after > occupancy.ratio()) return cliff_text(cliff);
  for (const Cliff& cliff : cliffs)
    if (cliff.occupancy_after < occupancy.ratio()) return cliff_text(cliff);
  return "none";
}

std::string optional_number(const std::optional<std::uint64_t>& value)
{
  return value ? std::to_string(*value) : "n/a";
}

/// What the log says; `architecture` is null where no preset stands for the target, and nothing follows then.
Json kernel_json(const PtxasKernel& kernel)
{
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  return {{"kernel", kernel.name},
          {"demangled", kernel.demangled_name},
          {"target", kernel.target},
          {"registers", kernel.registers},
          {"static_shared_bytes", kernel.static_shared_bytes},
          {"spill_store_bytes", or_null(kernel.spill_store_bytes)},
          {"spill_load_bytes", or_null(kernel.spill_load_bytes)},
          {"barriers", or_null(kernel.barriers)},
          {"constant_bytes", kernel.constant_bytes()},
          {"cumulative_stack_bytes", kernel.cumulative_stack_bytes},
          {"architecture", nullptr}};
}

std::string ptxas_report(const std::shared_ptr<const SourceText>& source, const KernelLogOptions& options,
                         bool json, Diagnostics& diagnostics)
{
  if (!options.threads) {
    diagnostics.error({source, 0, 0}, "", "a compiler's log does not say the block size",
                      "give it with --threads N");
    return {};
  }
  ArchFinder archs(options, diagnostics);
  std::vector<std::vector<std::string>> rows{{"KERNEL", "TARGET", "REGS", "SHARED", "SPILL ST", "SPILL LD",
                                              "BLOCKS/SM", "OCCUPANCY", "LIMITED BY", "NEXT CLIFF"}};
  Json list = Json::array();
  std::vector<PtxasKernel> kernels = parse_ptxas_log(source, diagnostics);
  const bool some_known = std::any_of(kernels.begin(), kernels.end(), [&](const PtxasKernel& kernel) {
    return archs.knows(kernel.compute_capability);
  });
  for (PtxasKernel& found : kernels) {
    if (some_known && !archs.knows(found.compute_capability)) {
      // A log of many targets is not lost for an old one among them.
      rows.push_back({found.demangled_name, found.target, std::to_string(found.registers),
                      std::to_string(found.static_shared_bytes), optional_number(found.spill_store_bytes),
                      optional_number(found.spill_load_bytes), "n/a", "n/a",
                      "no preset for this target; see --arch", "n/a"});
      list.push_back(kernel_json(found));
      continue;
    }
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
    const std::string limited = occupancy.launchable() ? limiters_text(occupancy.limiters)
                                                       : "cannot launch: " + occupancy.not_launchable;
    rows.push_back({found.demangled_name, found.target.empty() ? arch->compute_capability : found.target,
                    std::to_string(found.registers), std::to_string(found.static_shared_bytes),
                    optional_number(found.spill_store_bytes), optional_number(found.spill_load_bytes),
                    std::to_string(occupancy.blocks_per_sm), percent(occupancy.ratio()) + " %", limited,
                    next_cliff(*arch, kernel, occupancy)});
    Json entry = kernel_json(found);
    entry["architecture"] = arch->name;
    entry["launchable"] = occupancy.launchable();
    entry["blocks_per_sm"] = occupancy.blocks_per_sm;
    entry["warps_per_sm"] = occupancy.warps_per_sm;
    entry["occupancy"] = occupancy.ratio();
    entry["limits"] = limits_json(occupancy);
    entry["limiters"] = limiters_json(occupancy);
    entry["next_cliff"] = next_cliff(*arch, kernel, occupancy);
    list.push_back(std::move(entry));
  }
  if (json)
    return Json{{"threads", *options.threads}, {"kernels", list}}.dump(2, ' ', false,
                                                                       Json::error_handler_t::replace) +
           "\n";
  return "Blocks of " + std::to_string(*options.threads) + " threads\n\n" + columns(rows, 2, 2);
}

/// The profiler prints "65.54 Kbyte" for 64 KiB: a size is taken as the whole allocation unit that it was
/// rounded from.
std::uint64_t unrounded(std::uint64_t bytes, std::uint64_t unit)
{
  constexpr std::uint64_t last_digit = 10;
  const std::uint64_t nearest = (bytes + unit / 2) / unit * unit;
  const std::uint64_t distance = std::max(bytes, nearest) - std::min(bytes, nearest);
  return bytes % last_digit == 0 && distance <= last_digit / 2 ? nearest : bytes;
}

/// The SM is configured to a carveout that it has, so the nearest is the one that was printed.
std::uint64_t nearest_carveout(const ArchConfig& arch, std::uint64_t bytes)
{
  const auto distance = [bytes](std::uint64_t size) { return std::max(bytes, size) - std::min(bytes, size); };
  const auto& all = arch.shared_memory.carveouts;
  return *std::min_element(all.begin(), all.end(), [&](auto a, auto b) { return distance(a) < distance(b); });
}

std::string limit_text(const BlockLimit& limit, const char* otherwise)
{
  return limit ? std::to_string(*limit) : otherwise;
}

std::string ncu_report(const std::shared_ptr<const SourceText>& source, const KernelLogOptions& options,
                       bool json, Diagnostics& diagnostics)
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
    const std::uint64_t unit = found.sizes_rounded ? arch->shared_memory.allocation_unit : 1;
    kernel.static_shared_bytes = unrounded(found.static_shared_bytes, unit);
    kernel.dynamic_shared_bytes = unrounded(found.dynamic_shared_bytes, unit);
    if (found.shared_configuration_bytes)
      kernel.carveout = {Carveout::Kind::bytes, nearest_carveout(*arch, *found.shared_configuration_bytes)};
    // The profiler names the barriers' limit, not their number.
    const BlockLimit& barrier_limit = found.limits[static_cast<std::size_t>(Limiter::barriers)];
    if (barrier_limit && *barrier_limit > 0 && arch->sm.max_barriers)
      kernel.barriers = static_cast<std::uint32_t>(std::min<std::uint64_t>(
          *arch->sm.max_barriers / *barrier_limit, arch->sm.barriers_per_block_limit));
    const Occupancy occupancy = calculate_occupancy(*arch, kernel);
    std::vector<std::vector<std::string>> rows{{"", "NSIGHT", "SMSIM", ""}};
    Json limits = Json::object();
    bool agrees = true;
    for (const LimiterInfo& info : limiter_table) {
      const BlockLimit& theirs = found.limits[static_cast<std::size_t>(info.limiter)];
      const BlockLimit& ours = occupancy.limit(info.limiter);
      const bool differs = theirs && ours && *theirs != *ours;
      agrees = agrees && !differs;
      rows.push_back(
          {info.label, limit_text(theirs, "n/a"), limit_text(ours, "no limit"), differs ? "<- differs" : ""});
      limits[info.key] = {{"nsight", theirs ? Json(*theirs) : Json(nullptr)},
                          {"smsim", ours ? Json(*ours) : Json(nullptr)}};
    }
    const bool occupancy_differs =
        std::abs(found.theoretical_occupancy_percent - 100 * occupancy.ratio()) > 0.01;
    agrees = agrees && !occupancy_differs;
    rows.push_back({"Theoretical Occupancy", fixed(found.theoretical_occupancy_percent, 2),
                    percent(occupancy.ratio()), occupancy_differs ? "%  <- differs" : "%"});
    if (found.achieved_occupancy_percent)
      rows.push_back({"Achieved Occupancy", fixed(*found.achieved_occupancy_percent, 2), "n/a", "%"});
    text += found.name + " (launch " + found.id + ") on " + arch->name + ", " +
            std::to_string(kernel.threads_per_block()) + " threads, " +
            std::to_string(kernel.registers_per_thread) + " registers\n" + columns(rows, 1, 1);
    if (found.sizes_rounded)
      text += "The table's sizes are rounded; `ncu --print-units base` prints bytes.\n";
    text += "\n";
    list.push_back(
        {{"id", found.id},
         {"kernel", found.name},
         {"architecture", arch->name},
         {"limits", limits},
         {"agrees", agrees},
         {"occupancy", {{"nsight", found.theoretical_occupancy_percent / 100}, {"smsim", occupancy.ratio()}}},
         {"achieved",
          found.achieved_occupancy_percent ? Json(*found.achieved_occupancy_percent / 100) : Json(nullptr)}});
  }
  if (json) return Json{{"kernels", list}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return text;
}

}  // namespace

std::string kernel_log_report(const std::shared_ptr<const SourceText>& source,
                              const KernelLogOptions& options, bool json, Diagnostics& diagnostics)
{
  return looks_like_ncu_csv(*source) ? ncu_report(source, options, json, diagnostics)
                                     : ptxas_report(source, options, json, diagnostics);
}

}  // namespace smsim

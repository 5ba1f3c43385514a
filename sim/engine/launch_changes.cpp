#include "engine/launch_changes.h"

#include "base/numbers.h"
#include "engine/register_ladder.h"
#include "engine/tail_analysis.h"
#include "sm/register_cap.h"

#include <algorithm>

namespace smsim {
namespace {

const Varying& number_of(const Region& region)
{
  return region.kind == Region::Kind::loop ? region.count : region.lanes.value;
}

class Finder {
 public:
  Finder(const ArchConfig& arch, const Workload& workload, const RunResult& result, bool is_shortened)
      : arch_(arch), workload_(workload), result_(result), is_shortened_(is_shortened)
  {
    Diagnostics diagnostics;
    ran_ = with_register_cap(arch, workload, diagnostics);
  }

  LaunchChanges find()
  {
    find_grids();
    find_block_sizes();
    find_caps();
    find_carveouts();
    find_order();
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::uint64_t threads() const { return result_.grid * workload_.kernel.threads_per_block(); }
  void add(std::string what, std::vector<std::string> settings, std::uint64_t work)
  {
    found_.worth_a_run.push_back({std::move(what), std::move(settings), work});
  }
  void leave_out(std::string text) { found_.left_out.push_back(std::move(text)); }

  /// Which block or warp a thread is in decides what it does.
  [[nodiscard]] bool work_hangs_on_place() const
  {
    return std::any_of(workload_.program.regions.begin(), workload_.program.regions.end(),
                       [](const Region& region) { return number_of(region).per != Varying::Per::all; });
  }

  void find_grids()
  {
    if (!nsight_tail_effect(result_)) return;
    if (workload_.traced) return leave_out("other grids: the kernel is as it was traced");
    if (is_shortened_)
      return leave_out("other grids: in a shortened grid the last wave weighs more than in the whole one");
    if (work_hangs_on_place())
      return leave_out(
          "other grids: work is listed or drawn for each block or warp, so their blocks would do "
          "other work");
    const WithoutTail near = without_tail(arch_, workload_.kernel, result_);
    const auto grid = [&](std::uint64_t blocks) {
      const std::uint64_t waves = blocks / result_.block_places();
      add(std::to_string(waves) + (waves == 1 ? " full wave of blocks" : " full waves of blocks"),
          {"launch.grid=" + std::to_string(blocks)}, blocks * workload_.kernel.threads_per_block());
    };
    if (near.grid_below) grid(*near.grid_below);
    grid(near.grid_above);
  }

  /// Shared memory grows and shrinks with the block: a thread keeps its share.
  [[nodiscard]] KernelConfig with_block(std::uint64_t size) const
  {
    KernelConfig kernel = ran_.kernel;
    const std::uint64_t threads = kernel.threads_per_block();
    const auto scaled = [&](std::uint64_t bytes) { return (bytes * size + threads - 1) / threads; };
    kernel.static_shared_bytes = scaled(kernel.static_shared_bytes);
    kernel.dynamic_shared_bytes = scaled(kernel.dynamic_shared_bytes);
    kernel.block = {static_cast<std::uint32_t>(size), 1, 1};
    return kernel;
  }

  [[nodiscard]] std::string why_not_other_blocks() const
  {
    if (work_hangs_on_place())
      return "work is listed or drawn for each block or warp, so their blocks would do other work";
    for (const Instruction& instruction : workload_.program.code) {
      if (instruction.address.kind == AddressPattern::Kind::block_shared)
        return "an address pattern gives each block a footprint of its own, whatever its size";
      if (instruction.mnemonic.starts_with("bar.") && instruction.immediates.size() > 1)
        return "a barrier waits for a stated number of threads";
    }
    return {};
  }

  void find_block_sizes()
  {
    if (workload_.traced) return leave_out("other block sizes: the kernel is as it was traced");
    if (const std::string why = why_not_other_blocks(); !why.empty())
      return leave_out("other block sizes: " + why);
    const std::uint64_t own = workload_.kernel.threads_per_block();
    const auto warps_with = [&](std::uint64_t size) {
      return resident_blocks(arch_, with_block(size)) * (size / arch_.sm.warp_size);
    };
    std::vector<std::uint64_t> sizes;
    const std::uint64_t step = arch_.sm.warp_size;
    std::uint64_t below = (own - 1) / step * step;
    while (below > 0 && warps_with(below) <= result_.occupancy.warps_per_sm)
      below -= step;
    if (below > 0) sizes.push_back(below);
    std::uint64_t above = (own / step + 1) * step;
    while (above <= arch_.sm.max_threads_per_block && warps_with(above) <= result_.occupancy.warps_per_sm)
      above += step;
    if (above <= arch_.sm.max_threads_per_block) sizes.push_back(above);
    if (nsight_tail_effect(result_) && !is_shortened_)
      if (const auto near = without_tail(arch_, ran_.kernel, result_).block)
        if (std::find(sizes.begin(), sizes.end(), near->threads) == sizes.end() &&
            warps_with(near->threads) > 0)
          sizes.push_back(near->threads);
    for (const std::uint64_t size : sizes)
      add_block_size(size);
  }

  void add_block_size(std::uint64_t size)
  {
    const KernelConfig kernel = with_block(size);
    std::vector<std::string> settings{"launch.block=" + std::to_string(size),
                                      "launch.grid=" + std::to_string((threads() + size - 1) / size)};
    std::string what = "blocks of " + std::to_string(size) + " threads";
    const auto shared = [&](const char* key, std::uint64_t bytes) {
      if (bytes > 0)
        settings.push_back("launch.shared_memory." + std::string(key) + "=" + std::to_string(bytes));
    };
    shared("static", kernel.static_shared_bytes);
    shared("dynamic", kernel.dynamic_shared_bytes);
    if (settings.size() > 2) what += ", shared memory in proportion";
    add(what, settings, threads());
  }

  void find_caps()
  {
    if (workload_.traced) return leave_out("other register caps: a traced program cannot be compiled again");
    if (workload_.kernel.launch_bounds)
      return leave_out("other register caps: the launch states launch_bounds");
    KernelConfig kernel = ran_.kernel;
    for (const auto& cap : caps_worth_a_run(arch_, workload_)) {
      kernel.registers_per_thread = cap.value;
      if (resident_blocks(arch_, kernel) <= result_.occupancy.blocks_per_sm) continue;
      add("at most " + std::to_string(cap.value) + " registers per thread",
          {"launch.max_registers=" + std::to_string(cap.value)}, threads());
    }
    const std::uint32_t need = workload_.kernel.registers_per_thread;
    if (ran_.spills)
      add("all " + std::to_string(need) + " registers that the program needs", {"launch.max_registers=255"},
          threads());
  }

  void find_carveouts()
  {
    const bool has_cache =
        std::any_of(ran_.program.code.begin(), ran_.program.code.end(), [](const Instruction& instruction) {
          return instruction.address.kind != AddressPattern::Kind::none;
        });
    KernelConfig kernel = ran_.kernel;
    for (const std::uint64_t size : arch_.shared_memory.carveouts) {
      kernel.carveout = {Carveout::Kind::bytes, size};
      if (size == result_.occupancy.shared_bytes_per_sm || chosen_carveout(arch_, kernel) != size) continue;
      const std::uint64_t blocks = resident_blocks(arch_, kernel);
      if (blocks == 0 || (!has_cache && blocks <= result_.occupancy.blocks_per_sm)) continue;
      add("a carveout of " + size_text(size), {"launch.carveout=" + std::to_string(size) + " B"}, threads());
    }
  }

  void find_order()
  {
    const auto& regions = workload_.program.regions;
    const bool uneven = std::any_of(regions.begin(), regions.end(), [](const Region& region) {
      return number_of(region).per == Varying::Per::block;
    });
    if (uneven && arch_.dispatch.order != BlockOrder::longest_first)
      add("longest blocks first", {"dispatch.order=longest_first"}, threads());
  }

  const ArchConfig& arch_;
  const Workload& workload_;
  const RunResult& result_;
  bool is_shortened_;
  Workload ran_;  ///< under its register cap
  LaunchChanges found_;
};

}  // namespace

LaunchChanges changes_worth_a_run(const ArchConfig& arch, const Workload& workload, const RunResult& result,
                                  bool is_shortened)
{
  return Finder(arch, workload, result, is_shortened).find();
}

}  // namespace smsim

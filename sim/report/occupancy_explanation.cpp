#include "base/numbers.h"
#include "report/advice.h"
#include "report/occupancy_reports.h"
#include "report/table_text.h"

namespace smsim {
namespace {

std::string num(std::uint64_t n) { return std::to_string(n); }

/// A worked calculation: a title, lines of arithmetic, a result.
class Steps {
 public:
  explicit Steps(std::string title) : text_(std::move(title) + "\n") {}
  Steps& line(const std::string& text)
  {
    text_ += "  " + text + "\n";
    return *this;
  }
  [[nodiscard]] std::string text() const { return text_ + "\n"; }

 private:
  std::string text_;
};

std::string blocks_text(std::uint64_t blocks) { return num(blocks) + (blocks == 1 ? " block" : " blocks"); }
std::string result_of(const BlockLimit& limit) { return limit ? "=> " + blocks_text(*limit) : "=> no limit"; }

std::string explain_warps(const ArchConfig& arch, const KernelConfig& kernel, const Occupancy& o)
{
  const std::uint64_t threads = kernel.threads_per_block();
  const std::uint64_t size = arch.sm.warp_size;
  Steps steps("Warps");
  std::string warps = num(threads) + " threads / " + num(size) + ", rounded up = " + num(o.warps_per_block) +
                      " warps per block";
  if (threads % size != 0)
    warps += " (" + num(o.warps_per_block * size - threads) + " lanes of the last warp stay idle)";
  steps.line(warps);
  if (threads > arch.sm.max_threads_per_block)
    steps.line(num(threads) + " threads exceed the " + num(arch.sm.max_threads_per_block) +
               " that a block may have");
  else
    steps.line(num(arch.sm.max_warps) + " warps per SM / " + num(o.warps_per_block) + ", rounded down");
  return steps.line(result_of(o.limit(Limiter::warps))).text();
}

std::string explain_registers(const ArchConfig& arch, const KernelConfig& kernel, const Occupancy& o)
{
  Steps steps("Registers");
  const RegisterFileConfig& file = arch.register_file;
  const std::uint64_t asked = std::uint64_t{kernel.registers_per_thread} * arch.sm.warp_size;
  const std::uint64_t given = o.registers_per_warp;
  if (given == 0) return steps.line("no registers").line(result_of(o.limit(Limiter::registers))).text();
  steps.line(num(kernel.registers_per_thread) + " registers x " + num(arch.sm.warp_size) +
             " threads = " + num(asked) + " per warp; in units of " + num(file.allocation_unit) + ": " +
             num(given) + " (rounding costs " + num(given - asked) + " per warp, " +
             num((given - asked) * o.warps_per_block) + " per block)");
  if (kernel.registers_per_thread > file.max_per_thread) {
    steps.line(num(kernel.registers_per_thread) + " per thread exceed the " + num(file.max_per_thread) +
               " that the instruction set allows");
    return steps.line(result_of(o.limit(Limiter::registers))).text();
  }
  const std::uint64_t granularity = file.block_warp_granularity;
  const std::uint64_t rounded_warps = (o.warps_per_block + granularity - 1) / granularity * granularity;
  if (given * rounded_warps > file.max_per_block) {
    steps.line("launch check: " + num(o.warps_per_block) + " warps, rounded up to a multiple of " +
               num(granularity) + ", are " + num(rounded_warps) + "; x " + num(given) + " = " +
               num(given * rounded_warps) + " registers exceed the " + num(file.max_per_block) +
               " that a block may have");
    return steps.line(result_of(o.limit(Limiter::registers))).text();
  }
  const std::uint64_t parts = arch.sm.sub_partitions;
  const std::uint64_t per_part = arch.registers_per_sub_partition();
  const std::uint64_t warps = per_part / given * parts;
  const std::uint64_t pooled = file.registers / given;
  steps.line(num(file.registers) + " registers / " + num(parts) + " sub-partitions = " + num(per_part) +
             " each; / " + num(given) + ", rounded down = " + num(per_part / given) + " warps, x " +
             num(parts) + " = " + num(warps) + " warps");
  steps.line("one pooled file would hold " + num(file.registers) + " / " + num(given) + " = " + num(pooled) +
             " warps: the sub-partitions cost " + (pooled == warps ? "none" : num(pooled - warps)));
  steps.line(num(warps) + " warps / " + num(o.warps_per_block) + " per block, rounded down" +
             (warps % o.warps_per_block
                  ? " (" + num(warps % o.warps_per_block) + " warps' registers are left over)"
                  : ""));
  return steps.line(result_of(o.limit(Limiter::registers))).text();
}

std::string explain_shared(const ArchConfig& arch, const KernelConfig& kernel, const Occupancy& o)
{
  Steps steps("Shared memory");
  const SharedMemoryConfig& shared = arch.shared_memory;
  const std::uint64_t asked = kernel.static_shared_bytes + kernel.dynamic_shared_bytes;
  const std::uint64_t with_reserve = asked + shared.reserved_per_block;
  steps.line(size_text(kernel.static_shared_bytes) + " static + " + size_text(kernel.dynamic_shared_bytes) +
             " dynamic + " + size_text(shared.reserved_per_block) + " reserved = " + num(with_reserve) +
             " B; in units of " + num(shared.allocation_unit) + " B: " + num(o.shared_bytes_per_block) +
             " B (rounding costs " + num(o.shared_bytes_per_block - with_reserve) + " B)");
  if (o.limit(Limiter::shared_memory) == BlockLimit{0}) {
    steps.line("a block may have at most " + size_text(shared.default_max_per_block) + " static, and " +
               size_text(shared.max_per_block) + " static and dynamic together");
    return steps.line(result_of(o.limit(Limiter::shared_memory))).text();
  }
  std::string preference = "no preference: the largest carveout";
  if (kernel.carveout.kind == Carveout::Kind::percent)
    preference = num(kernel.carveout.value) + " % of " + size_text(arch.max_shared_memory()) +
                 ", rounded up to a carveout that holds a block";
  if (kernel.carveout.kind == Carveout::Kind::bytes)
    preference = size_text(kernel.carveout.value) + ", rounded up to a carveout that holds a block";
  steps.line("carveout: " + preference + " = " + size_text(o.shared_bytes_per_sm) + "; L1 keeps " +
             size_text(shared.unified_capacity - o.shared_bytes_per_sm));
  if (o.shared_bytes_per_block > 0) {
    const std::uint64_t left = o.shared_bytes_per_sm % o.shared_bytes_per_block;
    steps.line(num(o.shared_bytes_per_sm) + " B / " + num(o.shared_bytes_per_block) + " B, rounded down (" +
               num(left) + " B are left over)");
  }
  return steps.line(result_of(o.limit(Limiter::shared_memory))).text();
}

std::string explain_barriers(const ArchConfig& arch, const KernelConfig& kernel, const Occupancy& o)
{
  Steps steps("Barriers");
  if (kernel.barriers > arch.sm.barriers_per_block_limit)
    steps.line(num(kernel.barriers) + " named barriers exceed the " + num(arch.sm.barriers_per_block_limit) +
               " that a block may have");
  else if (!arch.sm.max_barriers)
    steps.line("barriers do not limit the blocks of this architecture");
  else if (kernel.barriers == 0)
    steps.line("the kernel uses none");
  else
    steps.line(num(*arch.sm.max_barriers) + " barriers per SM / " + num(kernel.barriers) +
               " per block, rounded down");
  return steps.line(result_of(o.limit(Limiter::barriers))).text();
}

}  // namespace

std::string occupancy_explanation(const ArchConfig& arch, const KernelConfig& kernel)
{
  const Occupancy o = calculate_occupancy(arch, kernel);
  std::string out = explain_warps(arch, kernel, o);
  out += Steps("Blocks")
             .line(num(arch.sm.max_blocks) + " block slots per SM")
             .line(result_of(o.limit(Limiter::blocks)))
             .text();
  out += explain_registers(arch, kernel, o) + explain_shared(arch, kernel, o) +
         explain_barriers(arch, kernel, o);
  out += Steps("The least of these")
             .line("=> " + blocks_text(o.blocks_per_sm) + ", limited by " + limiters_text(o.limiters))
             .line(blocks_text(o.blocks_per_sm) + " x " + num(o.warps_per_block) +
                   " warps = " + num(o.warps_per_sm) + " of " + num(o.max_warps_per_sm) +
                   " warps: " + percent(o.ratio()) + " %")
             .text();
  Steps cliffs("Nearest cliffs: the smallest changes, either way, that change the blocks per SM");
  const std::vector<Cliff> found = nearest_cliffs(arch, kernel);
  for (const Cliff& cliff : found)
    cliffs.line(cliff_text(cliff));
  if (found.empty())
    cliffs.line("none: no change of registers, shared memory or block size alone changes the blocks per SM");
  return out + cliffs.text();
}

}  // namespace smsim

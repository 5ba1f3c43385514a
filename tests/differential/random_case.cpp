#include "differential/random_case.h"

#include "base/random.h"
#include "sm/warp_scheduler/registry.h"

#include <algorithm>
#include <sstream>

namespace smsim::test {
namespace {

class Drawer {
 public:
  explicit Drawer(std::uint64_t number) : number_(number) {}

  std::uint64_t below(std::uint64_t n) { return draw_u32({number_, 0, 0, 0, draws_++}) % n; }
  std::uint64_t between(std::uint64_t least, std::uint64_t most) { return least + below(most - least + 1); }
  bool chance(std::uint64_t percent) { return below(100) < percent; }
  std::string text(std::uint64_t least, std::uint64_t most) { return std::to_string(between(least, most)); }
  template <class T>
  T one_of(std::initializer_list<T> values)
  {
    return *(values.begin() + below(values.size()));
  }
  std::string reg() { return "r" + std::to_string(below(12)); }

 private:
  std::uint64_t number_;
  std::uint64_t draws_ = 0;
};

std::vector<std::string> draw_arch(Drawer& d, bool control_bits)
{
  std::vector<std::string> o;
  const std::uint64_t parts = d.one_of<std::uint64_t>({1, 2, 3, 4});
  const auto set = [&](const std::string& key, const std::string& value) { o.push_back(key + "=" + value); };
  set("sm.sub_partitions", std::to_string(parts));
  set("sm.max_warps", std::to_string(parts * d.between(1, 16)));
  set("sm.max_blocks", d.text(1, 12));
  set("sm.max_barriers", d.chance(50) ? "none" : d.text(2, 16));
  set("register_file.registers", std::to_string(parts * 256 * d.between(8, 64)));
  set("register_file.banks", d.text(1, 4));
  set("register_file.read_ports", d.text(1, 2));
  set("register_file.read_window", d.text(0, 4));
  set("register_file.release", d.one_of({"block", "warp"}));
  set("dispatch.launch_interval", d.chance(30) ? d.text(1, 40) : "0");
  set("dispatch.launch_latency", d.chance(30) ? d.text(1, 40) : "0");
  set("dispatch.placement", d.chance(20) ? "modulo" : "balanced");
  set("dispatch.order", d.one_of({"grid", "longest_first", "random"}));
  set("dispatch.fill", d.chance(30) ? "depth_first" : "breadth_first");
  set("dispatch.max_cluster", "4");
  set("dispatch.sms_per_gpc", d.chance(50) ? "none" : d.text(2, 4));
  for (const char* pipe : {"fma", "alu", "fp64", "xu"}) {
    set("pipes." + std::string(pipe) + ".lanes", std::to_string(1U << d.between(1, 5)));
    set("pipes." + std::string(pipe) + ".scope", d.chance(30) ? "sm" : "sub_partition");
  }
  for (const char* opcode : {"fmul", "ffma", "iadd3", "mufu", "dadd"}) {
    set("opcodes." + std::string(opcode) + ".latency", d.text(1, 30));
    if (d.chance(20)) set("opcodes." + std::string(opcode) + ".interval", d.text(1, 9));
  }
  set("opcodes.bar.sync.latency", d.text(1, 30));
  set("opcodes.bra.latency", d.text(0, 12));
  set("dependencies", control_bits ? "control_bits" : "scoreboard");
  set("divergence", d.one_of({"stack", "independent"}));
  set("scheduler.switch_penalty", d.chance(20) ? d.text(1, 9) : "0");
  set("instruction_supply.lines", d.chance(40) ? d.text(1, 4) : "none");
  set("instruction_supply.line_instructions", d.text(1, 5));
  set("instruction_supply.miss_latency", d.text(1, 40));
  // L1 is what the carveout leaves: little, so that sets conflict.
  set("shared_memory.unified_capacity", d.one_of({"228 KiB", "230 KiB", "236 KiB"}));
  set("memory.l1.ways", d.text(1, 4));
  set("memory.l1.line", d.one_of({"32 B", "64 B", "128 B"}));
  set("memory.constant_miss_latency", d.text(1, 90));
  set("memory.queue_depth", d.text(1, 6));
  set("memory.front_latency", d.text(0, 12));
  set("memory.sub_partition_interval", d.text(1, 5));
  set("memory.sm_interval", d.text(1, 4));
  set("memory.max_outstanding", d.chance(50) ? "none" : d.text(1, 12));
  set("memory.l1.latency", d.text(12, 40));
  set("memory.l2.latency", d.text(40, 120));
  set("memory.dram.latency", d.text(100, 700));
  set("memory.l2.bytes_per_cycle", d.chance(30) ? "none" : d.text(1, 64) + ".3");
  set("memory.dram.bytes_per_cycle", d.chance(30) ? "none" : d.text(1, 20) + ".7");
  for (const char* opcode : {"ld.shared", "st.shared"})
    set("opcodes." + std::string(opcode) + ".latency", d.text(12, 40));
  return o;
}

struct Shape {
  std::uint64_t warps;
  std::uint64_t grid;
  bool control_bits;
  bool may_block;  ///< barriers are allowed here
};

std::string draw_level(Drawer& d)
{
  return d.one_of({"l1", "l2", "dram", "{l1: 0.5, l2: 0.25, dram: 0.25}", "{l1: 0.9, dram: 0.1}"});
}

/// Control bits of an instruction: counters that it raises and waits for. The counters that it waits for are
/// raised somewhere in every program (see draw_case).
std::string draw_bits(Drawer& d, const std::string& margin, bool control_bits)
{
  if (!control_bits) return {};
  std::string out;
  if (d.chance(40)) out += margin + "  write_counter: " + d.text(0, 2) + "\n";
  if (d.chance(15)) out += margin + "  read_counter: " + d.text(0, 2) + "\n";
  if (d.chance(40)) out += margin + "  wait: [" + d.text(0, 1) + (d.chance(30) ? ", 2" : "") + "]\n";
  if (d.chance(10)) out += margin + "  yield: true\n";
  return out;
}

std::string draw_address(Drawer& d, const std::string& margin)
{
  if (!d.chance(50)) return margin + "  level: " + draw_level(d) + "\n";
  const std::string level =
      d.chance(50) ? margin + "  level: " + d.one_of({"l2", "dram", "{l2: 0.5, dram: 0.5}"}) + "\n" : "";
  const std::string footprint = ", footprint: " + std::to_string(32 * d.between(1, 400)) + " B";
  const std::string pattern =
      d.one_of<std::string>({"pattern: streaming", "pattern: strided" + footprint + ", stride: 32 B",
                             "pattern: block_shared" + footprint, "pattern: random" + footprint});
  return margin + "  address: {" + pattern + "}\n" + level;
}

/// One item, indented by `margin`.
std::string draw_item(Drawer& d, const std::string& margin, int depth, const Shape& shape);

std::string draw_body(Drawer& d, const std::string& margin, int depth, const Shape& shape)
{
  std::string out;
  const std::uint64_t items = d.between(1, 4);
  for (std::uint64_t i = 0; i < items; ++i)
    out += draw_item(d, margin, depth, shape);
  return out;
}

/// A distribution of which no draw is above `most`: rounds, lanes, or tenths of the lanes.
std::string draw_distribution(Drawer& d, std::uint64_t most, bool in_tenths = false)
{
  const auto number = [&](std::uint64_t lowest, std::uint64_t highest) {
    return (in_tenths ? "0." : "") + d.text(lowest, highest);
  };
  const std::string low = number(0, most / 2);
  const std::string high = number(most / 2 + 1, most);
  const std::string middle = number(1, most);
  const std::string top = ", most: " + number(most, most);
  const std::string clip = (d.chance(30) ? ", least: " + low : "") + top;
  const std::string per = d.one_of({"block", "warp"});
  return "{per: " + per + ", distribution: " +
         d.one_of<std::string>(
             {"constant, value: " + middle, "uniform, least: " + low + ", most: " + high,
              "normal, mean: " + middle + ", deviation: " + number(0, most) + clip,
              "lognormal, median: " + middle + ", sigma: 0." + d.text(0, 9) + clip,
              "pareto, least: " + middle + ", alpha: 1." + d.text(0, 9) + top,
              "bimodal, low: " + low + ", high: " + high + ", high_share: 0." + d.text(0, 9) + clip}) +
         "}";
}

std::string draw_loop(Drawer& d, const std::string& margin, int depth, const Shape& shape)
{
  std::string count = d.text(0, 5);
  if (d.chance(30)) {
    const bool per_block = d.chance(50);
    count = std::string("{per: ") + (per_block ? "block" : "warp") + ", values: [";
    const std::uint64_t values = per_block ? shape.grid : shape.warps;
    for (std::uint64_t i = 0; i < values; ++i)
      count += (i ? ", " : "") + d.text(0, 4);
    count += "]}";
  } else if (d.chance(30)) {
    count = draw_distribution(d, 5);
  }
  return margin + "- loop:\n" + margin + "    count: " + count + "\n" +
         (d.chance(20) ? margin + "    branch: true\n" : "") + margin + "    body:\n" +
         draw_body(d, margin + "      ", depth + 1, shape);
}

std::string draw_split(Drawer& d, const std::string& margin, int depth, const Shape& shape)
{
  Shape side = shape;
  std::string share = "lanes: " + d.text(0, 32);
  if (d.chance(30)) {
    share = d.one_of({"fraction: 0", "fraction: 1",
                      "fraction: {per: warp, distribution: bimodal, low: 0, high: 1, high_share: 0.5}",
                      "lanes: {per: block, distribution: bimodal, low: 0, high: 32, high_share: 0.5}"});
  } else {
    side.may_block = false;
    if (d.chance(50)) share = "fraction: 0." + d.text(1, 9);
    if (d.chance(30)) {
      share = d.one_of<std::string>({"lanes", "fraction"});
      const bool is_fraction = share == "fraction";
      share += ": {per: warp, values: [";
      for (std::uint64_t i = 0; i < shape.warps; ++i)
        share += (i ? ", " : "") + (is_fraction ? "0." + d.text(0, 9) : d.text(0, 32));
      share += "]}";
    } else if (d.chance(30)) {
      share =
          d.chance(50) ? "lanes: " + draw_distribution(d, 32) : "fraction: " + draw_distribution(d, 9, true);
    }
  }
  std::string out = margin + "- if:\n" + margin + "    " + share + "\n" + margin + "    then:\n" +
                    draw_body(d, margin + "      ", depth + 1, side);
  if (d.chance(70)) out += margin + "    else:\n" + draw_body(d, margin + "      ", depth + 1, side);
  return out;
}

std::string draw_item(Drawer& d, const std::string& margin, int depth, const Shape& shape)
{
  const std::string op = margin + "- op: ";
  const std::string stall = (d.chance(25) ? margin + "  stall: " + d.text(0, 12) + "\n" : "") +
                            (d.chance(5) ? margin + "  constant_miss: 0.3\n" : "") +
                            draw_bits(d, margin, shape.control_bits);
  const std::string reuse = d.chance(30) ? ".reuse" : "";
  switch (d.below(20)) {
  case 0:
    return op + "fmul " + d.reg() + ", " + d.reg() + reuse + ", " + d.reg() + "\n" + stall;
  case 1:
    return op + "ffma " + d.reg() + ", " + d.reg() + reuse + ", " + d.reg() + ", " + d.reg() + "\n" + stall;
  case 2:
    return op + "iadd3 " + d.reg() + ", " + d.reg() + ", " + d.reg() + ", " + d.reg() + "\n" + stall;
  case 3:
    return op + "mufu " + d.reg() + ", " + d.reg() + "\n" + stall;
  case 4:
    return op + "dadd " + d.reg() + ", " + d.reg() + ", " + d.reg() + "\n" + stall;
  case 5:
  case 6:
    return op + "ld.global " + d.reg() + ", [" + d.reg() + "]\n" + draw_address(d, margin) + stall;
  case 7:
    return op + "st.global [" + d.reg() + "], " + d.reg() + "\n" + margin + "  sectors: " + d.text(1, 32) +
           "\n" + draw_address(d, margin) + stall;
  case 8:
    return op + "ld.shared " + d.reg() + ", [" + d.reg() + "]\n" + margin +
           (d.chance(50) ? "  bank_conflicts: " + d.text(1, 8) : "  lane_stride: " + d.text(0, 33)) + "\n" +
           stall;
  case 9:
    return op + "st.shared [" + d.reg() + "], " + d.reg() + "\n" + stall;
  case 10:
    return op + (shape.may_block && d.chance(60) ? "bar.sync " + d.text(0, 1) : std::string("bra")) + "\n" +
           stall;
  case 11:
    return shape.may_block && d.chance(15) ? op + d.one_of({"bar.sync 1, ", "bar.arrive 1, "}) +
                                                 std::to_string(32 * d.between(1, shape.warps)) + "\n"
                                           : op + "nop\n" + stall;
  case 12:
    return margin + "- repeat: {compute: " + d.text(1, 4) + ", stall: " + d.text(0, 100) +
           ", rounds: " + d.text(1, 3) + "}\n";
  case 13:
    return op + d.one_of<std::string>({"membar", "nanosleep " + d.text(1, 50)}) + "\n" + stall;
  default:
    break;
  }
  if (depth < 4)
    return d.chance(50) ? draw_loop(d, margin, depth, shape) : draw_split(d, margin, depth, shape);
  return d.chance(shape.may_block ? 5 : 20) ? op + "exit\n" : op + "nop\n";
}

}  // namespace

std::string RandomCase::workload_yaml() const
{
  std::string out = "name: random\nlaunch:\n";
  for (const std::string& line : launch)
    out += "  " + line + "\n";
  out += "program:\n";
  for (const std::string& line : program)
    out += line + "\n";
  return out;
}

RunOptions RandomCase::options(std::uint64_t max_cycles) const
{
  RunOptions options;
  options.policy = policy;
  options.sms = sms;
  options.threads = threads;
  options.seed = seed;
  options.max_cycles = max_cycles;
  return options;
}

RandomCase draw_case(std::uint64_t number)
{
  Drawer d(number);
  RandomCase c;
  const bool control_bits = d.chance(40);
  c.arch_overrides = draw_arch(d, control_bits);
  c.sms = static_cast<std::uint32_t>(d.chance(40) ? d.between(2, 7) : 1);
  c.threads = static_cast<std::uint32_t>(d.between(1, 3));
  const std::uint64_t cluster = c.sms > 1 && d.chance(40) ? 2 : 1;
  const std::uint64_t grid = cluster * d.between(1, c.sms > 1 ? 20 : 12);
  const std::uint64_t warps = d.between(1, 6);
  c.launch = {
      "grid: " + std::to_string(grid),           "block: " + std::to_string(warps * 32 - d.below(31)),
      "registers_per_thread: " + d.text(12, 40), "barriers: 2",
      "cluster: " + std::to_string(cluster),     "shared_memory: {static: " + d.text(0, 40) + " KiB}"};
  const Shape shape{warps, grid, control_bits, true};
  const std::uint64_t items = d.between(1, 8);
  std::string text;
  for (std::uint64_t i = 0; i < items; ++i)
    text += draw_item(d, "  ", 0, shape);
  // A counter that some instruction waits for must be raised somewhere.
  if (control_bits)
    for (const char* counter : {"0", "1", "2"})
      text += "  - op: mufu r1, r2\n    write_counter: " + std::string(counter) + "\n";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    c.program.push_back(line);
  const std::span<const PolicyInfo> policies = policy_registry();
  c.policy = policies[d.below(policies.size())].name;
  c.arch_overrides.push_back("scheduler.policy=" + c.policy);
  for (const PolicyParameter& parameter : policy_parameters)
    if (parameter.policy == c.policy && d.chance(70))
      c.arch_overrides.push_back(
          "scheduler." + std::string(parameter.key) + "=" +
          d.text(parameter.least, std::min(parameter.most, 2 * parameter.default_value)));
  c.seed = d.below(1000);
  // No instruction above has more than 3 operands to load, so that every cap can be kept.
  if (d.chance(30)) c.launch.push_back("max_registers: " + d.text(3, 14));
  return c;
}

}  // namespace smsim::test

#include "workload/trace_loader.h"

#include "base/text_file.h"
#include "config/arch_loader.h"
#include "config/field_reader.h"
#include "workload/attributes.h"
#include "workload/launch_reader.h"
#include "workload/sass_table.h"
#include "workload/trace_addresses.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>

namespace smsim {
namespace {

constexpr std::uint32_t warp_size = 32;
constexpr std::size_t most_ops = 1U << 20U;

/// What of an instruction is known only when it is executed, and makes it another one.
enum class Space : std::uint8_t { none, global, shared, local };

class TraceLoader {
 public:
  TraceLoader(TracegReader& reader, SassTable table, const KernelConfig& kernel, Diagnostics& diagnostics)
      : reader_(reader), header_(reader.header()), table_(std::move(table)), kernel_(kernel),
        diagnostics_(diagnostics), warps_per_block_(static_cast<std::uint32_t>(
                                       (kernel.threads_per_block() + warp_size - 1) / warp_size)),
        trace_(std::make_shared<KernelTrace>(kernel.blocks(), warps_per_block_))
  {
  }

  void read(Workload& workload)
  {
    std::array<std::uint32_t, 3> at{};
    while (reader_.next_block(at))
      read_block(at);
    if (diagnostics_.ok() && trace_->written() < trace_->blocks())
      diagnostics_.error(header_.grid_mark, "",
                         "the grid has " + std::to_string(trace_->blocks()) + " thread blocks",
                         "the file holds " + std::to_string(trace_->written()));
    facts_.header = header_;
    for (const std::uint32_t op : unknown_)
      facts_.unknown[facts_.ops[op].sass] += facts_.ops[op].executed;
    workload.program.code = std::move(code_);
    workload.program.trace = std::move(trace_);
    workload.kernel.barriers = std::max(workload.kernel.barriers, barriers_);
    workload.traced = std::make_shared<TraceFacts>(std::move(facts_));
  }

 private:
  void read_block(const std::array<std::uint32_t, 3>& at)
  {
    const std::uint64_t number = at[0] + kernel_.grid[0] * (at[1] + std::uint64_t{kernel_.grid[1]} * at[2]);
    const Mark mark = reader_.mark();
    block_.assign(warps_per_block_, {});
    std::vector<bool> came(warps_per_block_, false);
    std::uint32_t warp = 0;
    while (reader_.next_warp(warp)) {
      if (warp >= warps_per_block_ || came[warp]) {
        diagnostics_.error(reader_.mark(), "",
                           "warp " + std::to_string(warp) +
                               (warp < warps_per_block_ ? " of this block came before" : " does not exist"),
                           "a block of " + std::to_string(kernel_.threads_per_block()) +
                               " threads has warps 0 to " + std::to_string(warps_per_block_ - 1));
        skip_warp();
        continue;
      }
      came[warp] = true;
      read_warp(number, warp);
    }
    for (const TraceWarp& each : block_)
      if (each.steps.empty()) ++facts_.silent_warps;
    if (diagnostics_.ok() && !trace_->write(BlockId{number}, block_))
      diagnostics_.error(mark, "", "this thread block came before", "each comes once");
  }

  void skip_warp()
  {
    TracegInstruction skipped;
    while (reader_.next_instruction(skipped)) {
    }
  }

  void read_warp(std::uint64_t block, std::uint32_t warp)
  {
    TraceWarp& into = block_[warp];
    const auto threads =
        std::min<std::uint64_t>(warp_size, kernel_.threads_per_block() - warp * std::uint64_t{warp_size});
    TracegInstruction line;
    while (reader_.next_instruction(line)) {
      const std::uint32_t op = op_of(line);
      TraceStep step{op, static_cast<std::uint8_t>(std::popcount(line.mask)), 0};
      TraceFacts::Op& facts = facts_.ops[op];
      const std::size_t had = into.runs.size();
      switch (spaces_[op]) {
      case Space::none:
        break;
      case Space::global:
        step.runs = append_runs(line.addresses, line.width, sector_bits, into.runs);
        break;
      case Space::shared:
        step.runs = append_runs(line.addresses, line.width, word_bits, into.runs);
        break;
      case Space::local:
        step.runs = append_local_runs(line.addresses, line.mask, line.width, header_.local_base,
                                      block * warps_per_block_ + warp, into.runs);
        break;
      }
      for (std::size_t i = had; i < into.runs.size(); ++i)
        facts.units += into.runs[i].count();
      ++facts.executed;
      facts.threads += step.lanes;
      if (step.lanes < threads) ++facts.partial;
      ++facts_.instructions;
      into.steps.push_back(step);
    }
  }

  [[nodiscard]] Space space_of(std::uint64_t address) const
  {
    constexpr std::uint64_t window = std::uint64_t{1} << 24U;
    if (header_.shared_base != 0 && address - header_.shared_base < window) return Space::shared;
    if (header_.local_base != 0 && address - header_.local_base < window) return Space::local;
    return Space::global;
  }

  /// The number of the instruction among those of the program.
  std::uint32_t op_of(const TracegInstruction& line)
  {
    // Where the first thread goes; it matters to instructions that the table calls generic.
    const Space generic = line.addresses.empty() ? Space::none : space_of(line.addresses.front());
    const auto kind = static_cast<char>('0' + 8 * (line.mask == 0) + 4 * line.addresses.empty() +
                                        static_cast<int>(generic));
    std::uint32_t& recent = recent_[line.pc / 16 % recent_.size()];
    if (recent < keys_.size() && is_same(keys_[recent], line, kind)) return recent;
    Key key{std::string(line.text), line.pc, line.immediates[0], kind};
    std::string hashed =
        key.text + '\n' + std::to_string(key.pc) + ' ' + std::to_string(key.immediate) + kind;
    const auto [found, is_new] = by_key_.emplace(std::move(hashed), static_cast<std::uint32_t>(keys_.size()));
    recent = found->second;
    if (!is_new) return recent;
    keys_.push_back(std::move(key));
    add_op(line, generic);
    return recent;
  }

  struct Key {
    std::string text;
    std::uint64_t pc;
    std::int64_t immediate;
    char kind;
  };
  static bool is_same(const Key& key, const TracegInstruction& line, char kind)
  {
    return key.pc == line.pc && key.kind == kind && key.immediate == line.immediates[0] &&
           key.text == line.text;
  }

  void add_op(const TracegInstruction& line, Space generic)
  {
    if (keys_.size() == most_ops + 1)
      diagnostics_.error(line.mark, "", "more than 2^20 different instructions", "no program has so many");
    Instruction instruction;
    instruction.mark = line.mark;
    instruction.place = static_cast<std::uint32_t>(line.pc / 16);
    instruction.mnemonic = opcode_of(line, generic);
    Space space = line.addresses.empty() ? Space::none : accessed(instruction.mnemonic);
    const bool is_access = accessed(instruction.mnemonic) != Space::none;
    // Without a thread or an address it touches nothing: it has its issue slot.
    if (line.mask == 0 || (is_access && space == Space::none)) {
      instruction.mnemonic = "nop";
      space = Space::none;
    }
    if (line.mask != 0) add_registers(instruction, line);
    if (instruction.mnemonic == "bar.sync") {
      constexpr std::int64_t most = 15;
      const std::int64_t number =
          line.immediates[0] >= 0 && line.immediates[0] <= most ? line.immediates[0] : 0;
      instruction.immediates = {static_cast<std::uint64_t>(number)};
      barriers_ = std::max(barriers_, static_cast<std::uint32_t>(number) + 1);
      instruction.sources.clear();
      instruction.destination.reset();
    }
    if (space == Space::global || space == Space::local)
      instruction.address.kind = AddressPattern::Kind::traced;
    code_.push_back(std::move(instruction));
    spaces_.push_back(space);
    facts_.ops.push_back({std::string(line.mnemonic), space == Space::none ? 0 : line.width, 0, 0, 0, 0});
  }

  std::string opcode_of(const TracegInstruction& line, Space generic)
  {
    const std::string_view row = table_.find(line.mnemonic);
    if (row.empty()) {
      if (table_.unknown == SassTable::Unknown::error)
        diagnostics_.error(line.mark, "",
                           "no row of arch_configs/sass/sass.yaml knows " + std::string(line.mnemonic),
                           "trace.unknown_opcode: alu takes it for " + table_.alu());
      unknown_.push_back(static_cast<std::uint32_t>(code_.size()));
      return table_.alu();
    }
    if (!row.starts_with("generic ")) return std::string(row);
    const std::string_view what = row.substr(8);
    const std::string access = what == "load" ? "ld" : what == "store" ? "st" : "atom";
    if (generic == Space::shared) return access + ".shared";
    if (generic == Space::local && access != "atom") return access + ".local";
    return access + ".global";
  }

  static Space accessed(std::string_view opcode)
  {
    if (opcode.ends_with(".global")) return Space::global;
    if (opcode.ends_with(".shared")) return Space::shared;
    return opcode.ends_with(".local") ? Space::local : Space::none;
  }

  static void add_registers(Instruction& instruction, const TracegInstruction& line)
  {
    const auto id_of = [](std::string_view name) -> std::optional<RegisterId> {
      const bool uniform = name.starts_with("UR");
      unsigned number = 0;
      for (const char digit : name.substr(uniform ? 2 : 1))
        number = number * 10 + static_cast<unsigned>(digit - '0');
      // R255 and UR63, on newer parts UR255, read as zero.
      if (number == 255 || (uniform && number == 63)) return std::nullopt;
      return static_cast<RegisterId>(number + (uniform ? first_uniform : 0U));
    };
    for (std::size_t i = 0; i < line.sources.size(); ++i)
      if (const auto id = id_of(line.sources[i]))
        instruction.sources.push_back({*id, static_cast<std::uint8_t>(i), false});
    if (!line.destinations.empty()) instruction.destination = id_of(line.destinations.front());
  }

  TracegReader& reader_;
  const TracegHeader& header_;
  SassTable table_;
  const KernelConfig& kernel_;
  Diagnostics& diagnostics_;
  std::uint32_t warps_per_block_;
  std::shared_ptr<KernelTrace> trace_;
  TraceFacts facts_;
  TraceBlock block_;
  std::vector<Instruction> code_;
  std::vector<Space> spaces_;
  std::vector<Key> keys_;
  std::array<std::uint32_t, 4096> recent_{};  ///< by PC: the instruction that it was last
  std::unordered_map<std::string, std::uint32_t> by_key_;
  std::vector<std::uint32_t> unknown_;  ///< instructions that no row knows
  std::uint32_t barriers_ = 1;
};

YamlNode extents(const std::array<std::uint32_t, 3>& of, const Mark& mark)
{
  YamlNode list = YamlNode::sequence();
  list.mark = mark;
  for (const std::uint32_t extent : of)
    list.items.push_back(YamlNode::scalar(std::to_string(extent), mark));
  return list;
}

/// The launch as a workload file would say it, each value where the trace says it.
YamlNode document_of(const TracegHeader& header)
{
  YamlNode launch = YamlNode::map();
  launch.mark = header.grid_mark;
  launch.add("grid", extents(header.grid, header.grid_mark));
  launch.add("block", extents(header.block, header.block_mark));
  launch.add("registers_per_thread",
             YamlNode::scalar(std::to_string(header.registers.value), header.registers.mark));
  YamlNode shared = YamlNode::map();
  shared.mark = header.shared_bytes.mark;
  shared.add("static", YamlNode::scalar(std::to_string(header.shared_bytes.value), header.shared_bytes.mark));
  launch.add("shared_memory", std::move(shared));
  YamlNode root = YamlNode::map();
  root.mark = header.grid_mark;
  root.add("name", YamlNode::scalar(header.kernel_name.value, header.kernel_name.mark));
  root.add("launch", std::move(launch));
  return root;
}

void refuse_overrides(const std::vector<std::string>& overrides, Diagnostics& diagnostics)
{
  static const std::vector<std::string> allowed{
      "launch.carveout",      "launch.barriers", "launch.max_registers",
      "launch.launch_bounds", "level",           "trace.unknown_opcode"};
  for (const std::string& option : overrides) {
    const std::string path = option.substr(0, option.find('='));
    const bool known = std::any_of(allowed.begin(), allowed.end(), [&](const std::string& key) {
      return path == key || path.starts_with(key + ".");
    });
    if (known) continue;
    std::string list;
    for (const std::string& key : allowed)
      list += (list.empty() ? "" : ", ") + key;
    diagnostics.error({make_source("--set", option), 1, 1}, path, "is as the kernel was traced",
                      "allowed: " + list);
  }
}

/// What serves an access that L1 does not.
LevelMix read_level(const YamlNode& root, Diagnostics& diagnostics)
{
  const YamlNode* level = root.find("level");
  return level ? read_levels(*level, "level", diagnostics) : LevelMix{};
}

}  // namespace

std::uint64_t TraceFacts::unknown_instructions() const
{
  std::uint64_t sum = 0;
  for (const auto& [mnemonic, executed] : unknown)
    sum += executed;
  return sum;
}

bool is_trace_name(std::string_view name)
{
  for (const std::string_view packed : {".xz", ".gz"})
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  return name.ends_with(".traceg");
}

Workload load_trace(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                    Diagnostics& diagnostics)
{
  Workload workload;
  refuse_overrides(overrides, diagnostics);
  TracegReader reader(path, diagnostics);
  SassTable table = SassTable::shipped(diagnostics);
  if (!diagnostics.ok()) return workload;
  YamlNode root = document_of(reader.header());
  apply_overrides(root, overrides, diagnostics);
  workload.name = reader.header().kernel_name.value;
  workload.description =
      "traced by Accel-Sim's tracer, version " +
      (reader.header().tracer_version.empty() ? "unknown" : reader.header().tracer_version);
  ScalarReader scalar(diagnostics);
  if (const YamlNode* trace = root.find("trace"))
    if (const YamlNode* unknown = trace->find("unknown_opcode"))
      table.unknown = scalar.word(*unknown, "trace.unknown_opcode", {"error", "alu"}) == 0
                          ? SassTable::Unknown::error
                          : SassTable::Unknown::alu;
  const LevelMix levels = read_level(root, diagnostics);
  workload.kernel = read_launch(*root.find("launch"), diagnostics);
  if (!diagnostics.ok()) return workload;
  TraceLoader(reader, std::move(table), workload.kernel, diagnostics).read(workload);
  if (!diagnostics.ok()) return workload;
  // What tells this workload from another of the same launch.
  YamlNode traced = YamlNode::map();
  traced.add("file", YamlNode::scalar(path.filename().string()));
  traced.add("instructions", YamlNode::scalar(std::to_string(workload.traced->instructions)));
  YamlNode told = YamlNode::map();
  told.add("trace", std::move(traced));
  merge_yaml(root, told);
  workload.document = std::move(root);
  for (Instruction& instruction : workload.program.code)
    instruction.levels = levels;
  return workload;
}

Workload relaunched(Workload workload, const std::vector<std::string>& overrides, Diagnostics& diagnostics)
{
  refuse_overrides(overrides, diagnostics);
  YamlNode document = workload.document;
  apply_overrides(document, overrides, diagnostics);
  return relaunched(std::move(workload), std::move(document), diagnostics);
}

Workload relaunched(Workload workload, YamlNode document, Diagnostics& diagnostics)
{
  const LevelMix levels = read_level(document, diagnostics);
  KernelConfig kernel = read_launch(*document.find("launch"), diagnostics);
  kernel.barriers = std::max(kernel.barriers, workload.kernel.barriers);
  const KernelConfig& was = workload.kernel;
  if (diagnostics.ok() &&
      (kernel.grid != was.grid || kernel.block != was.block ||
       kernel.registers_per_thread != was.registers_per_thread ||
       kernel.static_shared_bytes != was.static_shared_bytes || kernel.dynamic_shared_bytes != 0))
    diagnostics.error(document.find("launch")->mark, "launch",
                      "grid, block, registers and shared memory are as the kernel was traced");
  workload.kernel = kernel;
  workload.document = std::move(document);
  for (Instruction& instruction : workload.program.code)
    instruction.levels = levels;
  return workload;
}

}  // namespace smsim

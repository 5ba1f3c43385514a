#include "sm/policy_library.h"

#include "sm/warp_scheduler/registry.h"

#define SMSIM_POLICY_BOUNDARY_ONLY
#include <dlfcn.h>
#include <smsim/policy.h>

#include <array>
#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

namespace smsim {
namespace {

namespace fs = std::filesystem;

constexpr bool states_are_the_same()
{
  constexpr std::array<std::uint32_t, warp_state_count> in_order{
      SMSIM_SELECTED,        SMSIM_BARRIER,          SMSIM_MEMBAR,           SMSIM_SLEEPING,
      SMSIM_DRAIN,           SMSIM_NO_INSTRUCTION,   SMSIM_BRANCH_RESOLVING, SMSIM_WAIT,
      SMSIM_LONG_SCOREBOARD, SMSIM_SHORT_SCOREBOARD, SMSIM_IMC_MISS,         SMSIM_MATH_PIPE_THROTTLE,
      SMSIM_MIO_THROTTLE,    SMSIM_LG_THROTTLE,      SMSIM_DISPATCH_STALL,   SMSIM_NOT_SELECTED};
  for (std::size_t i = 0; i < warp_state_count; ++i)
    if (in_order[i] != i) return false;
  return SMSIM_BARRIER == index_of(WarpState::barrier) && SMSIM_DRAIN == index_of(WarpState::drain) &&
         SMSIM_LONG_SCOREBOARD == index_of(WarpState::long_scoreboard) &&
         SMSIM_NOT_SELECTED == index_of(WarpState::not_selected);
}
static_assert(states_are_the_same());
static_assert(SMSIM_MAX_SLOTS == max_slots_per_sub_partition);
static_assert(no_warp == WarpSlot{SMSIM_NO_WARP});

PolicyWants wants_of(const smsim_policy& table)
{
  return {(table.wants & SMSIM_WANTS_RESULTS) != 0, (table.wants & SMSIM_WANTS_BACKLOG) != 0,
          (table.wants & SMSIM_WANTS_L1) != 0};
}

/// The library's object behind the program's contract.
class LoadedPolicy final : public WarpScheduler {
 public:
  LoadedPolicy(const smsim_policy& table, const std::string& name, std::uint64_t seed,
               const std::vector<std::uint32_t>& parameters)
      : WarpScheduler(wants_of(table)), table_(table), name_(name)
  {
    const smsim_setup setup{seed, parameters.data(), static_cast<std::uint32_t>(parameters.size()),
                            failure_.data()};
    object_ = table_.create(&setup);
    if (!object_) fail("could not be made");
  }
  ~LoadedPolicy() override
  {
    if (object_) table_.destroy(object_);
  }

  [[nodiscard]] WarpSlot pick(const PickView& view) const override
  {
    const smsim_view seen{view.now.value(), view.eligible, view.memory, view.backlog,
                          view.age.older().data()};
    const std::uint32_t slot = table_.pick(object_, &seen);
    if (slot == SMSIM_NO_WARP) return no_warp;
    const std::string when = " in cycle " + std::to_string(view.now.value());
    if (slot == SMSIM_FAILED) fail("failed in pick" + when);
    if (slot >= max_slots_per_sub_partition)
      throw RunError("policy '" + name_ + "' picked slot " + std::to_string(slot) + when +
                     "; there is none: slots are 0 to 63. Was it the first of no warps?\n");
    if ((view.eligible & bit(WarpSlot{slot})) == 0) {
      std::string can;
      for (std::uint32_t other = 0; other < max_slots_per_sub_partition; ++other)
        if ((view.eligible & bit(WarpSlot{other})) != 0)
          can += (can.empty() ? "" : ", ") + std::to_string(other);
      throw RunError("policy '" + name_ + "' picked slot " + std::to_string(slot) + when +
                     ", whose warp cannot issue; allowed: " + can + ", or none\n");
    }
    return WarpSlot{slot};
  }
  void on_issue(WarpSlot slot, const IssueInfo& info) override
  {
    const smsim_issue told{info.now.value(), info.memory ? 1U : 0U, info.remaining};
    if (table_.on_issue) check(table_.on_issue(object_, slot.value(), &told), "on_issue");
  }
  void on_launch(WarpSlot slot, const LaunchInfo& info) override
  {
    const smsim_launch told{info.now.value(), info.block.value(), info.warp_in_block, info.remaining};
    if (table_.on_launch) check(table_.on_launch(object_, slot.value(), &told), "on_launch");
  }
  void on_exit(WarpSlot slot) override
  {
    if (table_.on_exit) check(table_.on_exit(object_, slot.value()), "on_exit");
  }
  void on_stall(WarpSlot slot, WarpState state) override
  {
    const auto number = static_cast<std::uint32_t>(index_of(state));
    if (table_.on_stall) check(table_.on_stall(object_, slot.value(), number), "on_stall");
  }
  void on_l1_miss(WarpSlot slot, std::uint64_t line, Cycle now) override
  {
    if (table_.on_l1_miss) check(table_.on_l1_miss(object_, slot.value(), line, now.value()), "on_l1_miss");
  }
  void on_l1_evict(WarpSlot slot, std::uint64_t line) override
  {
    if (table_.on_l1_evict) check(table_.on_l1_evict(object_, slot.value(), line), "on_l1_evict");
  }

 private:
  void check(std::uint32_t answer, const char* where) const
  {
    if (answer != 0) fail(std::string("failed in ") + where);
  }
  [[noreturn]] void fail(const std::string& how) const
  {
    failure_.back() = 0;
    throw RunError("policy '" + name_ + "' " + how + ": " +
                   (failure_[0] ? failure_.data() : "it did not say why") + "\n");
  }

  const smsim_policy& table_;
  const std::string& name_;
  void* object_ = nullptr;
  mutable std::array<char, SMSIM_FAILURE_SIZE> failure_{};  ///< the library writes it
};

/// What stands behind `--policy`, and what was made of it.
struct LoadedRow {
  std::string name;
  std::vector<std::uint32_t> parameters;
  PolicyInfo info;
};

/// Opens the library and asks for its table. @throws RunError.
const smsim_policy& open_library(const fs::path& file, const std::string& named)
{
  const std::string which = "policy '" + named + "': ";
  void* const handle = ::dlopen(fs::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  // dlerror is this thread's own.
  if (!handle)
    throw RunError(which + "cannot be loaded: " + ::dlerror() + "\n");  // NOLINT(concurrency-mt-unsafe)
  using Entry = const smsim_policy*();
  auto* const entry = reinterpret_cast<Entry*>(::dlsym(handle, "smsim_policy_entry"));
  if (!entry)
    throw RunError(which + "is no policy: it has no symbol smsim_policy_entry, which SMSIM_POLICY of "
                           "<smsim/policy.h> makes\n");
  const smsim_policy* const table = entry();
  if (!table) throw RunError(which + "is no policy: smsim_policy_entry answered null\n");
  if (table->abi != SMSIM_POLICY_ABI)
    throw RunError(which + "is built for version " + std::to_string(table->abi) +
                   " of <smsim/policy.h>; this smsim has version " + std::to_string(SMSIM_POLICY_ABI) +
                   ": build it again\n");
  if (!table->name || !*table->name || !table->create || !table->destroy || !table->pick ||
      (table->parameter_count > 0 && !table->parameters))
    throw RunError(which + "is no policy: its name, create, destroy or pick is missing\n");
  for (std::uint32_t i = 0; i < table->parameter_count; ++i) {
    const smsim_parameter& each = table->parameters[i];
    if (!each.key || !*each.key || each.least > each.default_value || each.default_value > each.most)
      throw RunError(which + "is no policy: its parameter " + std::to_string(i + 1) +
                     " has no key, or its default does not lie between the least and the most\n");
  }
  return *table;
}

class Libraries {
 public:
  const PolicyInfo* find(std::string_view words, const Mark& mark, Diagnostics& diagnostics)
  {
    const std::lock_guard lock(mutex_);
    const std::string name(words);
    if (const auto known = rows_.find(name); known != rows_.end()) return &known->second.info;
    const std::string file(words.substr(0, end_of_policy_file(words)));
    std::error_code failed;
    if (!fs::is_regular_file(file, failed)) {
      diagnostics.error(mark, "scheduler.policy",
                        (fs::exists(file, failed) ? "is no file: " : "no such file: ") + file,
                        "expected: a policy's name, or the path of a shared library");
      return nullptr;
    }
    const smsim_policy* const table = table_of(fs::canonical(file), file, mark, diagnostics);
    if (!table) return nullptr;
    LoadedRow row{name, {}, {}};
    std::vector<PolicyParameter> parameters;
    for (std::uint32_t i = 0; i < table->parameter_count; ++i) {
      const smsim_parameter& each = table->parameters[i];
      parameters.push_back(
          {table->name, each.key, each.least, each.most, each.default_value, each.doc ? each.doc : ""});
      row.parameters.push_back(each.default_value);
    }
    const Mark behind{mark.source, mark.line, mark.column + static_cast<int>(file.size())};
    if (!read_parameters(table->name, parameters, words.substr(file.size()), behind, row.parameters,
                         diagnostics))
      return nullptr;
    LoadedRow& kept = rows_.emplace(name, std::move(row)).first->second;
    kept.info = {kept.name, table->summary ? table->summary : "", table->starves_nobody != 0,
                 [table, &kept](const PolicySetup& setup) {
                   return std::make_unique<LoadedPolicy>(*table, kept.name, setup.seed, kept.parameters);
                 }};
    for (std::size_t i = 0; i < parameters.size(); ++i)
      kept.info.fixed_parameters.emplace_back(parameters[i].key, kept.parameters[i]);
    return &kept.info;
  }

 private:
  const smsim_policy* table_of(const fs::path& canonical, const std::string& file, const Mark& mark,
                               Diagnostics& diagnostics)
  {
    if (const auto known = tables_.find(canonical); known != tables_.end()) return known->second;
    const smsim_policy& table = open_library(canonical, file);
    for (const PolicyInfo& row : policy_registry())
      if (row.name == table.name) {
        diagnostics.error(mark, "scheduler.policy",
                          "the policy of '" + file + "' is called '" + table.name +
                              "', as one that comes with smsim is",
                          "expected: a name of its own in SMSIM_POLICY");
        return nullptr;
      }
    for (const auto& [other, known] : tables_)
      if (std::string_view(known->name) == table.name) {
        diagnostics.error(mark, "scheduler.policy",
                          "the policy of '" + file + "' is called '" + table.name + "', as that of '" +
                              other.string() + "' is",
                          "expected: a name of its own in SMSIM_POLICY");
        return nullptr;
      }
    tables_.emplace(canonical, &table);
    return &table;
  }

  std::mutex mutex_;
  std::map<fs::path, const smsim_policy*> tables_;  ///< by the file's canonical path
  std::map<std::string, LoadedRow> rows_;           ///< by the words that the user wrote
};

}  // namespace

const PolicyInfo* load_policy(std::string_view path, const Mark& mark, Diagnostics& diagnostics)
{
  static Libraries libraries;
  return libraries.find(path, mark, diagnostics);
}

}  // namespace smsim

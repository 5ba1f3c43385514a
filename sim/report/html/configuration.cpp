#include "base/numbers.h"
#include "config/arch_loader.h"
#include "report/html/elements.h"
#include "report/html/sections.h"

#include <nlohmann/json.hpp>

namespace smsim::html {
namespace {

/// A generated file may be of any length; the page stays one that a browser opens at once.
constexpr std::size_t most_text = 100'000;

std::string listing(const std::string& what, std::string text)
{
  std::string rest;
  if (text.size() > most_text) {
    rest = "<p>The first " + std::to_string(most_text / 1000) + " KB of " +
           grouped(std::to_string(text.size())) + " B.</p>\n";
    text.resize(text.rfind('\n', most_text) == std::string::npos ? most_text
                                                                 : text.rfind('\n', most_text) + 1);
  }
  return "<details><summary>" + what + "</summary>\n" + rest + "<pre tabindex=\"0\">" + escaped(text) +
         "</pre></details>\n";
}

std::string dimensions(const std::array<std::uint32_t, 3>& size)
{
  std::string text = std::to_string(size[0]);
  if (size[1] > 1 || size[2] > 1) text += " x " + std::to_string(size[1]);
  if (size[2] > 1) text += " x " + std::to_string(size[2]);
  return text;
}

}  // namespace

std::string configuration_section(const PageInput& page)
{
  const ArchConfig& arch = page.run.arch;
  const KernelConfig& kernel = page.run.workload.kernel;
  const Numbers numbers(page.result);
  std::vector<std::vector<std::string>> launch{
      {"Launch", ""},
      {"Workload", escaped(page.run.workload.name)},
      {"Grid", dimensions(kernel.grid) + " blocks"},
      {"Block", dimensions(kernel.block) + " threads"},
      {"Registers per thread", std::to_string(kernel.registers_per_thread)},
      {"Static shared memory", size_text(kernel.static_shared_bytes)},
      {"Dynamic shared memory", size_text(kernel.dynamic_shared_bytes)}};
  if (page.result.at("launch").contains("registers"))
    launch.push_back({"Register cap", numbers.count("/launch/registers/cap") + " of the " +
                                          numbers.count("/launch/registers/needed") + " needed; " +
                                          numbers.count("/launch/registers/spilled_values") +
                                          " values spilled"});
  if (kernel.cluster > 1) launch.push_back({"Cluster", numbers.count("/launch/cluster") + " blocks"});
  const std::vector<std::vector<std::string>> machine{
      {"Machine", ""},
      {"Architecture", escaped(arch.name) + " (compute capability " + escaped(arch.compute_capability) + ")"},
      {"SMs", numbers.count("/sms") + " of " + std::to_string(arch.sms)},
      {"Schedulers of an SM", std::to_string(arch.sm.sub_partitions)},
      {"Warp slots of an SM", std::to_string(arch.sm.max_warps)},
      {"Registers of an SM", grouped(std::to_string(arch.register_file.registers))},
      {"Shared memory of an SM", size_text(page.run.result.occupancy.shared_bytes_per_sm) + " chosen, " +
                                     size_text(arch.max_shared_memory()) + " at most"},
      {"Policy", escaped(page.run.result.policy)},
      {"Seed", numbers.count("/seed")}};
  return section("configuration", "Configuration",
                 "<div class=\"pair\">\n" + table("The launch", launch) + table("The machine", machine) +
                     "</div>\n" + listing("The whole architecture file", yaml_text(arch_document(arch))) +
                     listing("The whole workload file", yaml_text(page.run.workload.document)));
}

}  // namespace smsim::html

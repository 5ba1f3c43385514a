// Any bytes as an architecture file and as a workload file: told what is wrong, or taken.
#include "base/text_file.h"
#include "config/arch_loader.h"
#include "config/yaml_reader.h"
#include "workload/workload_loader.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace smsim;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Diagnostics diagnostics;
  const auto source = make_source("fuzz.yaml", text);
  const auto root = parse_yaml(source, diagnostics);
  if (!root) {
    if (diagnostics.ok()) std::abort();
    return 0;
  }
  Diagnostics of_arch;
  load_arch_document(*root, "fuzz.yaml", {}, of_arch);
  Diagnostics of_workload;
  load_workload_document(*root, {}, of_workload);
  // What is refused says why.
  for (const Diagnostics* told : {&of_arch, &of_workload})
    if (!told->ok() && told->text().empty()) std::abort();
  return 0;
}

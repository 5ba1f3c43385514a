// The file formats of public_cases.yaml.
#include "base/text_file.h"
#include "occupancy/ncu_csv.h"
#include "occupancy/ptxas_log.h"
#include "reference/public_cases.h"
#include "support/program.h"

using namespace smsim;
using namespace smsim::test;

TEST_CASE("file formats of public rows: a compiler's line with fields that come and go")
{
  const YAML::Node row = row_named("ptxas-format");
  Diagnostics diagnostics;
  const auto log =
      make_source("build.log", "ptxas info    : Compiling entry function '_Z4tilePf' for 'sm_90'\n" +
                                   row["inputs"]["line"].as<std::string>() + "\n");
  const std::vector<PtxasKernel> kernels = parse_ptxas_log(log, diagnostics);
  CHECK(diagnostics.text() == "");
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].registers == number(row["expected"], "regs"));
  CHECK(kernels[0].barriers == row["expected"]["barriers"].as<std::uint32_t>());
  CHECK(kernels[0].static_shared_bytes == number(row["expected"], "smem"));
  CHECK(kernels[0].cumulative_stack_bytes == 120);
}

TEST_CASE("file formats of public rows: the profiler's columns are those of the sample that is read")
{
  std::string header;
  for (const YAML::Node& column : row_named("fmt-ncu-csv")["inputs"]["columns"])
    header += (header.empty() ? "\"" : ",\"") + column.as<std::string>() + "\"";
  const std::string sample = read_file(SMSIM_SOURCE_DIR "/tests/reference/ncu_long.csv");
  CHECK(sample.find("\n" + header + "\n") != std::string::npos);
  CHECK(looks_like_ncu_csv(*make_source("ncu.csv", header + "\n")));
}

TEST_CASE("file formats of public rows: the keys of another simulator's configuration have a place here")
{
  // No file of that simulator is imported; a user writes the same figures as an architecture in YAML.
  const std::map<std::string, std::vector<std::string>> ours{
      {"-gpgpu_shader_registers", {"register_file", "registers"}},
      {"-gpgpu_shader_core_pipeline", {"sm", "max_warps"}},
      {"-gpgpu_shader_cta", {"sm", "max_blocks"}},
      {"-gpgpu_num_sched_per_core", {"sm", "sub_partitions"}},
      {"-gpgpu_scheduler", {"scheduler", "policy"}},
      {"-gpgpu_shmem_size", {"shared_memory", "unified_capacity"}},
      {"-gpgpu_n_clusters", {"sms"}},
      {"-ptx_opcode_latency_int", {"opcodes", "iadd3", "latency"}},
  };
  const YamlNode document = arch_document(arch("a100"));
  for (const YAML::Node& key : row_named("fmt-accelsim-config")["inputs"]["keys"]) {
    const auto name = key.as<std::string>();
    CAPTURE(name);
    const YamlNode* node = &document;
    for (const std::string& step : ours.at(name)) {
      node = node->find(step);
      REQUIRE(node);
    }
    CHECK(node->text != "");
  }
  CHECK(rows_of("file_format").size() == 3);
}

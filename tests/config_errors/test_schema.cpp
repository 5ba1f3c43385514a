// The JSON Schema that editors use and the loader give the same verdict. Where only the loader can know, the
// file's first line says so: "# beyond the schema: reason"; then the schema must accept what the loader
// refuses.
#include "config/schema.h"
#include "support/program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace {

namespace fs = std::filesystem;
using smsim::test::read_file;

const fs::path source = SMSIM_SOURCE_DIR;
const fs::path schema = source / "arch_configs" / "schema" / "arch.schema.json";

std::vector<std::string> architecture_files()
{
  std::vector<std::string> files;
  for (const char* folder :
       {"arch_configs", "arch_configs/base", "tests/config_errors/arch", "tests/config_errors/good"})
    for (const auto& file : fs::directory_iterator(source / folder))
      if (file.path().extension() == ".yaml") files.push_back(file.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("the shipped JSON Schema is what smsim validate --schema prints")
{
  CHECK(read_file(schema) == smsim::arch_schema());
  CHECK(smsim::test::smsim("validate --schema").out == smsim::arch_schema());
}

TEST_CASE("every preset tells editors where its schema is")
{
  for (const auto& file : fs::directory_iterator(source / "arch_configs")) {
    if (file.path().extension() != ".yaml") continue;
    CAPTURE(file.path());
    CHECK(read_file(file.path()).starts_with("# yaml-language-server: $schema=schema/arch.schema.json\n"));
  }
}

TEST_CASE("schema and loader agree on every shipped file and on every bad one")
{
  const std::vector<std::string> files = architecture_files();
  REQUIRE(files.size() > 100);
  std::string arguments;
  for (const std::string& file : files)
    arguments += " '" + file + "'";
  const std::string folder = smsim::test::temporary_folder();
  const std::string command =
      "/usr/bin/python3 '" + (source / "tests/config_errors/check_schema.py").string() + "' '" +
      schema.string() + "'" + arguments + " >" + folder + "/verdicts 2>" + folder + "/errors";
  const int status = std::system(command.c_str());
  CHECK_MESSAGE(read_file(folder + "/errors").empty(), read_file(folder + "/errors"));
  REQUIRE(status == 0);
  const std::string verdicts = read_file(folder + "/verdicts");
  const std::string accepted = smsim::test::smsim("validate" + arguments).out;
  std::size_t beyond = 0;
  for (const std::string& file : files) {
    CAPTURE(file);
    const bool loader_accepts = accepted.find(file + ": ok\n") != std::string::npos;
    const bool schema_accepts = verdicts.find(file + ": accepts\n") != std::string::npos;
    CHECK((schema_accepts || verdicts.find(file + ": rejects") != std::string::npos));
    const std::string content = read_file(file);
    if (content.starts_with("# beyond the schema: ")) {
      ++beyond;
      CHECK(schema_accepts);
      CHECK_FALSE(loader_accepts);
    } else {
      CHECK(schema_accepts == loader_accepts);
    }
    const bool is_bad =
        file.find("/config_errors/arch/") != std::string::npos || file.find("/base/") != std::string::npos;
    CHECK(loader_accepts != is_bad);
  }
  CHECK(beyond > 20);
}

#include "workload/sass_table.h"

#include "config/field_reader.h"
#include "config/presets.h"
#include "config/yaml_reader.h"

namespace smsim {

SassTable SassTable::shipped(Diagnostics& diagnostics)
{
  SassTable table;
  const auto root = read_yaml_file(data_folder() / "arch_configs" / "sass" / "sass.yaml", diagnostics);
  if (!root) return table;
  MapReader map(*root, "", diagnostics);
  ScalarReader scalar(diagnostics);
  if (const YamlNode* unknown = map.require("unknown_opcode"))
    table.unknown =
        scalar.word(*unknown, "unknown_opcode", {"error", "alu"}) == 0 ? Unknown::error : Unknown::alu;
  if (const YamlNode* alu = map.require("alu")) table.alu_ = scalar.text(*alu, "alu").value_or("");
  if (const YamlNode* rows = map.require("opcodes"))
    for (const YamlEntry& row : rows->entries)
      table.rows_.emplace(row.key, scalar.text(row.value, "opcodes." + row.key).value_or(""));
  map.finish();
  return table;
}

std::string_view SassTable::find(std::string_view mnemonic) const
{
  while (true) {
    if (const auto row = rows_.find(std::string(mnemonic)); row != rows_.end()) return row->second;
    const std::size_t dot = mnemonic.rfind('.');
    if (dot == std::string_view::npos) return {};
    mnemonic = mnemonic.substr(0, dot);
  }
}

}  // namespace smsim

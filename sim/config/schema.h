// The JSON Schema of an architecture file, made from the same declarations as its loader (arch_fields.h), so
// that an editor completes and checks what smsim accepts. Rules between keys are the loader's alone.
#pragma once

#include <string>

namespace smsim {

/// JSON text, indented, ending in a line feed: the content of arch_configs/schema/arch.schema.json.
std::string arch_schema();

}  // namespace smsim

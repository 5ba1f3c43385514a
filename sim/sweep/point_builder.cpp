#include "sweep/point_builder.h"

#include "base/sha256.h"
#include "config/arch_loader.h"

namespace smsim {

void lay_on_base(const std::string& key, const Mark& written, const YamlNode& value, YamlNode& arch,
                 YamlNode& workload, Diagnostics& diagnostics)
{
  set_yaml_path(is_workload_override(key) ? workload : arch, key, written, value, diagnostics);
}

YamlNode derived_node(const ExpressionValue& value)
{
  return YamlNode::scalar(value.text ? *value.text : number_text(value.number));
}

std::string point_id(const ArchConfig& arch, const Workload& workload, std::uint64_t seed,
                     std::uint64_t max_cycles)
{
  std::string text = yaml_text(arch_document(arch));
  text += "---\n" + yaml_text(workload.document);
  text += "---\nseed: " + std::to_string(seed) + "\nmax_cycles: " + std::to_string(max_cycles) + "\n";
  return sha256(text).substr(0, 20);
}

BuiltPoint PointBuilder::build(const SweepPoint& point)
{
  Diagnostics diagnostics;
  YamlNode arch = sweep_.archs[point.arch].document;
  YamlNode workload = sweep_.workloads[point.workload].document;
  for (std::size_t i = 0; i < sweep_.axes.size(); ++i)
    lay_on_base(sweep_.axes[i].key, {}, sweep_.axes[i].value(point.places[i]), arch, workload, diagnostics);
  scope_.enter(point);
  for (std::size_t i = 0; i < sweep_.derived.size(); ++i)
    lay_on_base(sweep_.derived[i].key, {}, derived_node(scope_.derived(i)), arch, workload, diagnostics);
  throw_if_errors(diagnostics);
  BuiltPoint built;
  built.arch = build_arch(arch, diagnostics);
  built.workload = sweep_.workloads[point.workload].workload(std::move(workload), diagnostics);
  throw_if_errors(diagnostics);
  built.id = point_id(built.arch, built.workload, point.seed, sweep_.max_cycles);
  return built;
}

std::vector<ParameterValue> PointBuilder::parameters(const SweepPoint& point)
{
  const auto of = [](const ExpressionValue& value) {
    return value.text ? ParameterValue{false, 0, *value.text} : ParameterValue{true, value.number, {}};
  };
  std::vector<ParameterValue> values;
  values.push_back({false, 0, sweep_.archs[point.arch].name});
  values.push_back({false, 0, sweep_.workloads[point.workload].name});
  for (std::size_t i = 0; i < sweep_.axes.size(); ++i)
    values.push_back(of(sweep_.axes[i].expression_value(point.places[i])));
  try {
    scope_.enter(point);
    for (std::size_t i = 0; i < sweep_.derived.size(); ++i)
      values.push_back(of(scope_.derived(i)));
  } catch (const ExpressionError&) {
    values.resize(2 + sweep_.axes.size() + sweep_.derived.size());
  }
  values.push_back({true, static_cast<double>(point.seed), {}});
  return values;
}

}  // namespace smsim

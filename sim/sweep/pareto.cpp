#include "sweep/pareto.h"

#include "base/spelling.h"
#include "base/text_file.h"

#include <algorithm>

namespace smsim {
namespace {

struct Candidate {
  std::vector<double> values;  ///< all to be small
  std::uint64_t point = 0;
};

bool beats(const Candidate& a, const Candidate& b)
{
  bool better = false;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    if (a.values[i] > b.values[i]) return false;
    better = better || a.values[i] < b.values[i];
  }
  return better;
}

}  // namespace

std::vector<Objective> parse_objectives(const std::string& text, const ResultsReader& reader,
                                        Diagnostics& diagnostics)
{
  const auto source = make_source("--pareto", text);
  std::vector<Objective> objectives;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string word = text.substr(begin, end - begin);
    Objective objective;
    objective.maximize = word.ends_with(":max");
    if (objective.maximize || word.ends_with(":min")) word.erase(word.size() - 4);
    objective.column = word;
    const Mark mark{source, 1, static_cast<int>(begin) + 1};
    if (!reader.is_known(word))
      diagnostics.error(mark, "", "no column is named '" + word + "'", allowed_words(word, reader.names()));
    objectives.push_back(objective);
    begin = end + 1;
  }
  if (objectives.size() < 2)
    diagnostics.error({source, 1, 1}, "", "a front has at least two objectives",
                      "expected: such as cycles,register_file.registers or cycles,ipc:max");
  return objectives;
}

std::vector<std::uint64_t> pareto_front(ResultsReader& reader, const ResultQuery& among,
                                        const std::vector<Objective>& objectives)
{
  ResultQuery query = among;
  query.columns = {"point"};
  query.sort_by.clear();
  query.limit = ~std::uint64_t{0};
  for (const Objective& objective : objectives)
    query.columns.push_back(objective.column);
  std::vector<Candidate> candidates;
  reader.read(query, [&](const std::vector<Cell>& cells) {
    Candidate candidate;
    candidate.point = static_cast<std::uint64_t>(std::get<std::int64_t>(cells[0]));
    for (std::size_t i = 0; i < objectives.size(); ++i) {
      const auto number = cell_number(cells[i + 1]);
      if (!number) return;
      candidate.values.push_back(objectives[i].maximize ? -*number : *number);
    }
    candidates.push_back(std::move(candidate));
  });
  // In the order of their values only an earlier one can beat a later one.
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.values != b.values ? a.values < b.values : a.point < b.point;
  });
  std::vector<const Candidate*> front;
  std::vector<std::uint64_t> points;
  for (const Candidate& candidate : candidates) {
    if (std::any_of(front.begin(), front.end(),
                    [&](const Candidate* other) { return beats(*other, candidate); }))
      continue;
    front.push_back(&candidate);
    points.push_back(candidate.point);
  }
  std::sort(points.begin(), points.end());
  return points;
}

}  // namespace smsim

#include "sweep/result_output.h"

#include "report/csv_text.h"
#include "report/table_text.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t piece = 1U << 16U;

/// Gives out what has come together, once it is worth it.
class Buffer {
 public:
  explicit Buffer(const OutputSink& out) : out_(out) {}
  void add(const std::string& text)
  {
    text_ += text;
    if (text_.size() >= piece) flush();
  }
  void flush()
  {
    out_(text_);
    text_.clear();
  }

 private:
  const OutputSink& out_;
  std::string text_;
};

Json json_of(const Cell& cell)
{
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return *whole;
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return nullptr;
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// For a person: no more than 4 places, the first line of a message.
std::string short_text(const Cell& cell)
{
  if (const auto* real = std::get_if<double>(&cell)) {
    std::string text = fixed(*real, 4);
    while (text.ends_with('0'))
      text.pop_back();
    if (text.ends_with('.')) text.pop_back();
    return text;
  }
  const std::string text = cell_text(cell);
  return text.empty() ? "-" : text.substr(0, text.find('\n'));
}

}  // namespace

void write_results_csv(ResultsReader& reader, const ResultQuery& query, const OutputSink& out)
{
  Buffer buffer(out);
  buffer.add(csv_line(query.columns));
  std::vector<std::string> texts(query.columns.size());
  reader.read(query, [&](const std::vector<Cell>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      texts[i] = cell_text(cells[i]);
    buffer.add(csv_line(texts));
  });
  buffer.flush();
}

void write_results_json(ResultsReader& reader, const ResultQuery& query, const OutputSink& out)
{
  Buffer buffer(out);
  const StoreHeader& header = reader.header();
  buffer.add("{\n  \"schema_version\": 1,\n  \"smsim_version\": " + text_of(header.smsim_version) +
             ",\n  \"sweep\": " + text_of(header.name) + ",\n  \"points\": " + std::to_string(header.points) +
             ",\n  \"rows\": [");
  bool first = true;
  reader.read(query, [&](const std::vector<Cell>& cells) {
    Json row = Json::object();
    for (std::size_t i = 0; i < cells.size(); ++i)
      row[query.columns[i]] = json_of(cells[i]);
    buffer.add((first ? "\n    " : ",\n    ") + text_of(row));
    first = false;
  });
  buffer.add(first ? "]\n}\n" : "\n  ]\n}\n");
  buffer.flush();
}

void write_results_table(ResultsReader& reader, const ResultQuery& query, const OutputSink& out)
{
  std::vector<std::vector<std::string>> rows{query.columns};
  std::vector<bool> is_number(query.columns.size(), true);
  reader.read(query, [&](const std::vector<Cell>& cells) {
    std::vector<std::string> row;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      row.push_back(short_text(cells[i]));
      if (std::holds_alternative<std::string>(cells[i])) is_number[i] = false;
    }
    rows.push_back(std::move(row));
  });
  // Numbers to the right, texts to the left, wherever they stand.
  std::vector<std::size_t> widths(query.columns.size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - row[i].size(), ' ');
      text += (i ? "  " : "") + (is_number[i] ? pad + row[i] : row[i] + pad);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  out(text);
}

}  // namespace smsim

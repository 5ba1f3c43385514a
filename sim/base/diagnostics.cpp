#include "base/diagnostics.h"

#include <algorithm>

namespace smsim {
namespace {

constexpr std::size_t widest_line = 120;

/// The source line cut to a readable width around the column, and the caret's line below it.
std::string excerpt(const Mark& mark)
{
  if (!mark.source || mark.line < 1 || mark.line > static_cast<int>(mark.source->lines.size())) return {};
  const std::string& line = mark.source->lines[static_cast<std::size_t>(mark.line - 1)];
  auto column = static_cast<std::size_t>(std::max(mark.column, 1) - 1);
  column = std::min(column, line.size());
  const std::size_t start = column > widest_line - 20 ? column - widest_line / 2 : 0;
  const std::string shown = line.substr(start, widest_line);
  std::string number = std::to_string(mark.line);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
  std::string caret;
  for (std::size_t i = start; i < column; ++i) caret += line[i] == '\t' ? '\t' : ' ';
  std::string out = number + " | " + shown + "\n";
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') c = '?';
  return out + std::string(number.size(), ' ') + " | " + caret + "^\n";
}

}  // namespace

void Diagnostics::error(const Mark& mark, std::string_view path, std::string_view what, std::string_view allowed)
{
  std::string message;
  if (!path.empty()) message.append(path).append(": ");
  message.append(what);
  if (!allowed.empty()) message.append("; ").append(allowed);
  entries_.push_back({mark, std::move(message)});
}

std::string Diagnostics::text() const
{
  std::vector<const Entry*> order;
  order.reserve(entries_.size());
  for (const Entry& entry : entries_) order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) {
    static const std::string nowhere;
    const std::string& file_a = a->mark.source ? a->mark.source->name : nowhere;
    const std::string& file_b = b->mark.source ? b->mark.source->name : nowhere;
    if (file_a != file_b) return file_a < file_b;
    if (a->mark.line != b->mark.line) return a->mark.line < b->mark.line;
    return a->mark.column < b->mark.column;
  });
  std::string out;
  for (const Entry* entry : order) {
    const Mark& mark = entry->mark;
    if (mark.source) {
      out += mark.source->name + ":";
      if (mark.line > 0) out += std::to_string(mark.line) + ":" + std::to_string(mark.column) + ":";
      out += " ";
    }
    out += entry->message + "\n" + excerpt(mark);
  }
  return out;
}

void throw_if_errors(const Diagnostics& diagnostics)
{
  if (!diagnostics.ok()) throw InputError(diagnostics.text());
}

}  // namespace smsim

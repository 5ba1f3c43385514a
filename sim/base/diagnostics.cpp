#include "base/diagnostics.h"

#include <algorithm>

namespace smsim {
namespace {

constexpr std::size_t widest_line = 120;
constexpr std::size_t most_shown = 100;

/// Is this byte the second or a later one of a character in UTF-8?
bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// Columns are kept in bytes and shown in characters.
int shown_column(const Mark& mark)
{
  if (!mark.source || mark.line < 1 || mark.line > static_cast<int>(mark.source->lines.size()))
    return mark.column;
  const std::string& line = mark.source->lines[static_cast<std::size_t>(mark.line - 1)];
  const auto end = line.begin() + std::min<std::ptrdiff_t>(std::max(mark.column - 1, 0), std::ssize(line));
  return mark.column - static_cast<int>(std::count_if(line.begin(), end, continues_character));
}

/// The source line cut to a readable width around the column, and the caret's line below it.
std::string excerpt(const Mark& mark)
{
  if (!mark.source || mark.line < 1 || mark.line > static_cast<int>(mark.source->lines.size())) return {};
  const std::string& line = mark.source->lines[static_cast<std::size_t>(mark.line - 1)];
  auto column = static_cast<std::size_t>(std::max(mark.column, 1) - 1);
  column = std::min(column, line.size());
  std::size_t start = column > widest_line - 20 ? column - widest_line / 2 : 0;
  while (start > 0 && continues_character(line[start]))
    --start;
  std::size_t end = std::min(start + widest_line, line.size());
  while (end < line.size() && continues_character(line[end]))
    ++end;
  const std::string shown = line.substr(start, end - start);
  std::string number = std::to_string(mark.line);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
  std::string caret;
  for (std::size_t i = start; i < column; ++i)
    if (!continues_character(line[i])) caret += line[i] == '\t' ? '\t' : ' ';
  std::string out = number + " | " + shown + "\n";
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') c = '?';
  return out + std::string(number.size(), ' ') + " | " + caret + "^\n";
}

}  // namespace

void Diagnostics::error(const Mark& mark, std::string_view path, std::string_view what,
                        std::string_view allowed)
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
  for (const Entry& entry : entries_)
    order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) {
    static const std::string nowhere;
    const std::string& file_a = a->mark.source ? a->mark.source->name : nowhere;
    const std::string& file_b = b->mark.source ? b->mark.source->name : nowhere;
    if (file_a != file_b) return file_a < file_b;
    if (a->mark.line != b->mark.line) return a->mark.line < b->mark.line;
    return a->mark.column < b->mark.column;
  });
  const auto same = [](const Entry* a, const Entry* b) {
    return a->mark.source == b->mark.source && a->mark.line == b->mark.line &&
           a->mark.column == b->mark.column && a->message == b->message;
  };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  std::string out;
  for (std::size_t i = 0; i < std::min(order.size(), most_shown); ++i) {
    const Mark& mark = order[i]->mark;
    if (mark.source) {
      out += mark.source->name + ":";
      if (mark.line > 0) out += std::to_string(mark.line) + ":" + std::to_string(shown_column(mark)) + ":";
      out += " ";
    }
    out += order[i]->message + "\n" + excerpt(mark);
  }
  if (order.size() > most_shown) {
    const std::size_t more = order.size() - most_shown;
    out += "and " + std::to_string(more) + (more == 1 ? " more error\n" : " more errors\n");
  }
  return out;
}

void throw_if_errors(const Diagnostics& diagnostics)
{
  if (!diagnostics.ok()) throw InputError(diagnostics.text());
}

}  // namespace smsim

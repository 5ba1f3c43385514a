// docs/lessons/ against the program: each command is run, each output, picture and figure compared.
// SMSIM_UPDATE_EXPECTED=1 in the environment writes outputs and pictures anew; figures in the text are yours
// to mend.
#include "base/text_file.h"
#include "support/arithmetic.h"
#include "support/program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace smsim;
using namespace smsim::test;

namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

const fs::path lessons = fs::path(SMSIM_SOURCE_DIR) / "docs" / "lessons";
const std::string left_out = "...";
const std::string prompt = "$ smsim ";

Lines lines_of(const std::string& text)
{
  std::istringstream stream(text);
  Lines lines;
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

std::set<std::string> names_with(const std::string& ending)
{
  std::set<std::string> names;
  for (const auto& file : fs::directory_iterator(lessons))
    if (file.path().extension() == ending) names.insert(file.path().stem().string());
  return names;
}

std::set<std::string> pages()
{
  std::set<std::string> names = names_with(".md");
  CHECK(names.erase("README") == 1);
  return names;
}

/// The first line of `shown` that the output does not have in its place; nothing if all is as shown. A line
/// "..." stands for any number of lines.
std::string first_difference(const Lines& shown, const Lines& output)
{
  std::vector<Lines> parts(1);
  for (const std::string& line : shown)
    if (line == left_out)
      parts.emplace_back();
    else
      parts.back().push_back(line);
  auto at = output.begin();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Lines& part = parts[i];
    const auto size = static_cast<std::ptrdiff_t>(part.size());
    if (i > 0 && i + 1 == parts.size())  // what is last is the output's end
      at = output.end() - std::min(size, output.end() - at);
    else if (i > 0)
      at = std::search(at, output.end(), part.begin(), part.end());
    const auto [wrong, there] = std::mismatch(part.begin(), part.end(), at, output.end());
    if (wrong != part.end()) return *wrong;
    at = there;
  }
  return at == output.end() ? "" : "(the output goes on: " + *at + ")";
}

std::string words_of(const std::string& line)
{
  std::string words;
  for (const char c : line)
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) words += c;
  return words;
}

/// `shown` with the output's lines: the same one, else the next that has the same words.
Lines renewed(const Lines& shown, const Lines& output)
{
  if (std::find(shown.begin(), shown.end(), left_out) == shown.end()) return output;
  Lines result;
  auto at = output.begin();
  for (const std::string& line : shown) {
    auto found = std::find(at, output.end(), line);
    if (found == output.end())
      found = std::find_if(at, output.end(),
                           [&](const std::string& other) { return words_of(other) == words_of(line); });
    const bool known = line != left_out && found != output.end();
    result.push_back(known ? *found : line);
    if (known) at = found + 1;
  }
  return result;
}

std::set<std::string> numbers_in(const std::string& text)
{
  const std::regex number(R"(\d+(\.\d+)?)");
  std::set<std::string> numbers;
  for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at)
    numbers.insert(at->str());
  return numbers;
}

struct Page {
  std::string text;     ///< with the outputs of this run, where they are to be renewed
  std::string prose;    ///< what is not in a code block
  std::string outputs;  ///< of all commands, with the commands
  std::set<std::string> pictures;
};

/// Runs what the page says, in an empty folder, and compares.
Page checked(const std::string& name, bool update)
{
  const std::string folder = temporary_folder();
  const Lines lines = lines_of(read_file((lessons / (name + ".md")).string()));
  Page page;
  bool code = false;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    page.text += lines[line] + "\n";
    if (lines[line].starts_with("```")) {
      code = !code;
      continue;
    }
    if (!code) {
      page.prose += lines[line] + "\n";
      continue;
    }
    REQUIRE_MESSAGE(lines[line].starts_with(prompt), lines[line]);
    const std::string command = lines[line].substr(prompt.size());
    CAPTURE(command);
    Lines shown;
    for (;
         line + 1 < lines.size() && !lines[line + 1].starts_with("$ ") && !lines[line + 1].starts_with("```");
         ++line)
      shown.push_back(lines[line + 1]);
    const ProgramRun run = test::smsim(command, folder);
    CHECK(run.status == 0);
    CHECK(run.err.empty());
    const Lines output = lines_of(run.out);
    if (update) shown = renewed(shown, output);
    CHECK(first_difference(shown, output) == "");
    for (const std::string& one : shown)
      page.text += one + "\n";
    page.outputs += command + "\n" + run.out;
  }
  CHECK_FALSE(code);
  for (const auto& file : fs::directory_iterator(folder)) {
    const std::string picture = file.path().filename().string();
    CAPTURE(picture);
    const std::string content = read_file(file.path().string());
    if (update) write_file_atomically(lessons / picture, content);
    CHECK_MESSAGE(content == read_file((lessons / picture).string()), "the picture is another");
    CHECK(page.prose.find("](" + picture + ")") != std::string::npos);
    page.pictures.insert(file.path().stem().string());
  }
  return page;
}

void check_figures(const Page& page)
{
  std::set<std::string> known = numbers_in(page.outputs);
  const std::regex span("`([^`]+)`");
  for (std::sregex_iterator at(page.prose.begin(), page.prose.end(), span), end; at != end; ++at) {
    const std::string text = (*at)[1].str();
    if (!is_equation(text)) continue;
    CHECK_MESSAGE(equation_holds(text), text);
    known.merge(numbers_in(text));
  }
  for (const std::string& number : numbers_in(page.prose))
    if (number.find('.') != std::string::npos || number.size() > 3)
      CHECK_MESSAGE(known.count(number) == 1, number << " is in the text, but in no output and no equation");
}

}  // namespace

TEST_CASE("what a lesson shows is what its commands print and draw, and its figures are from there")
{
  const bool update = std::getenv("SMSIM_UPDATE_EXPECTED") != nullptr;
  std::set<std::string> pictures;
  for (const std::string& name : pages()) {
    CAPTURE(name);
    const Page page = checked(name, update);
    if (update) write_file_atomically(lessons / (name + ".md"), page.text);
    check_figures(page);
    CHECK_FALSE(page.pictures.empty());
    for (const char* part : {"**Question.**", "## Exercise\n", "## Solution\n"})
      CHECK_MESSAGE(page.prose.find(part) != std::string::npos, part);
    CHECK(page.outputs.find(" " + name + " ") != std::string::npos);
    pictures.insert(page.pictures.begin(), page.pictures.end());
  }
  CHECK(names_with(".svg") == pictures);
}

TEST_CASE("the lessons are eight, each with a kernel of its name, and their contents list them in order")
{
  const std::set<std::string> names = pages();
  CHECK(names.size() == 8);
  const std::string contents = read_file((lessons / "README.md").string());
  std::size_t at = 0;
  for (const std::string& name : names) {
    CAPTURE(name);
    const std::string title =
        lines_of(read_file((lessons / (name + ".md")).string())).front();  // "# 1. What occupancy counts"
    const std::size_t row =
        contents.find(title.substr(2, 3) + "[" + title.substr(5) + "](" + name + ".md)", at);
    CHECK(row != std::string::npos);
    at = row;
    const std::string kernel =
        read_file(SMSIM_SOURCE_DIR "/workloads/lessons/" + name + ".yaml");  // with comments
    CHECK(kernel.find("docs/lessons/" + name + ".md") != std::string::npos);
  }
  CHECK(read_file(SMSIM_SOURCE_DIR "/README.md").find("](docs/lessons/README.md)") != std::string::npos);
}

TEST_CASE("lines left out of an output, and arithmetic in a text, are compared as meant")
{
  const Lines output = {"a 1", "b 2", "c 3", "a 4"};
  const auto difference = [&](const Lines& shown) { return first_difference(shown, output); };
  CHECK(difference(output) == "");
  CHECK(difference({"..."}) == "");
  CHECK(difference({"a 1", "...", "a 4"}) == "");
  CHECK(difference({"...", "b 2", "c 3", "..."}) == "");
  CHECK(difference({"...", "a 4"}) == "");
  CHECK(difference({}) == "(the output goes on: a 1)");
  CHECK(difference({"a 1", "b 2"}) == "(the output goes on: c 3)");
  CHECK(difference({"a 1", "b 9", "c 3", "a 4"}) == "b 9");
  CHECK(difference({"a 1", "b 2", "c 3", "a 4", "x"}) == "x");
  CHECK(difference({"b 2", "..."}) == "b 2");
  CHECK(difference({"...", "a 1", "c 3", "..."}) == "a 1");
  CHECK(difference({"...", "c 3", "...", "b 2", "..."}) == "b 2");
  CHECK(difference({"...", "a 4", "...", "x"}) == "x");
  CHECK(renewed({"...", "b 7", "...", "a 9"}, output) == Lines{"...", "b 2", "...", "a 4"});

  CHECK(is_equation("20 / 32 = 62.5 %"));
  CHECK_FALSE(is_equation("launch.grid=4"));
  CHECK_FALSE(is_equation("1 / 2"));
  CHECK(equation_holds("20 / 32 = 62.5 %"));
  CHECK(equation_holds("(1 + 2) x 3 - 4 = 5 = 10 / 2"));
  CHECK(equation_holds("1 / 3 = 33 %"));
  CHECK_FALSE(equation_holds("1 / 3 = 33.0 %"));
  CHECK_FALSE(equation_holds("5 x 4 = 4 + 15"));
}

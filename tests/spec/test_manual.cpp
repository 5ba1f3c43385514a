// Man pages and completion, against what --help says.
#include "support/program.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <regex>
#include <sstream>

using namespace smsim::test;

namespace {

ProgramRun program(const std::string& arguments, const std::string& folder = {})
{
  return smsim::test::smsim(arguments, folder);
}

std::vector<std::string> lines_of(const std::string& text)
{
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/// As `smsim --help` lists them.
std::vector<std::string> subcommands()
{
  std::vector<std::string> names;
  bool listed = false;
  for (const std::string& line : lines_of(program("--help").out)) {
    if (line == "Commands:") listed = true;
    if (line.empty()) listed = listed && names.empty();
    std::smatch match;
    static const std::regex form("  ([a-z]+) +.*");
    if (listed && std::regex_match(line, match, form)) names.push_back(match[1]);
  }
  REQUIRE(names.size() >= 10);
  return names;
}

/// "--output" and "-o" of the help's lines.
std::vector<std::string> options_of(const std::string& command)
{
  std::vector<std::string> found;
  for (const std::string& line : lines_of(program(command + " --help").out)) {
    static const std::regex with_short("  (-[a-z]) \\[ (--[a-z-]+) \\].*");
    static const std::regex without("  (--[a-z-]+).*");
    std::smatch match;
    if (std::regex_match(line, match, with_short)) {
      found.push_back(match[1]);
      found.push_back(match[2]);
    } else if (std::regex_match(line, match, without)) {
      found.push_back(match[1]);
    }
  }
  REQUIRE(found.size() >= 2);
  return found;
}

/// What bash would offer for the last of `words`, in a folder with one workload file.
std::string offered(const std::vector<std::string>& words)
{
  static const std::string folder = [] {
    const std::string made = temporary_folder();
    write_file(made + "/mine.yaml", "");
    write_file(made + "/notes.txt", "");
    write_file(made + "/script.bash", program("completion bash").out);
    return made;
  }();
  std::string list;
  for (const std::string& word : words)
    list += " '" + word + "'";
  write_file(folder + "/ask.bash", "source ./script.bash\nCOMP_WORDS=('" SMSIM_PROGRAM "'" + list +
                                       ")\nCOMP_CWORD=" + std::to_string(words.size()) +
                                       "\n_smsim\nprintf '%s\\n' \"${COMPREPLY[@]}\" > reply\n");
  REQUIRE(std::system(
              ("cd '" + folder + "' && SMSIM_DATA='" SMSIM_SOURCE_DIR "' bash ask.bash 2> err").c_str()) ==
          0);
  CHECK(read_file(folder + "/err") == "");
  return " " + std::regex_replace(read_file(folder + "/reply"), std::regex("\n"), " ");
}

bool has_word(const std::string& list, const std::string& word)
{
  return list.find(" " + word + " ") != std::string::npos;
}

}  // namespace

TEST_CASE("every subcommand and every option of its --help is in the manual and in the completion")
{
  const std::string whole = program("man").out;
  const std::string first_words = offered({""});
  for (const std::string& command : subcommands()) {
    CAPTURE(command);
    CHECK(whole.find("*smsim-" + command + "*(1)") != std::string::npos);
    CHECK(has_word(first_words, command));
    const std::string page = program("man " + command).out;
    CHECK(page.starts_with("smsim-" + command + "(1) "));
    const std::string completed = offered({command, "-"});
    for (const std::string& option : options_of(command)) {
      CAPTURE(option);
      CHECK(page.find("*" + option + "*") != std::string::npos);
      CHECK(has_word(completed, option));
    }
  }
}

TEST_CASE("the manual tells no other options than --help does")
{
  static const std::regex entry("\\*(--[a-z-]+)\\*");
  for (const std::string& command : subcommands()) {
    CAPTURE(command);
    const std::vector<std::string> known = options_of(command);
    const std::string page = program("man " + command).out;
    for (auto found = std::sregex_iterator(page.begin(), page.end(), entry); found != std::sregex_iterator();
         ++found)
      CHECK(std::find(known.begin(), known.end(), (*found)[1].str()) != known.end());
  }
}

TEST_CASE("completion knows workloads, presets, policies, files and the words of an option")
{
  CHECK(has_word(offered({"run", "--arch", ""}), "h100"));
  CHECK(has_word(offered({"run", "--arch", ""}), "mine.yaml"));
  CHECK_FALSE(has_word(offered({"run", "--arch", ""}), "notes.txt"));
  CHECK(offered({"run", "--arch", "h1"}) == " h100 ");
  CHECK(offered({"run", "--arch", "=", "h1"}) == " h100 ");
  CHECK(has_word(offered({"run", "--arch", "="}), "h100"));
  CHECK(has_word(offered({"run", "worked"}), "worked_example"));
  CHECK(has_word(offered({"run", "lessons/ti"}), "lessons/tiled_matmul"));
  CHECK(has_word(offered({"run", "--policy", "two"}), "two_level_active"));
  CHECK(offered({"run", "--format", ""}) == " text json csv ");
  CHECK(offered({"run", "--engine", "ev"}) == " event every-cycle ");
  CHECK(offered({"run", "--seed", ""}) == "  ");
  CHECK(has_word(offered({"report", "x", "-o", "no"}), "notes.txt"));
  CHECK(has_word(offered({"report", "--compare", "A.json", "no"}), "notes.txt"));
  CHECK(offered({"compare", "--policies", "gto,lr"}) == " gto,lrr ");
  CHECK(offered({"list", "ar"}) == " archs ");
  CHECK(has_word(offered({"man", ""}), "occupancy"));
  CHECK(offered({"man", "--list"}) == " --list ");
}

TEST_CASE("the words that completion offers for an option are those that the option takes")
{
  const std::vector<std::pair<std::string, std::string>> asked{
      {"run", "format"},     {"run", "engine"},       {"occupancy", "format"},
      {"compare", "format"}, {"registers", "format"}, {"explain", "format"}};
  for (const auto& pair : asked) {
    const std::string& command = pair.first;
    const std::string& option = pair.second;
    CAPTURE(command);
    const std::string error = program(command + " --" + option + " qqq").err;
    std::string words;
    for (const std::string& line : lines_of(offered({command, "--" + option, ""})))
      words = std::regex_replace(line.substr(1, line.size() - 2), std::regex(" "), ", ");
    CHECK_MESSAGE((command == "compare" || error.find("allowed: " + words + "\n") != std::string::npos),
                  error);
  }
}

TEST_CASE("a page that does not exist is an error that names those that do")
{
  const ProgramRun run = program("man rnu");
  CHECK(run.status == 2);
  CHECK(run.err.find("did you mean 'run'?") != std::string::npos);
  CHECK(program("completion").err.find("name the shell: bash") != std::string::npos);
  CHECK(program("completion zsh").status == 2);
}

TEST_CASE("scdoc takes every page of the manual")
{
  if (std::system("command -v scdoc > /dev/null") != 0) {
    MESSAGE("SKIPPED: scdoc is not installed");
    return;
  }
  const std::string folder = temporary_folder();
  for (const std::string& page : lines_of(program("man --list").out)) {
    CAPTURE(page);
    const std::string of = page == "smsim" ? "" : page.substr(6);
    write_file(folder + "/page.scd", program("man " + of).out);
    CHECK(std::system(("scdoc < " + folder + "/page.scd > " + folder + "/page.1").c_str()) == 0);
    const std::string roff = read_file(folder + "/page.1");
    CHECK(roff.find(".SH NAME") != std::string::npos);
    CHECK(roff.find(".SH OPTIONS") != std::string::npos);
  }
}

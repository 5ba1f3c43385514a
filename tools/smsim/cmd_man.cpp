// smsim man [SUBCOMMAND]: the pages of the manual, from the option tables that --help prints.
#include "base/spelling.h"
#include "base/version.h"
#include "cli.h"

#include <algorithm>
#include <sstream>

namespace smsim::cli {
namespace {

/// What scdoc would take for formatting is written as it is.
std::string escaped(std::string_view text)
{
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\_*`#[]|~<>").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// Lines that are indented are code, those between empty lines a paragraph.
std::string paragraphs(const std::string& text)
{
  std::istringstream lines(text);
  std::string out;
  bool code = false;
  for (std::string line; std::getline(lines, line);) {
    const bool indented = line.starts_with("  ");
    if (indented != code) out += code ? "```\n\n" : "\n```\n";
    code = indented;
    out += (code ? line.substr(2) : escaped(line)) + "\n";
  }
  return out + (code ? "```\n" : "");
}

std::string head(std::string_view page, std::string_view summary)
{
  return std::string(page) + "(1) \"smsim " + version + "\" \"smsim's manual\"\n\n# NAME\n\n" +
         std::string(page) + " - " + escaped(summary) + "\n\n";
}

constexpr std::string_view exit_status = "# EXIT STATUS\n\n0 where there is an answer, 1 where a run cannot "
                                         "be done or cannot end, 2 where the command "
                                         "line or a file is wrong; then nothing is written.\n\n";

std::string options_section(const OptionParser& parser)
{
  std::string out = "# OPTIONS\n\n";
  for (const auto& option : parser.options.options()) {
    out += "*--" + escaped(option->long_name()) + "*";
    // "-o [ --output ]" is how the library writes the two names.
    if (const std::string names =
            option->canonical_display_name(po::command_line_style::allow_dash_for_short);
        names.size() == 2 && names[0] == '-')
      out += ", *" + names + "*";
    std::string value = option->format_parameter();
    if (!value.empty()) out += " " + escaped(value);
    out += "\n\t" + escaped(option->description()) + "\n\n";
  }
  return out;
}

std::string page_of(const OptionParser& parser, std::string_view summary)
{
  std::string out = head("smsim-" + parser.command(), summary) + "# SYNOPSIS\n\n";
  std::istringstream synopsis(parser.synopsis());
  for (std::string line; std::getline(synopsis, line);) {
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with("smsim ")) line.erase(0, 6);
    out += "*smsim* " + escaped(line) + "\n\n";
  }
  return out + "# DESCRIPTION\n\n" + paragraphs(parser.description()) + "\n" + options_section(parser) +
         "# EXAMPLES\n" + paragraphs(parser.examples()) + "\n" + std::string(exit_status) +
         "# SEE ALSO\n\n*smsim*(1)\n";
}

std::string page_of_program()
{
  std::string out =
      head("smsim", "a cycle-level simulator of a GPU's streaming multiprocessors") +
      "# SYNOPSIS\n\n*smsim* COMMAND [OPTIONS]\n\n# DESCRIPTION\n\n"
      "smsim shows how many warps of a kernel fit on a streaming multiprocessor (theoretical occupancy, and "
      "which resource says so), how many really were there (achieved occupancy), and whether they hid the "
      "latency they were there for.\n\n# COMMANDS\n\n";
  for (const Command& command : commands())
    out += "*" + std::string(command.name) + "*\n\t" + escaped(command.summary) + ". See *smsim-" +
           std::string(command.name) + "*(1).\n\n";
  return out +
         "# OPTIONS\n\n*--version*\n\tprint the version\n\n*--help*, *-h*\n\tprint the list of commands\n\n"
         "# ENVIRONMENT\n\n*SMSIM\\_DATA*\n\ta folder with arch\\_configs and workloads to use for the "
         "shipped "
         "ones\n\n" +
         std::string(exit_status);
}

/// The page of a subcommand, which its own --help describes.
std::string page_of(const Command& command)
{
  std::string page;
  const auto before = OptionParser::show_help;
  OptionParser::show_help = [&](const OptionParser& parser) { page = page_of(parser, command.summary); };
  command.run({"--help"});
  OptionParser::show_help = before;
  return page;
}

}  // namespace

int run_man(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "man", "man [SUBCOMMAND]",
      "Prints a page of the manual in scdoc's format: on smsim, or on one subcommand. An installed\n"
      "smsim has them as man pages.",
      "  smsim man run | scdoc | man -l -\n  smsim man --list\n");
  parser.options.add_options()("subcommand", po::value<std::string>(),
                               "the subcommand that the page is on")("list", "print the names of all pages");
  parser.positional("subcommand", 1);
  if (!parser.parse(arguments)) return 0;
  if (parser.has("list")) {
    std::string names = "smsim\n";
    for (const Command& command : commands())
      names += "smsim-" + std::string(command.name) + "\n";
    write_output({}, names);
    return 0;
  }
  if (!parser.has("subcommand")) {
    write_output({}, page_of_program());
    return 0;
  }
  std::vector<std::string> names;
  for (const Command& command : commands())
    names.emplace_back(command.name);
  const std::string wanted = parser.word("subcommand", names);
  for (const Command& command : commands())
    if (command.name == wanted) write_output({}, page_of(command));
  return 0;
}

}  // namespace smsim::cli

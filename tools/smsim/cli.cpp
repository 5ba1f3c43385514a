#include "cli.h"

#include "base/numbers.h"
#include "base/spelling.h"
#include "base/text_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>

namespace smsim::cli {

OptionParser::OptionParser(std::string command, std::string synopsis, std::string text, std::string examples)
    : options("Options", 100, 60), command_(std::move(command)), synopsis_(std::move(synopsis)),
      text_(std::move(text)), examples_(std::move(examples))
{
  options.add_options()("help,h", "print this help");
}

void OptionParser::fail(const std::string& what) const
{
  throw UsageError("smsim " + command_ + ": " + what + "\n`smsim " + command_ +
                   " --help` lists the options.\n");
}

std::function<void(const OptionParser&)> OptionParser::show_help = [](const OptionParser& parser) {
  std::cout << "Usage: smsim " << parser.synopsis_ << "\n\n"
            << parser.text_ << "\n\n"
            << parser.options << "\nExamples:\n"
            << parser.examples_;
};

std::vector<std::string> OptionParser::positionals() const
{
  std::vector<std::string> names;
  constexpr unsigned most = 16;
  for (unsigned i = 0; i < std::min(positional_.max_total_count(), most); ++i)
    if (names.empty() || names.back() != positional_.name_for_position(i))
      names.push_back(positional_.name_for_position(i));
  return names;
}

void OptionParser::refuse_others(const std::string& question, const std::vector<std::string>& read) const
{
  std::string allowed;
  for (const std::string& word : read)
    allowed.append(allowed.empty() ? "--" : ", --").append(word);
  for (const auto& option : options.options()) {
    const std::string& name = option->long_name();
    if (given(name) && name != question && std::find(read.begin(), read.end(), name) == read.end())
      fail(std::string("--")
               .append(name)
               .append(" has no effect with --")
               .append(question)
               .append("; allowed: ")
               .append(allowed));
  }
}

bool OptionParser::parse(const std::vector<std::string>& arguments)
{
  for (const std::string& argument : arguments) {
    if (argument == "--help" || argument == "-h") {
      show_help(*this);
      return false;
    }
  }
  try {
    using Style = po::command_line_style::style_t;
    const auto style =
        static_cast<Style>(po::command_line_style::default_style & ~po::command_line_style::allow_guessing);
    po::store(po::command_line_parser(arguments).options(options).positional(positional_).style(style).run(),
              values_);
    po::notify(values_);
  } catch (const po::unknown_option& error) {
    std::vector<std::string> names;
    for (const auto& option : options.options())
      names.push_back("--" + option->long_name());
    const std::string near = nearest_word(error.get_option_name(), names);
    fail("unknown option " + error.get_option_name() +
         (near.empty() ? "" : " (did you mean '" + near + "'?)"));
  } catch (const po::error& error) {
    fail(error.what());
  }
  return true;
}

std::vector<std::string> OptionParser::list(const std::string& name) const
{
  return has(name) ? values_[name].as<std::vector<std::string>>() : std::vector<std::string>{};
}

std::uint64_t OptionParser::integer(const std::string& name, std::uint64_t least, std::uint64_t most) const
{
  const auto value = parse_integer(text(name));
  const bool all_digits =
      !text(name).empty() && text(name).find_first_not_of("0123456789") == std::string::npos;
  if (!value && !(all_digits && text(name).front() != '0'))
    fail("--" + name + ": '" + text(name) + "' is not a whole number");
  if (!value || *value < least || *value > most)
    fail("--" + name + ": out of range: " + text(name) + "; allowed: " + std::to_string(least) + " to " +
         std::to_string(most));
  return *value;
}

std::uint64_t OptionParser::size(const std::string& name) const
{
  const auto value = parse_size(text(name));
  if (!value)
    fail("--" + name + ": '" + text(name) +
         "' is not a size; expected: a whole number of B, KiB or MiB, such as 48KiB");
  if (*value > (1U << 30U)) fail("--" + name + ": out of range: " + text(name) + "; allowed: up to 1024 MiB");
  return *value;
}

std::string OptionParser::word(const std::string& name, const std::vector<std::string>& words) const
{
  for (const std::string& allowed : words)
    if (text(name) == allowed) return allowed;
  fail("--" + name + ": unknown value '" + text(name) + "'; " + allowed_words(text(name), words));
}

void write_output(const std::string& path, std::string_view content)
{
  if (!path.empty()) return write_file_atomically(path, content);
  const bool wrote = std::fwrite(content.data(), 1, content.size(), stdout) == content.size();
  if (!wrote || std::fflush(stdout) != 0)
    throw RunError(std::string("standard output: cannot be written: ") + std::strerror(errno) +
                   "\n");  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace smsim::cli

// smsim completion bash: completion of subcommands, options and their values, from the option tables that
// --help prints. Names of architectures, workloads and policies are asked of smsim when they are wanted.
#include "cli.h"

#include <algorithm>
#include <string>

namespace smsim::cli {
namespace {

constexpr std::string_view prologue = R"bash(# bash completion for smsim, made by `smsim completion bash`.

# Names that smsim lists, with and without their folder.
_smsim_names() {
  "${COMP_WORDS[0]}" list "$1" 2>/dev/null | awk 'NR > 1 { print $1; sub(/.*\//, "", $1); print $1 }' | sort -u
}
# What follows takes what has been typed as $1.
_smsim_words() { mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1"); }
_smsim_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
}
_smsim_names_or_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(
    compgen -W "$(_smsim_names "$2")" -- "$1"
    compgen -f -X '!*.y*ml' -- "$1"
    compgen -d -- "$1"
  )
}
_smsim_list() {
  local before=
  [[ $1 == *,* ]] && before=${1%,*},
  compopt -o nospace 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$(_smsim_names "$2")" -- "${1##*,}")
}

_smsim() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  COMPREPLY=()
  # bash makes three words of --option=value.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
)bash";

constexpr std::string_view epilogue = R"bash(  esac
}
complete -F _smsim smsim
)bash";

/// How a value is completed: a call in the script's own functions. "" where nobody can list what may come.
std::string value_call(const po::option_description& option)
{
  std::string words = option.format_parameter();
  words.erase(std::min(words.find(" ("), words.size()));  // the default
  if (words.find('|') != std::string::npos || words == "bash") {
    std::replace(words.begin(), words.end(), '|', ' ');
    return "_smsim_words \"$current\" '" + words + "'";
  }
  const std::string& name = option.long_name();
  if (name == "arch") return "_smsim_names_or_files \"$current\" archs";
  if (name == "workload") return "_smsim_names_or_files \"$current\" workloads";
  if (name == "policy") return "_smsim_words \"$current\" \"$(_smsim_names policies)\"";
  if (name == "baseline") return "_smsim_words \"$current\" \"$(_smsim_names policies)\"";
  if (name == "archs" || name == "workloads" || name == "policies") return "_smsim_list \"$current\" " + name;
  if (name == "subcommand") return "_smsim_words \"$current\" \"$subcommands\"";
  for (const char* file : {"output", "file", "batch", "ptxas", "compare"})
    if (name == file) return "_smsim_files \"$current\"";
  return {};
}

bool takes_value(const po::option_description& option) { return option.semantic()->max_tokens() > 0; }

std::string arm_of(const OptionParser& parser)
{
  std::string options;
  std::string values;
  for (const auto& option : parser.options.options()) {
    const std::string name = "--" + option->long_name();
    const std::string one = option->canonical_display_name(po::command_line_style::allow_dash_for_short);
    const bool has_short = one.size() == 2 && one[0] == '-';
    options += (options.empty() ? "" : " ") + name + (has_short ? " " + one : "");
    if (!takes_value(*option)) continue;
    const std::string call = value_call(*option);
    values += "        " + name + (has_short ? "|" + one : "") + ") " + (call.empty() ? "" : call + "; ") +
              "return ;;\n";
  }
  std::string more;  // values behind the first
  for (const auto& option : parser.options.options())
    if (option->semantic()->max_tokens() > 1)
      more += "      elif [[ \" ${COMP_WORDS[*]} \" == *\" --" + option->long_name() +
              " \"* ]]; then\n        " + value_call(*option) + "\n";
  std::string positional;
  for (const std::string& name : parser.positionals())
    positional = value_call(parser.options.find(name, false));
  return "    " + parser.command() + ")\n      case $previous in\n" + values +
         "      esac\n      if [[ $current == -* ]]; then\n        _smsim_words \"$current\" '" + options +
         "'\n" + more + (positional.empty() ? "" : "      else\n        " + positional + "\n") +
         "      fi\n      ;;\n";
}

std::string bash_completion()
{
  std::string names;
  std::string arms;
  const auto before = OptionParser::show_help;
  OptionParser::show_help = [&](const OptionParser& parser) { arms += arm_of(parser); };
  for (const Command& command : commands()) {
    names += (names.empty() ? "" : " ") + std::string(command.name);
    command.run({"--help"});
  }
  OptionParser::show_help = before;
  return std::string(prologue) + "  local subcommands='" + names +
         "'\n  if ((COMP_CWORD == 1)); then\n    _smsim_words \"$current\" \"$subcommands --help "
         "--version\"\n    "
         "return\n  fi\n  case $command in\n" +
         arms + std::string(epilogue);
}

}  // namespace

int run_completion(const std::vector<std::string>& arguments)
{
  OptionParser parser(
      "completion", "completion bash",
      "Prints a script that completes smsim's subcommands, their options, and the names of\n"
      "architectures, workloads and policies. An installed smsim has it where bash-completion looks.",
      "  source <(smsim completion bash)\n"
      "  smsim completion bash > ~/.local/share/bash-completion/completions/smsim\n");
  parser.options.add_options()("shell", po::value<std::string>()->value_name("bash"), "bash");
  parser.positional("shell", 1);
  if (!parser.parse(arguments)) return 0;
  if (!parser.has("shell")) parser.fail("name the shell: bash");
  static_cast<void>(parser.word("shell", {"bash"}));
  write_output({}, bash_completion());
  return 0;
}

}  // namespace smsim::cli

// Completion for bash: a function that looks at the words of the line, needing nothing but bash.
#include <fmt/format.h>

#include "vm/cli/manual/pages.h"

namespace wse::cli {
namespace {

// bash cuts words at '=' (if COMP_WORDBREAKS has it); they are put together again here.
// $value: what follows the last '=' of the word, which is what bash replaces.
constexpr std::string_view kHelpers =
    R"(# Completion of wsevm for bash, printed by: wsevm completion bash

# Files with one of the endings given, and folders to look into.
_wsevm_files() {
  local ending
  mapfile -t COMPREPLY < <(
    compgen -d -- "$value"
    for ending in "$@"; do compgen -f -X "!*$ending" -- "$value"; done
  )
  compopt -o filenames 2>/dev/null
}

_wsevm_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$value"); }

_wsevm() {
  local words=() word
  for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ ${#words[@]} -gt 1 && ($word == = || ${words[-1]} == *=) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  COMPREPLY=()
  word=${words[-1]}
  local value=${word##*=} command=${words[1]-} option=${words[-2]-} names='' valued=''
)";

constexpr std::string_view kPlaces = R"(
  local place=0 i
  for ((i = 2; i < ${#words[@]} - 1; ++i)); do
    if [[ " $valued " == *" ${words[i]} "* ]]; then
      ((++i))
    elif [[ ${words[i]} != -?* ]]; then
      ((++place))
    fi
  done
  if [[ $word == --*=* ]]; then option=${word%%=*}=; fi
)";

constexpr const char* kNoValue = R"(    *)
      if [[ $word == -?* ]]; then
        _wsevm_words "$names"
      else
        case $command:$place in
)";

constexpr std::string_view kEnd = R"(        esac
      fi
      ;;
  esac
  if [[ $value != "$word" && $COMP_WORDBREAKS != *=* ]]; then
    COMPREPLY=("${COMPREPLY[@]/#/${word%"$value"}}")
  fi
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _wsevm wsevm
)";

// Returns the commands that offer words for the value of an option or for a place; empty if nothing
// is known of it.
std::string offer(const Argument& argument) {
  if (!argument.choices.empty()) {
    return fmt::format("_wsevm_words '{}'", fmt::join(argument.choices, " "));
  }
  if (const std::vector<std::string> words = words_after_name(argument); !words.empty()) {
    return fmt::format("[[ $word != *=* ]] || _wsevm_words '{}'", fmt::join(words, " "));
  }
  if (is_folder(argument)) return "_wsevm_files";
  if (!is_file(argument)) return "";
  const std::string files = fmt::format("_wsevm_files {}", fmt::join(endings(argument), " "));
  return is_named_file(argument) ? fmt::format("[[ $word != *=* ]] || {}", files) : files;
}

// The name under which an option is offered: with '=' where its value follows that.
std::string offered(const std::string& name, const Argument& argument) {
  const bool joined = name.starts_with("--") && argument.takes == Takes::Value &&
                      argument.value.find('=') == std::string::npos;
  return joined ? name + "=" : name;
}

std::string option_names(const Command& command) {
  std::vector<std::string> names;
  for (const Argument& argument : command.arguments) {
    if (argument.has_place()) continue;
    for (const std::string& name : argument.names) names.push_back(offered(name, argument));
    if (argument.takes == Takes::Optional) names.push_back(argument.names.back() + "=");
  }
  return fmt::format("{}", fmt::join(names, " "));
}

std::string valued_names(const Command& command) {
  std::vector<std::string> names;
  for (const Argument& argument : command.arguments) {
    if (argument.has_place() || argument.takes != Takes::Value) continue;
    names.insert(names.end(), argument.names.begin(), argument.names.end());
  }
  return fmt::format("{}", fmt::join(names, " "));
}

// "run:--in | run:--in=", as $option is written.
std::string value_patterns(const Command& command, const Argument& argument) {
  std::vector<std::string> patterns;
  for (const std::string& name : argument.names) {
    if (argument.takes == Takes::Value) patterns.push_back(command.name + ":" + name);
    if (name.starts_with("--")) patterns.push_back(command.name + ":" + name + "=");
  }
  return fmt::format("{}", fmt::join(patterns, " | "));
}

std::string value_cases(const Manual& manual) {
  std::string text;
  for (const Command& command : manual.commands) {
    for (const Argument& argument : command.arguments) {
      if (argument.has_place() || argument.takes == Takes::Nothing) continue;
      text += fmt::format("    {}) {} ;;\n", value_patterns(command, argument), offer(argument));
    }
  }
  return text;
}

std::string place_cases(const Manual& manual) {
  std::string text;
  for (const Command& command : manual.commands) {
    int place = 0;
    for (const Argument& argument : command.arguments) {
      if (!argument.has_place()) continue;
      const std::string what = offer(argument);
      if (!what.empty()) text += fmt::format("          {}:{}) {} ;;\n", command.name, place, what);
      ++place;
    }
  }
  return text;
}

}  // namespace

std::string bash_completion(const Manual& manual) {
  std::string text(kHelpers);
  std::vector<std::string> commands;
  text += "  case $command in\n";
  for (const Command& command : manual.commands) {
    commands.push_back(command.name);
    text += fmt::format("    {}) names='{}' valued='{}' ;;\n", command.name, option_names(command),
                        valued_names(command));
  }
  text += "  esac\n";
  text += kPlaces;
  text += fmt::format("  if [[ ${{#words[@]}} -le 2 ]]; then\n    _wsevm_words '{} {}'\n",
                      fmt::join(commands, " "), option_names(manual.program));
  text += "    return\n  fi\n  case $command:$option in\n" + value_cases(manual) + kNoValue;
  text += place_cases(manual);
  text += kEnd;
  return text;
}

}  // namespace wse::cli

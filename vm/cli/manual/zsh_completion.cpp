// Completion for zsh: one call of _arguments per command.
#include <fmt/format.h>

#include "vm/cli/manual/pages.h"

namespace wse::cli {
namespace {

constexpr std::string_view kBegin = R"(#compdef wsevm
# Completion of wsevm for zsh, printed by: wsevm completion zsh

_wsevm() {
  local curcontext="$curcontext" context state state_descr line
  typeset -A opt_args
)";

// Text inside single quotes; `special` are characters that _arguments would read.
std::string quoted(std::string_view text, std::string_view special) {
  std::string safe;
  for (const char c : text) {
    if (c == '\'') {
      safe += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

// Returns the action by which _arguments completes a value.
std::string action(const Argument& argument) {
  if (!argument.choices.empty()) return fmt::format("({})", fmt::join(argument.choices, " "));
  if (is_folder(argument)) return "_files -/";
  if (!is_file(argument)) return " ";  // a value of which nothing is known
  std::vector<std::string> patterns;
  for (const std::string& ending : endings(argument)) patterns.push_back("*" + ending);
  const std::string files =
      patterns.empty() ? "_files" : fmt::format("_files -g \"{}\"", fmt::join(patterns, " "));
  return is_named_file(argument) ? "{ compset -P \"*=\" && " + files + " }" : files;
}

std::string option_spec(const std::string& name, const Argument& argument) {
  const bool is_long = name.starts_with("--");
  std::string spec = argument.repeated ? "*" : "";
  spec += name;
  if (argument.takes == Takes::Value && is_long) spec += "=";
  if (argument.takes == Takes::Value && !is_long) spec += "+";
  if (argument.takes == Takes::Optional) spec += "=-";
  spec += "[" + quoted(argument.meaning, "[]\\") + "]";
  if (argument.takes == Takes::Nothing) return spec;
  spec += argument.takes == Takes::Optional ? "::" : ":";
  return spec + quoted(argument.value, ":\\") + ":" + action(argument);
}

std::string place_spec(const Argument& argument) {
  std::string spec = argument.repeated ? "*" : "";
  spec += argument.required || argument.repeated ? ":" : "::";
  return spec + quoted(argument.names.front(), ":\\") + ":" + action(argument);
}

// "_arguments -C SPEC..." with the specs of a command, one per line.
std::string arguments_call(const Command& command, std::string_view margin) {
  std::string text = "_arguments -C";
  for (const Argument& argument : command.arguments) {
    if (argument.has_place()) {
      text += fmt::format(" \\\n{}  '{}'", margin, place_spec(argument));
      continue;
    }
    for (const std::string& name : argument.names) {
      text += fmt::format(" \\\n{}  '{}'", margin, option_spec(name, argument));
    }
  }
  return text;
}

}  // namespace

std::string zsh_completion(const Manual& manual) {
  std::string text(kBegin);
  text += "  local -a commands=(\n";
  for (const Command& command : manual.commands) {
    text += fmt::format("    '{}:{}'\n", command.name, quoted(command.summary, ":\\"));
  }
  text += "  )\n  " + arguments_call(manual.program, "  ") +
          " \\\n    '1:command:->command' \\\n    '*::argument:->arguments'\n"
          "  case $state in\n    command) _describe command commands ;;\n"
          "    arguments)\n      case $line[1] in\n";
  for (const Command& command : manual.commands) {
    text += fmt::format("        {})\n          {}\n          ;;\n", command.name,
                        arguments_call(command, "          "));
  }
  text += "      esac\n      ;;\n  esac\n}\n\n";
  // As a file of $fpath the text is the body of _wsevm, in a start-up file it defines it.
  text +=
      "if [[ $funcstack[1] == _wsevm ]]; then\n  _wsevm \"$@\"\nelse\n  compdef _wsevm wsevm\nfi\n";
  return text;
}

}  // namespace wse::cli

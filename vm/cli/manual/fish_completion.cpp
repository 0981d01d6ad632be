// Completion for fish: one `complete` per command, option and place.
#include <fmt/format.h>

#include "vm/cli/manual/pages.h"

namespace wse::cli {
namespace {

std::string quoted(std::string_view text) {
  std::string safe = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe + "'";
}

// One or several -a, which say what to offer as a value; empty: nothing is known of it.
std::string offer(const Argument& argument) {
  if (!argument.choices.empty()) {
    return " -a " + quoted(fmt::format("{}", fmt::join(argument.choices, " ")));
  }
  if (is_folder(argument)) return " -a '(__fish_complete_directories)'";
  std::string text;
  if (!is_file(argument) || is_named_file(argument)) return text;
  for (const std::string& ending : endings(argument)) {
    text += (text.empty() ? "" : " ") + fmt::format("(__fish_complete_suffix {})", ending);
  }
  return text.empty() ? " -F" : " -k -a " + quoted(text);
}

std::string option_words(const Argument& argument) {
  std::string text;
  for (const std::string& name : argument.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (argument.takes == Takes::Value) {
    text += is_named_file(argument) ? " -r -F" : " -x";
  }
  return text;
}

std::string complete(const std::string& condition, const Argument& argument) {
  const std::string begin = "complete -c wsevm -n " + quoted(condition);
  if (argument.has_place()) {
    const std::string what = offer(argument);
    return what.empty() ? "" : begin + what + "\n";
  }
  const std::string value = argument.takes == Takes::Value ? offer(argument) : "";
  return begin + option_words(argument) + value + " -d " + quoted(argument.meaning) + "\n";
}

}  // namespace

std::string fish_completion(const Manual& manual) {
  const std::string none = "__fish_use_subcommand";
  std::string text =
      "# Completion of wsevm for fish, printed by: wsevm completion fish\ncomplete -c wsevm -f\n";
  for (const Command& command : manual.commands) {
    text += fmt::format("complete -c wsevm -n {} -a {} -d {}\n", none, command.name,
                        quoted(command.summary));
  }
  for (const Argument& argument : manual.program.arguments) text += complete(none, argument);
  for (const Command& command : manual.commands) {
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    for (const Argument& argument : command.arguments) text += complete(condition, argument);
  }
  return text;
}

}  // namespace wse::cli

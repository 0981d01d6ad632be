// Words about options that all pages share.
#include "vm/cli/manual/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "vm/front/data_folder.h"

namespace wse::cli {
namespace {

constexpr std::array kExitCodes = {ExitCode::Fine,        ExitCode::EndedBadly,
                                   ExitCode::BadInput,    ExitCode::Exhausted,
                                   ExitCode::Interrupted, ExitCode::ReaderGone};

std::string_view meaning(ExitCode code) {
  switch (code) {
    case ExitCode::Fine: return "fine";
    case ExitCode::EndedBadly:
      return "the program ended badly: trap, deadlock, cycle limit, a failed .expect, leftovers "
             "with --strict";
    case ExitCode::BadInput: return "input or usage is wrong, or a place cannot be written";
    case ExitCode::Exhausted: return "out of memory or disk";
    case ExitCode::Interrupted: return "interrupted";
    case ExitCode::ReaderGone: return "the reader of stdout is gone";
  }
  return "";
}

}  // namespace

bool is_folder(const Argument& argument) { return argument.value == "DIR"; }

bool is_file(const Argument& argument) { return argument.value.find("FILE") != std::string::npos; }

bool is_named_file(const Argument& argument) { return argument.value.starts_with("NAME=FILE"); }

std::vector<std::string> words_after_name(const Argument& argument) {
  std::vector<std::string> words;
  if (argument.value.find('|') == std::string::npos) return words;
  std::string rest = argument.value.substr(argument.value.find('=') + 1) + "|";
  for (std::size_t end = 0; !rest.empty(); rest.erase(0, end + 1)) {
    end = rest.find('|');
    words.push_back(rest.substr(0, end));
  }
  return words;
}

std::vector<std::string> endings(const Argument& argument) {
  constexpr std::string_view kFile = "FILE.";
  const std::string& value = argument.value;
  std::vector<std::string> found;
  for (std::size_t at = value.find(kFile); at != std::string::npos; at = value.find(kFile, at)) {
    at += kFile.size() - 1;
    found.push_back(value.substr(at, value.find(' ', at) - at));
  }
  return found;
}

std::string spelling(const Argument& argument) {
  if (argument.has_place()) {
    std::string text = argument.names.front() + (argument.repeated ? " ..." : "");
    return argument.required ? text : "[" + text + "]";
  }
  std::string text = fmt::format("{}", fmt::join(argument.names, ", "));
  const bool is_long = argument.names.back().starts_with("--");
  const bool joined = is_long && argument.value.find('=') == std::string::npos;
  switch (argument.takes) {
    case Takes::Nothing: return text;
    case Takes::Value: return text + (joined ? "=" : " ") + argument.value;
    case Takes::Optional: return text + "[=" + argument.value + "]";
  }
  return text;
}

std::string full_meaning(const Argument& argument) {
  std::vector<std::string> notes;
  if (!argument.choices.empty()) {
    notes.push_back(fmt::format("one of {}", fmt::join(argument.choices, ", ")));
  }
  if (!argument.initial.empty()) notes.push_back("default " + argument.initial);
  if (argument.repeated && !argument.has_place()) notes.push_back("may be repeated");
  if (notes.empty()) return argument.meaning;
  return fmt::format("{} ({})", argument.meaning, fmt::join(notes, "; "));
}

std::string synopsis(const Manual& manual, const Command& command) {
  const bool is_program = &command == &manual.program;
  std::string text = manual.program.name;
  text += is_program ? " COMMAND [ARGUMENT ...]" : " " + command.name;
  for (const Argument& argument : command.arguments) {
    if (argument.has_place()) text += " " + spelling(argument);
  }
  return is_program ? text : text + " [OPTION ...]";
}

std::vector<std::string> groups(const Command& command) {
  std::vector<std::string> found;
  for (const Argument& argument : command.arguments) {
    if (argument.has_place() || std::ranges::find(found, argument.group) != found.end()) continue;
    found.push_back(argument.group);
  }
  return found;
}

std::vector<Entry> exit_statuses() {
  std::vector<Entry> entries;
  for (const ExitCode code : kExitCodes) {
    entries.push_back({std::to_string(static_cast<int>(code)), std::string(meaning(code))});
  }
  return entries;
}

std::vector<Entry> environment() {
  return {{front::kDataVariable,
           "folder in which inputs are looked for that the current folder has not, instead of the "
           "one that came with wsevm"},
          {"NO_COLOR", "if set and not empty, --show uses no colour"}};
}

}  // namespace wse::cli

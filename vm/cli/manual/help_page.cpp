// The help of a command: names in one column, meanings in another, wrapped.
#include <fmt/format.h>

#include <algorithm>

#include "vm/cli/manual/pages.h"

namespace wse::cli {
namespace {

constexpr std::size_t kMargin = 2;
constexpr std::size_t kMeaningColumn = 28;
constexpr std::size_t kLineColumns = 80;

// Appends the words of `meaning` from kMeaningColumn on; the line has `column` columns already.
void append_wrapped(std::string& page, std::size_t column, std::string_view meaning) {
  const std::string fresh_line = "\n" + std::string(kMeaningColumn, ' ');
  if (column + 2 > kMeaningColumn) {
    page += fresh_line;
  } else {
    page.append(kMeaningColumn - column, ' ');
  }
  column = kMeaningColumn;
  while (!meaning.empty()) {
    const std::string_view word = meaning.substr(0, meaning.find(' '));
    meaning.remove_prefix(std::min(word.size() + 1, meaning.size()));
    if (column > kMeaningColumn && column + 1 + word.size() > kLineColumns) {
      page += fresh_line;
      column = kMeaningColumn;
    }
    if (column > kMeaningColumn) page += ' ';
    column += word.size() + (column > kMeaningColumn ? 1 : 0);
    page += word;
  }
  page += '\n';
}

void append_entry(std::string& page, std::string_view name, std::string_view meaning) {
  page.append(kMargin, ' ').append(name);
  append_wrapped(page, kMargin + name.size(), meaning);
}

void append_places(std::string& page, const Command& command) {
  bool first = true;
  for (const Argument& argument : command.arguments) {
    if (!argument.has_place()) continue;
    if (first) page += "\nArguments:\n";
    first = false;
    append_entry(page, argument.names.front(), full_meaning(argument));
  }
}

void append_options(std::string& page, const Command& command) {
  for (const std::string& group : groups(command)) {
    page += fmt::format("\n{}:\n", group);
    for (const Argument& argument : command.arguments) {
      if (argument.has_place() || argument.group != group) continue;
      append_entry(page, spelling(argument), full_meaning(argument));
    }
  }
}

void append_program(std::string& page, const Manual& manual) {
  page += "\nExit status:\n";
  for (const Entry& entry : exit_statuses()) append_entry(page, entry.name, entry.meaning);
  page += "\nEnvironment:\n";
  for (const Entry& entry : environment()) append_entry(page, entry.name, entry.meaning);
  page += fmt::format("\nMore of each command: {} help COMMAND\n", manual.program.name);
}

}  // namespace

std::string help_page(const Manual& manual, const Command& command) {
  const bool is_program = &command == &manual.program;
  std::string page =
      fmt::format("{}{}: {}\n\nUsage: {}\n", manual.program.name,
                  is_program ? "" : " " + command.name, command.summary, synopsis(manual, command));
  if (is_program) {
    page += "\nCommands:\n";
    for (const Command& each : manual.commands) append_entry(page, each.name, each.summary);
  }
  append_places(page, command);
  append_options(page, command);
  page += "\nExamples:\n";
  for (const std::string& example : command.examples) page += fmt::format("  {}\n", example);
  if (is_program) append_program(page, manual);
  return page;
}

}  // namespace wse::cli

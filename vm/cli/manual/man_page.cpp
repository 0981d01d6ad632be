// The manual page, in the man macros of troff.
//
// A line that begins with a dot or a quote would be a request, a backslash an escape, a bare hyphen
// a hyphen that nobody can search or copy: escaped() keeps text from being any of these.
#include <fmt/format.h>

#include "isa/instruction/traps.h"
#include "vm/cli/manual/pages.h"
#include "vm/front/data_folder.h"

namespace wse::cli {
namespace {

constexpr std::string_view kDescription =
    "wsevm assembles and runs programs for grids of small processing elements (PEs) with memory of "
    "their own, joined by routers that pass 32-bit wavelets along coloured routes. A run prints "
    "the program's result, its exact number of cycles and, when something goes wrong, which PE "
    "waits for what, at which line.";

constexpr std::string_view kInputs =
    "A relative FILE to be read that the current folder has not is looked for in the data folder "
    "too, unless it begins with ./ or ../; outputs never are. Results go to stdout, everything "
    "else to stderr. Files are written whole or not at all.";

std::string escaped(std::string_view text) {
  std::string safe = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    switch (c) {
      case '\\': safe += "\\e"; break;
      case '-': safe += "\\-"; break;
      case '\'': safe += "\\(aq"; break;
      case '"': safe += "\\(dq"; break;
      case '`': safe += "\\(ga"; break;
      case '^': safe += "\\(ha"; break;
      case '~': safe += "\\(ti"; break;
      default: safe += c;
    }
  }
  return safe;
}

void append_item(std::string& page, std::string_view name, std::string_view meaning) {
  page += fmt::format(".TP\n.B {}\n{}\n", escaped(name), escaped(meaning));
}

void append_entries(std::string& page, std::string_view title, const std::vector<Entry>& entries) {
  page += fmt::format(".SH {}\n", title);
  for (const Entry& entry : entries) append_item(page, entry.name, entry.meaning);
}

void append_command(std::string& page, const Manual& manual, const Command& command) {
  page +=
      fmt::format(".SS {}\n{}.\n", escaped(synopsis(manual, command)), escaped(command.summary));
  for (const Argument& argument : command.arguments) {
    append_item(page, spelling(argument), full_meaning(argument));
  }
}

void append_examples(std::string& page, const Manual& manual) {
  page += ".SH EXAMPLES\n.nf\n";
  for (const Command& command : manual.commands) {
    for (const std::string& example : command.examples) page += escaped(example) + "\n";
  }
  page += ".fi\n";
}

// Why a run can end with `trap`, and what usually helps.
std::vector<Entry> traps() {
  std::vector<Entry> entries;
  for (const isa::TrapInfo& trap : isa::kTraps) {
    entries.push_back(
        {std::string(trap.text), fmt::format("{}. Remedy: {}.", trap.meaning, trap.remedy)});
  }
  return entries;
}

std::vector<Entry> files() {
  return {{"PREFIX/share/wsevm/programs/",
           "programs worth reading, each with a README; PREFIX is where bin/wsevm is. In a "
           "checkout: programs/."},
          {"PREFIX/share/doc/wsevm/",
           "the language (TUTORIAL.md, LANGUAGE.md), the instructions (ISA.md) and what they take "
           "(TIMING.md)"}};
}

}  // namespace

std::string man_page(const Manual& manual) {
  const Command& program = manual.program;
  std::string page = fmt::format(
      ".TH WSEVM 1 \"\" \"{0} {1}\" \"User Commands\"\n.SH NAME\n{0} \\- {2}\n"
      ".SH SYNOPSIS\n.B {3}\n.SH DESCRIPTION\n{4}\n.PP\n{5}\n",
      program.name, manual.version, escaped(program.summary), escaped(synopsis(manual, program)),
      escaped(kDescription), escaped(kInputs));
  page += ".SH OPTIONS\n";
  for (const Argument& argument : program.arguments) {
    append_item(page, spelling(argument), full_meaning(argument));
  }
  page += ".SH COMMANDS\n";
  for (const Command& command : manual.commands) append_command(page, manual, command);
  append_entries(page, "EXIT STATUS", exit_statuses());
  append_entries(page, "TRAPS", traps());
  append_entries(page, "ENVIRONMENT", environment());
  append_entries(page, "FILES", files());
  append_examples(page, manual);
  page += ".SH SEE ALSO\n.BR dot (1)\n";
  return page;
}

}  // namespace wse::cli

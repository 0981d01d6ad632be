// What is written about the command line: how options are spelled, and that no text can break a
// page. The real command line is judged in command_line_test.cpp.
#include "vm/cli/manual/manual.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "isa/instruction/traps.h"
#include "tests/support/files.h"
#include "vm/cli/manual/pages.h"

namespace wse::cli {
namespace {

Argument valued(std::vector<std::string> names, std::string value) {
  Argument argument;
  argument.names = std::move(names);
  argument.takes = Takes::Value;
  argument.value = std::move(value);
  argument.meaning = "meaning";
  argument.group = "Options";
  return argument;
}

Argument flag(std::string name) {
  Argument argument = valued({std::move(name)}, "");
  argument.takes = Takes::Nothing;
  return argument;
}

Argument place(std::string name, bool required, bool repeated) {
  Argument argument = valued({std::move(name)}, "FILE.x");
  argument.required = required;
  argument.repeated = repeated;
  return argument;
}

// A manual of one command with one argument.
Manual manual_with(Argument argument) {
  Command program{"prog", "does it", {flag("--version")}, {"prog go"}};
  return {std::move(program), "1.2.3", {{"go", "goes", {std::move(argument)}, {"prog go"}}}};
}

bool has_line(const std::string& page, std::string_view line) {
  const std::vector<std::string> lines = test_support::split_lines(page);
  return std::ranges::find(lines, line) != lines.end();
}

TEST(Manual, SpellsOptionsAsTheyAreTyped) {
  EXPECT_EQ(spelling(flag("--strict")), "--strict");
  EXPECT_EQ(spelling(valued({"--threads"}, "N")), "--threads=N");
  EXPECT_EQ(spelling(valued({"-I"}, "DIR")), "-I DIR");
  EXPECT_EQ(spelling(valued({"-o", "--output"}, "FILE.wsb")), "-o, --output=FILE.wsb");
  EXPECT_EQ(spelling(valued({"--in"}, "NAME=FILE.npy")), "--in NAME=FILE.npy");
  Argument json = valued({"--json"}, "FILE.json");
  json.takes = Takes::Optional;
  EXPECT_EQ(spelling(json), "--json[=FILE.json]");
}

TEST(Manual, SpellsPlaces) {
  EXPECT_EQ(spelling(place("FILE", true, false)), "FILE");
  EXPECT_EQ(spelling(place("PROFILE", false, false)), "[PROFILE]");
  EXPECT_EQ(spelling(place("key=value", false, true)), "[key=value ...]");
}

TEST(Manual, AMeaningTellsChoicesDefaultAndRepetition) {
  Argument argument = valued({"--machine"}, "PROFILE");
  argument.choices = {"a", "b"};
  argument.initial = "a";
  argument.repeated = true;
  EXPECT_EQ(full_meaning(argument), "meaning (one of a, b; default a; may be repeated)");
}

TEST(Manual, AValueIsKnownByItsName) {
  EXPECT_TRUE(is_folder(valued({"-I"}, "DIR")));
  EXPECT_FALSE(is_file(valued({"-I"}, "DIR")));
  EXPECT_TRUE(is_file(valued({"--dot"}, "FILE")));
  EXPECT_TRUE(is_named_file(valued({"--in"}, "NAME=FILE.npy")));
  EXPECT_FALSE(is_file(valued({"--threads"}, "N")));
  EXPECT_EQ(endings(valued({"--in"}, "NAME=FILE.npy")), (std::vector<std::string>{".npy"}));
  EXPECT_EQ(endings(valued({"f"}, "FILE.wsa FILE.wsb")),
            (std::vector<std::string>{".wsa", ".wsb"}));
  EXPECT_TRUE(endings(valued({"--dot"}, "FILE")).empty());
}

TEST(Manual, HelpFitsItsLines) {
  Argument argument = valued({"--an-option-with-a-long-name"}, "AND-ITS-VALUE");
  argument.meaning = "";
  for (int word = 0; word < 60; ++word) argument.meaning += "xyz ";
  const Manual manual = manual_with(argument);
  const std::string page = help_page(manual, manual.commands.front());
  for (const std::string& line : test_support::split_lines(page)) EXPECT_LE(line.size(), 80u);
  EXPECT_TRUE(has_line(page, "  --an-option-with-a-long-name=AND-ITS-VALUE"));
  EXPECT_EQ(std::ranges::count(page, 'z'), 60);
  EXPECT_TRUE(has_line(page, "Usage: prog go [OPTION ...]"));
}

TEST(Manual, NoTextIsARequestOfTroff) {
  Argument argument = valued({"--x"}, "N");
  argument.meaning = ".so a\\b \"c\" 'd' -1 ~ ^ `";
  const std::string page = man_page(manual_with(argument));
  EXPECT_TRUE(has_line(page, "\\&.so a\\eb \\(dqc\\(dq \\(aqd\\(aq \\-1 \\(ti \\(ha \\(ga"));
  EXPECT_TRUE(has_line(page, ".B \\-\\-x=N"));
  argument.meaning = "'quoted'";
  EXPECT_TRUE(has_line(man_page(manual_with(argument)), "\\&\\(aqquoted\\(aq"));
}

TEST(Manual, ThePageHasEverySection) {
  const std::string page = man_page(manual_with(flag("--x")));
  EXPECT_TRUE(page.starts_with(".TH WSEVM 1 \"\" \"prog 1.2.3\" \"User Commands\"\n"));
  for (const std::string section :
       {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS", "TRAPS",
        "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"}) {
    EXPECT_TRUE(has_line(page, ".SH " + section)) << section;
  }
  for (const std::string code : {"0", "1", "2", "3", "130"}) {
    EXPECT_TRUE(has_line(page, ".B " + code)) << code;
  }
}

TEST(Manual, ThePageTellsWhatHelpsAgainstEveryTrap) {
  const std::string page = man_page(manual_with(flag("--x")));
  for (const isa::TrapInfo& trap : isa::kTraps) {
    EXPECT_TRUE(has_line(page, fmt::format(".B {}", trap.text))) << trap.text;
    EXPECT_FALSE(trap.remedy.empty() || trap.remedy.ends_with('.')) << trap.text;
    EXPECT_FALSE(trap.meaning.empty() || trap.meaning.ends_with('.')) << trap.text;
  }
  EXPECT_TRUE(has_line(page,
                       "a wavelet was about to leave the grid. Remedy: end the route at the "
                       "edge with \\(ga\\-> ramp\\(ga, or let a \\(ga.stream\\(ga take what "
                       "leaves there."));
}

TEST(Manual, NoTextEndsAQuotationOfAShell) {
  Argument argument = flag("--x");
  argument.meaning = "it's [so]: a\\b";
  const Manual manual = manual_with(argument);
  EXPECT_NE(zsh_completion(manual).find("'--x[it'\\''s \\[so\\]: a\\\\b]'"), std::string::npos);
  EXPECT_TRUE(has_line(
      fish_completion(manual),
      "complete -c wsevm -n '__fish_seen_subcommand_from go' -l x -d 'it\\'s [so]: a\\\\b'"));
}

}  // namespace
}  // namespace wse::cli

// The command line as described: complete, and true to what it parses.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <set>
#include <sstream>

#include "isa/machine/profile.h"
#include "vm/cli/command_line/describe.h"
#include "vm/cli/command_line/numbers.h"
#include "vm/cli/command_line/options.h"
#include "vm/cli/command_line/value_shapes.h"
#include "vm/cli/manual/pages.h"

namespace wse::cli {
namespace {

// The app of the executable, with what it has parsed.
struct CommandLine {
  CommandLine() { add_commands(app, values); }

  // Whether CLI11 and the shapes of values accept these words.
  bool accepts(std::vector<std::string> words) {
    std::ranges::reverse(words);
    try {
      app.parse(words);
    } catch (const CLI::ParseError&) {
      return false;
    }
    return finish(values).has_value();
  }

  CLI::App app{"summary", "wsevm"};
  Values values;
};

Manual manual() {
  CommandLine line;
  return describe(line.app, "1.2.3");
}

const Argument& argument_of(const Manual& manual, std::string_view command, std::string_view name) {
  for (const Command& each : manual.commands) {
    if (each.name != command) continue;
    for (const Argument& argument : each.arguments) {
      if (argument.names.back() == name) return argument;
    }
  }
  ADD_FAILURE() << command << " has no " << name;
  return manual.program.arguments.front();
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// A command alone has the options that it has among all; who tells of the others knows them.
TEST(CommandLine, ACommandThatIsWantedIsTheSameAlone) {
  const Manual all = manual();
  for (const Command& command : all.commands) {
    CLI::App app{"summary", "wsevm"};
    Values values;
    add_commands(app, values, command.name);
    const Manual wanted = describe(app, "1.2.3");
    const bool tells_of_others =
        command.name == "man" || command.name == "completion" || command.name == "help";
    EXPECT_EQ(wanted.commands.size(), tells_of_others ? all.commands.size() : 1u) << command.name;
    if (tells_of_others) continue;
    EXPECT_EQ(help_page(wanted, wanted.commands.front()), help_page(all, command));
  }
}

TEST(CommandLine, ChoicesOfWarningsNameAWarning) {
  CommandLine line;
  EXPECT_TRUE(line.accepts({"run", "a.wsa", "-W", "E229=off", "-W", "E231=error"}));
  ASSERT_EQ(line.values.run.source.warnings.size(), 2u);
  EXPECT_EQ(line.values.run.source.warnings[1].code, "E231");
  EXPECT_TRUE(line.values.run.source.warnings[1].is_error);
  for (const std::string command : {"run", "check", "asm"}) {
    EXPECT_TRUE(CommandLine().accepts({command, "a.wsa", "-W", "E229=off"})) << command;
    for (const std::string wrong : {"E229", "E229=", "E229=on", "E29=off", "E012=off", "=off"}) {
      EXPECT_FALSE(CommandLine().accepts({command, "a.wsa", "-W", wrong})) << wrong;
    }
  }
  EXPECT_TRUE(CommandLine().accepts({"gen", "a.lua", "-o", "b.wsa", "-W", "E229=error"}));
}

TEST(CommandLine, SaysSomethingOfEverything) {
  for (const Command& command : manual().commands) {
    EXPECT_FALSE(command.summary.empty()) << command.name;
    EXPECT_FALSE(command.examples.empty()) << command.name;
    for (const Argument& argument : command.arguments) {
      const std::string where = command.name + " " + argument.names.front();
      EXPECT_FALSE(argument.meaning.empty()) << where;
      if (argument.has_place()) continue;
      EXPECT_FALSE(argument.group.empty()) << where;
      EXPECT_EQ(argument.value.empty(), argument.takes == Takes::Nothing) << where;
    }
  }
}

TEST(CommandLine, AcceptsItsOwnExamples) {
  int tried = 0;
  for (const Command& command : manual().commands) {
    for (const std::string& example : command.examples) {
      std::vector<std::string> words = words_of(example.substr(0, example.find(" | ")));
      if (words.front() != "wsevm") continue;  // a line of shell around it
      words.erase(words.begin());
      EXPECT_TRUE(CommandLine().accepts(words)) << example;
      ++tried;
    }
  }
  EXPECT_GE(tried, 10);
}

TEST(CommandLine, IsDescribedAsCli11ParsesIt) {
  const Manual all = manual();
  const Argument& machine = argument_of(all, "run", "--machine");
  EXPECT_EQ(machine.takes, Takes::Value);
  EXPECT_EQ(machine.value, "PROFILE");
  EXPECT_EQ(machine.choices, isa::profile_names());
  EXPECT_EQ(machine.initial, "wse2");
  EXPECT_EQ(argument_of(all, "run", "--json").takes, Takes::Optional);
  EXPECT_EQ(argument_of(all, "run", "--strict").takes, Takes::Nothing);
  EXPECT_EQ(argument_of(all, "asm", "--output").names,
            (std::vector<std::string>{"-o", "--output"}));
  EXPECT_TRUE(argument_of(all, "run", "--in").repeated);
  EXPECT_TRUE(argument_of(all, "run", "FILE").required);
  EXPECT_TRUE(argument_of(all, "run", "key=value").repeated);
  EXPECT_FALSE(argument_of(all, "machine", "PROFILE").required);
  EXPECT_EQ(argument_of(all, "help", "COMMAND").choices.size(), all.commands.size());
}

TEST(CommandLine, RefusesWhatExcludesEachOther) {
  EXPECT_TRUE(CommandLine().accepts({"isa", "--json"}));
  EXPECT_FALSE(CommandLine().accepts({"isa", "--json", "--markdown"}));
  EXPECT_FALSE(CommandLine().accepts({"isa", "--timing", "--markdown"}));
  EXPECT_TRUE(CommandLine().accepts({"isa", "--traps"}));
  EXPECT_FALSE(CommandLine().accepts({"isa", "--traps", "--timing"}));
}

TEST(CommandLine, KeyValuesGoToTheCommandThatAsks) {
  CommandLine line;
  ASSERT_TRUE(line.accepts({"check", "a.wsa", "P=3", "text=a=b"}));
  const std::vector<std::pair<std::string, std::string>> expected{{"P", "3"}, {"text", "a=b"}};
  EXPECT_EQ(line.values.check.source.values, expected);
}

// ---- numbers: every option of every command, by its description

// Names of values that are no numbers. An option with another one must be in the table of numbers:
// it is a new one, and its number would not be checked.
bool is_text(const Argument& argument) {
  // A mark may have any name, so its readers judge what else it may be.
  const std::set<std::string> texts = {
      "NAME", "DIR", "PROFILE", "ENGINE", "TEXT", "CODE=off|error", "MARK|X,Y[@CYCLE]"};
  return texts.contains(argument.value) || is_file(argument) || !argument.choices.empty();
}

// Whether the row is of this option: `check` and `run` have a --path each.
bool is_row_of(const NumberOption& row, const Argument& argument) {
  return row.option == argument.names.back() && argument.value.contains(row.part);
}

TEST(Numbers, EveryOptionIsATextOrHasItsRange) {
  std::set<std::string_view> unused;
  for (const NumberOption& row : number_options()) unused.insert(row.option);
  for (const Command& command : manual().commands) {
    for (const Argument& argument : command.arguments) {
      if (argument.has_place() || argument.takes == Takes::Nothing) continue;
      const auto is_row = [&](const NumberOption& row) { return is_row_of(row, argument); };
      const bool has_range = std::ranges::any_of(number_options(), is_row);
      EXPECT_NE(has_range, is_text(argument))
          << command.name << " " << argument.names.back() << "=" << argument.value
          << ": a number needs a row in command_line/numbers.cpp, a text its name in is_text";
      unused.erase(argument.names.back());
    }
  }
  EXPECT_TRUE(unused.empty()) << *unused.begin();
}

// The value with this number in the place of the row's part, and the least one in all others, also
// those in brackets, which may be left out.
std::string value_with(const NumberOption& row, const std::string& shape,
                       const std::string& number) {
  std::string value = shape;
  std::erase_if(value, [](char c) { return c == '[' || c == ']'; });
  for (const NumberOption& other : number_options()) {
    if (other.option != row.option) continue;
    value.replace(value.find(other.part), other.part.size(),
                  other.part == row.part ? number : std::to_string(other.least));
  }
  return value;
}

// What is wrong with the words; empty if nothing is.
std::string refusal(std::vector<std::string> words) {
  CommandLine line;
  std::ranges::reverse(words);
  try {
    line.app.parse(words);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  const isa::Status status = finish(line.values);
  return status ? "" : status.error();
}

// Calls try_row(row, words up to the value, shape of the value) for every number of every command.
template <class TryRow>
void for_each_number(TryRow try_row) {
  for (const Command& command : manual().commands) {
    for (const Argument& argument : command.arguments) {
      for (const NumberOption& row : number_options()) {
        if (!is_row_of(row, argument)) continue;
        std::vector<std::string> words = {command.name, "a.lua"};
        if (command.name == "lsp") words.pop_back();  // it takes no file
        const bool writes =
            command.name == "gen" || command.name == "report" || command.name == "merge";
        if (writes) words.insert(words.end(), {"-o", "b"});
        if (command.name == "why" && row.option != "--at") words.emplace_back("--at=5");
        if (command.name == "events" && row.option != "--cycles")
          words.emplace_back("--cycles=0..1");
        try_row(row, words, argument.value);
      }
    }
  }
}

TEST(Numbers, WhatIsNoneIsRefusedWithLeastAndMost) {
  int tried = 0;
  for_each_number([&](const NumberOption& row, std::vector<std::string> words,
                      const std::string& shape) {
    words.emplace_back();
    std::vector<std::string> wrong = {
        "-1", "18446744073709551616", "1e3", " 5", "5 ", "0x5", "+5", "five", "1.5", "\xd9\xa5"};
    if (row.least > 0) wrong.push_back(std::to_string(row.least - 1));
    if (row.most < UINT64_MAX) wrong.push_back(std::to_string(row.most + 1));
    for (const std::string& number : wrong) {
      words.back() = std::string(row.option) + "=" + value_with(row, shape, number);
      const std::string why = refusal(words);
      EXPECT_TRUE(why.starts_with(std::string(row.option) + ": ")) << words.back() << "\n" << why;
      EXPECT_TRUE(why.contains("'" + number + "'")) << why;
      EXPECT_TRUE(why.contains(std::to_string(row.least) + " to " + std::to_string(row.most)))
          << why;
      ++tried;
    }
    words.back() = std::string(row.option) + "=" + value_with(row, shape, "");
    EXPECT_NE(refusal(words), "") << words.back();
  });
  EXPECT_GE(tried, 200);
}

TEST(Numbers, LeastAndMostAreAccepted) {
  for_each_number([](const NumberOption& row, std::vector<std::string> words,
                     const std::string& shape) {
    const bool is_first = row.part.ends_with('0') || row.part == "FIRST";  // of a range
    words.emplace_back();
    for (const std::uint64_t number : {row.least, row.most}) {
      if (is_first && number == row.most) continue;
      words.back() = std::string(row.option) + "=" + value_with(row, shape, std::to_string(number));
      EXPECT_EQ(refusal(words), "") << words.back();
    }
  });
}

TEST(Numbers, RangesThatRunBackwardsAreRefused) {
  for (const char* const option :
       {"--trace-cycles=5..1", "--trace-rect=1,0,0,0", "--trace-rect=0,1,0,0"}) {
    EXPECT_TRUE(refusal({"run", "a.wsa", option}).contains("is empty")) << option;
  }
  EXPECT_EQ(refusal({"run", "a.wsa", "--trace-cycles=5..5", "--trace-rect=1,1,1,1"}), "");
}

TEST(ValueShapes, OfADump) {
  const isa::Result<Dump> dump = parse_dump("2,10:total");
  ASSERT_TRUE(dump);
  EXPECT_EQ(dump->x, 2u);
  EXPECT_EQ(dump->y, 10u);
  EXPECT_EQ(dump->symbol, "total");
  for (const char* const text : {"", "total", "2:total", "2,:total", "2,3:", ",3:x", "2,3,4:x",
                                 "-1,0:x", "1,4294967296:x", "1, 2:x"}) {
    EXPECT_FALSE(parse_dump(text)) << text;
  }
}

TEST(ValueShapes, OfATrace) {
  vm::TraceFilter filter;
  ASSERT_TRUE(parse_rect("--rect", "1,2,3,4", filter));
  EXPECT_EQ(filter.x0, 1u);
  EXPECT_EQ(filter.y0, 2u);
  EXPECT_EQ(filter.x1, 3u);
  EXPECT_EQ(filter.y1, 4u);
  ASSERT_TRUE(parse_cycles("--cycles", "100..200", filter));
  EXPECT_EQ(filter.first, 100u);
  EXPECT_EQ(filter.last, 200u);
  for (const char* const text : {"", "1,2,3", "1,2,3,4,5", "1,2,3,", "1,2,3,x", ",1,2,3"}) {
    EXPECT_FALSE(parse_rect("--rect", text, filter)) << text;
  }
  for (const char* const text : {"", "100", "..", "1..", "..1", "1..2..3", "1.2", "a..b"}) {
    EXPECT_FALSE(parse_cycles("--cycles", text, filter)) << text;
  }
}

TEST(ValueShapes, OfPairs) {
  EXPECT_TRUE(parse_pairs({"a=b", "c=d=e"}, "NAME=FILE"));
  for (const char* const text : {"a", "a=", "=b", "="}) {
    const auto pairs = parse_pairs({text}, "NAME=FILE");
    ASSERT_FALSE(pairs) << text;
    EXPECT_EQ(pairs.error(), "'" + std::string(text) + "' has not the form NAME=FILE");
  }
}

}  // namespace
}  // namespace wse::cli

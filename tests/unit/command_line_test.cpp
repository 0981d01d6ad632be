// The command line as described: complete, and true to what it parses.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "isa/profile.h"
#include "vm/cli/command_line/describe.h"
#include "vm/cli/command_line/options.h"
#include "vm/cli/command_line/value_shapes.h"

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
}

TEST(CommandLine, KeyValuesGoToTheCommandThatAsks) {
  CommandLine line;
  ASSERT_TRUE(line.accepts({"check", "a.wsa", "P=3", "text=a=b"}));
  const std::vector<std::pair<std::string, std::string>> expected{{"P", "3"}, {"text", "a=b"}};
  EXPECT_EQ(line.values.check.values, expected);
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
  ASSERT_TRUE(parse_rect("1,2,3,4", filter));
  EXPECT_EQ(filter.x0, 1u);
  EXPECT_EQ(filter.y0, 2u);
  EXPECT_EQ(filter.x1, 3u);
  EXPECT_EQ(filter.y1, 4u);
  ASSERT_TRUE(parse_cycles("100..200", filter));
  EXPECT_EQ(filter.first, 100u);
  EXPECT_EQ(filter.last, 200u);
  for (const char* const text : {"", "1,2,3", "1,2,3,4,5", "1,2,3,", "1,2,3,x", ",1,2,3"}) {
    EXPECT_FALSE(parse_rect(text, filter)) << text;
  }
  for (const char* const text : {"", "100", "..", "1..", "..1", "1..2..3", "1.2", "a..b"}) {
    EXPECT_FALSE(parse_cycles(text, filter)) << text;
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

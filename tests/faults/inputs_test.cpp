// No output takes the place of a file that the command reads: every input, under every name,
// against every output; exit code 2, and the input is as it was.
#include "tests/faults/faults.h"

namespace wse::faults {
namespace {

const std::string kMain = ".include \"lib.wsa\"\n" + kProgram;

class OntoInputs : public Faults {
 protected:
  OntoInputs() {
    write("main.wsa", kMain);
    write("lib.wsa", ".const Q = 3\n");
    write("own.lua", "return {base = 'wse2', hop_latency = 2}\n");
    write("data.txt", "data\n");
    write("part.lua", "return 1\n");
    EXPECT_EQ(wsevm({"run", "main.wsa", "--out", "x=a.npy"}).code, 0);
  }

  // Links to the file, and other spellings of its name.
  std::vector<std::string> names_of(const std::string& file) {
    fs::create_directory(path("in"));
    fs::remove(path("hard"));
    fs::remove(path("soft"));
    fs::create_hard_link(path(file), path("hard"));
    fs::create_symlink(file, path("soft"));
    return {file,   "./" + file, "in/../" + file, path(file), "/proc/self/cwd/" + file,
            "hard", "soft"};
  }

  void expect_refused(const std::vector<std::string>& words, const std::string& input) {
    const std::string before = read(input);
    const auto all = names();
    const Ending ending = wsevm(words);
    const std::string command = words[0] + " ... " + words.back();
    EXPECT_EQ(ending.code, 2) << command;
    EXPECT_TRUE(ending.errors.contains("this command reads it")) << command << ending.errors;
    EXPECT_EQ(read(input), before) << command;
    EXPECT_EQ(names(), all) << command;
  }
};

TEST_F(OntoInputs, OfARun) {
  const auto run_with = [this](const std::string& output, const char* input) {
    expect_refused({"run", "main.wsa", "--in", "x=a.npy", "--machine=own.lua", output}, input);
  };
  for (const char* const input : {"main.wsa", "lib.wsa", "own.lua", "a.npy"}) {
    for (const char* const output : {"--out=y=", "--picture=y=", "--trace=", "--dot=", "--list="}) {
      run_with(std::string(output) + input, input);
    }
    for (const std::string& name : names_of(input)) run_with("--json=" + name, input);
  }
}

TEST_F(OntoInputs, OfAnAssembly) {
  for (const char* const input : {"main.wsa", "lib.wsa", "own.lua"}) {
    for (const std::string& name : names_of(input)) {
      expect_refused({"asm", "main.wsa", "--machine=own.lua", "-o", name}, input);
    }
  }
}

TEST_F(OntoInputs, FromStdin) {
  const Ending ending =
      wsevm({"run", "-", "--json=main.wsa"}, {.input = path("main.wsa").string()});
  EXPECT_EQ(ending.code, 2);
  EXPECT_EQ(read("main.wsa"), kMain);
}

// All that a script may read, and each way in which it may write.
TEST_F(OntoInputs, OfAScript) {
  const std::string reads =
      "local wse = require 'wse'\nrequire 'part'\nwse.read_text('data.txt')\n"
      "local record = wse.run{file = 'main.wsa', machine = 'own.lua', inputs = {x = 'a.npy'}}\n";
  const std::string rows = "{{P = 1, cycles = 2}, {P = 2, cycles = 3}}";
  const std::string writes[] = {
      "wse.write_text(file, 'new')",
      "wse.write_csv(file, " + rows + ")",
      "wse.write_json(file, {1})",
      "record:save('y', file)",
      "wse.plot{file = file, rows = " + rows + ", x = 'P', y = 'cycles'}",
      "wse.heat_map{file = file, width = 2, height = 2, values = function() return 1 end}",
      "require('wse.host').append_text(file, 'more')",
  };
  for (const char* const input :
       {"main.wsa", "lib.wsa", "own.lua", "a.npy", "data.txt", "part.lua", "script.lua"}) {
    for (const std::string& call : writes) {
      std::string name = input;
      if (call.contains("plot") || call.contains("heat_map")) {
        name = "hard.svg";  // their names end so
        fs::remove(path(name));
      }
      write("script.lua", "local file = '" + name + "'\n" + reads + call + "\n");
      if (name != input) fs::create_hard_link(path(input), path(name));
      expect_refused({"run", "script.lua"}, input);
    }
  }
}

TEST_F(OntoInputs, ByTheRecordOfAScript) {
  write("script.lua",
        "local wse = require 'wse'\nrequire 'part'\nwse.read_text('data.txt')\n"
        "wse.run{file = 'main.wsa', machine = 'own.lua', inputs = {x = 'a.npy'}}\n");
  for (const char* const input :
       {"main.wsa", "lib.wsa", "own.lua", "a.npy", "data.txt", "part.lua", "script.lua"}) {
    for (const std::string& name : {std::string(input), names_of(input).back()}) {
      expect_refused({"run", "script.lua", "--json=" + name}, input);
      const std::string_view later = input;  // gen stops before these are read
      if (later == "a.npy" || later == "lib.wsa") continue;
      expect_refused({"gen", "script.lua", "-o", name}, input);
    }
  }
}

TEST_F(OntoInputs, ReadByAWorkerOfASweep) {
  write("script.lua",
        "local wse = require 'wse'\n"
        "wse.sweep{over = {k = {1, 2, 3, 4}}, run = function(p)\n"
        "  wse.write_text('own' .. p.k, 'own')\n"
        "  return {size = #wse.read_text('data.txt')}\nend}\n"
        "for k = 1, 4 do\n"
        "  wse.read_text('own' .. k)\n  wse.write_text('own' .. k, 'again')\nend\n"
        "wse.write_text('data.txt', 'new')\n");
  for (const char* const threads : {"--threads=1", "--threads=2"}) {
    const Ending ending = wsevm({"run", "script.lua", threads, "--oversubscribe"});
    EXPECT_EQ(ending.code, 2);
    EXPECT_TRUE(
        ending.errors.contains("script.lua:10: cannot write 'data.txt': this command reads"))
        << ending.errors;
    EXPECT_EQ(read("data.txt"), "data\n");
    EXPECT_EQ(read("own4"), "again");
    for (const char* const name : {"own1", "own2", "own3", "own4"}) fs::remove(path(name));
  }
}

// A run that is refused has a record too.
TEST_F(OntoInputs, ByTheRecordOfARefusal) {
  expect_refused({"run", "main.wsa", "--trace=a.npy", "--in", "x=a.npy", "--json=main.wsa"},
                 "main.wsa");
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"--bogus"}, {"--threads=-1"}, {"--machine=none.lua"}}) {
    for (const char* const input : {"main.wsa", "own.lua", "a.npy"}) {
      const std::string before = read(input);
      std::vector<std::string> words = {"run", "main.wsa", "--in", "x=a.npy"};
      if (!wrong[0].starts_with("--machine")) words.emplace_back("--machine=own.lua");
      if (wrong[0].starts_with("--machine") && std::string_view(input) == "own.lua") continue;
      words.push_back("--json=" + std::string(input));
      words.push_back(wrong[0]);
      EXPECT_EQ(wsevm(words).code, 2) << wrong[0] << input;
      EXPECT_EQ(read(input), before) << wrong[0] << input;
    }
  }
}

// What a script has written itself it may read and write again; a sweep continues its CSV.
TEST_F(OntoInputs, WhatTheCommandHasWrittenIsItsOwn) {
  write("old.csv", "P,cycles\n1,5\n");
  write("script.lua",
        "local wse = require 'wse'\n"
        "wse.write_text('new.txt', 'a')\n"
        "for k = 1, 3 do wse.write_text('new.txt', wse.read_text('new.txt') .. k) end\n"
        "assert(#wse.read_csv('old.csv') == 1)\n"
        "wse.sweep{over = {P = {1, 2}}, csv = 'old.csv',\n"
        "          run = function(p) return {cycles = p.P} end}\n"
        "wse.write_csv('old.csv', wse.read_csv('old.csv'))\n");
  const Ending ending = wsevm({"run", "script.lua"});
  EXPECT_EQ(ending.code, 0) << ending.errors;
  EXPECT_EQ(read("new.txt"), "a123");
  EXPECT_EQ(read("old.csv"), "P,cycles\n1,5\n2,2\n");
}

// Only what a script has read itself is continued.
TEST_F(OntoInputs, ASweepContinuesNoFileOfTheCommand) {
  write("script.lua",
        "local wse = require 'wse'\n"
        "wse.sweep{over = {P = {1, 2}}, csv = wse.argument('csv'),\n"
        "          run = function(p) return {cycles = p.P} end}\n");
  expect_refused({"run", "script.lua", "csv=script.lua"}, "script.lua");
  expect_refused({"run", "script.lua", "csv=own.lua", "--machine=own.lua"}, "own.lua");
}

}  // namespace
}  // namespace wse::faults

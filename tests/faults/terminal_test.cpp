// Text of others on its way to a terminal: names in sources, images, files and options, messages of
// scripts, what programs print. No byte of it may steer the terminal, and it can still be read.
#include "isa/image/image.h"
#include "isa/support/visible.h"
#include "tests/faults/faults.h"

namespace wse::faults {
namespace {

// Colours, a title, a control of 8 bits in UTF-8 and as a byte, a direction, a letter.
const std::string kEvil = "\x1b[31m\x1b]0;t\x07\xc2\x9b\x9b\xe2\x80\xae\xc3\xa4";
const std::string kShown = "\\x1b[31m\\x1b]0;t\\x07\\u009b\\x9b\\u202e\xc3\xa4";

class Terminal : public Faults {
 protected:
  // What reaches people is harmless, and shows the evil text somewhere; no line of it is one that
  // the text has brought along.
  void expect_harmless(const std::string& text, const std::string& what) {
    EXPECT_EQ(isa::visible(text), text) << what;
    EXPECT_TRUE(text.contains(kShown)) << what << "\n" << text;
    EXPECT_FALSE(("\n" + text).contains("\nwsevm: forged")) << what << "\n" << text;
  }
  Ending told(const std::vector<std::string>& words) {
    const Ending ending = wsevm(words);
    expect_harmless(ending.errors, words.back());
    return ending;
  }
};

TEST_F(Terminal, NamesOnTheCommandLine) {
  write("program.wsa", kProgram);
  write("evil" + kEvil + ".lua", "return 7");
  for (const std::vector<std::string>& words : {
           std::vector<std::string>{kEvil},
           {"help", kEvil},
           {"run", kEvil},
           {"run", kEvil + ".lua"},
           {"run", "program.wsa", "--" + kEvil},
           {"run", "program.wsa", kEvil},
           {"run", "program.wsa", kEvil + "=3"},
           {"run", "program.wsa", "Q=" + kEvil},
           {"run", "program.wsa", "--threads=" + kEvil},
           {"run", "program.wsa", "--engine=" + kEvil},
           {"run", "program.wsa", "--machine=" + kEvil},
           {"run", "program.wsa", "--machine=evil" + kEvil + ".lua"},
           {"run", "program.wsa", "--in", kEvil},
           {"run", "program.wsa", "--in", "x=" + kEvil},
           {"run", "program.wsa", "--out", kEvil + "=y.npy"},
           {"run", "program.wsa", "--out", "y=" + kEvil + "/y"},
           {"run", "program.wsa", "--json=" + kEvil + "/y"},
           {"run", "program.wsa", "--show", kEvil},
           {"run", "program.wsa", "--dump", "0,0:" + kEvil},
           {"run", "program.wsa", "--trace-cycles=" + kEvil},
           {"asm", "program.wsa", "-o", kEvil + "/y"},
           {"dis", kEvil},
           {"check", kEvil},
           {"gen", kEvil, "-o", "y"},
           {"machine", kEvil},
           {"completion", kEvil},
       }) {
    EXPECT_EQ(told(words).code, 2) << words.back();
  }
}

TEST_F(Terminal, ANewlineInANameBeginsNoMessage) {
  const std::string name = kEvil + "\nwsevm: forged";
  write("program.wsa", kProgram);
  write("evil" + name + ".lua", "return 7");
  write("evil" + name + ".wsa", ".pe wrong\n");
  for (const std::vector<std::string>& words : {
           std::vector<std::string>{name},
           {"help", name},
           {"run", name},
           {"run", "evil" + name + ".wsa"},
           {"run", "program.wsa", "--" + name},
           {"run", "program.wsa", name + "=3"},
           {"run", "program.wsa", "--threads=" + name},
           {"run", "program.wsa", "--machine=evil" + name + ".lua"},
           {"run", "program.wsa", "--in", "x=" + name},
           {"run", "program.wsa", "--json=" + name + "/y"},
           {"asm", "program.wsa", "-o", name + "/y"},
           {"dis", name},
           {"gen", "evil" + name + ".lua", "-o", "y"},
       }) {
    EXPECT_EQ(told(words).code, 2) << words.back();
  }
}

TEST_F(Terminal, SourcesAndTheirLines) {
  write("wrong.wsa", ".grid 1, 1\n.line 5 \"" + kEvil + "\"\nfly " + kEvil + "\n");
  EXPECT_EQ(told({"check", "wrong.wsa"}).code, 2);
  write("missing.wsa", ".include \"" + kEvil + "\"\n");
  EXPECT_EQ(told({"check", "missing.wsa"}).code, 2);
  write("trap.wsa", ".grid 1, 1\n.program p\n  task main:\n.line 5 \"" + kEvil +
                        "\"\n    assert r1 == 1\n.place p at (0, 0)\n");
  EXPECT_EQ(told({"run", "trap.wsa"}).code, 1);
}

TEST_F(Terminal, WhatAProgramPrints) {
  write("prints.wsa",
        ".grid 1, 1\n.program p\n  task main:\n    print \"" + kEvil + "\"\n.place p at (0, 0)\n");
  EXPECT_EQ(told({"run", "prints.wsa"}).code, 0);
}

// All other names of an image are identifiers, or it is refused.
TEST_F(Terminal, NamesOfSourcesInAnImage) {
  write("trap.wsa",
        ".grid 1, 1\n.program p\n  task main:\n    assert r1 == 1\n.place p at (0, 0)\n");
  ASSERT_EQ(wsevm({"asm", "trap.wsa", "-o", "trap.wsb"}).code, 0);
  const std::string bytes = read("trap.wsb");
  auto image = isa::read_image(std::as_bytes(std::span(bytes)));
  ASSERT_TRUE(image);
  for (std::string& source : image->sources) source += kEvil;
  const auto evil = isa::write_image(*image);
  write("evil.wsb", {reinterpret_cast<const char*>(evil.data()), evil.size()});
  EXPECT_EQ(told({"run", "evil.wsb"}).code, 1);
  EXPECT_TRUE(wsevm({"dis", "evil.wsb"}).output.contains(kEvil));  // assembles to the same image
  const Ending text = wsevm({"dis", "evil.wsb"}, {.output = Stream::Terminal});
  expect_harmless(text.output, "a disassembly on a terminal");
}

TEST_F(Terminal, MessagesOfScripts) {
  write("fails.lua", "error(" + ("\"" + kEvil + "\"") + ")");
  EXPECT_EQ(told({"run", "fails.lua"}).code, 2);
  write("logs.lua", "require('wse').log(\"" + kEvil + "\")");
  EXPECT_EQ(told({"run", "logs.lua"}).code, 0);
  write("opens.lua", "require('wse').read_text(\"" + kEvil + "\")");
  EXPECT_EQ(told({"run", "opens.lua"}).code, 2);
  write("requires.lua", "require(\"" + kEvil + "\")");
  EXPECT_EQ(told({"run", "requires.lua"}).code, 2);
  write("calls.lua",
        "_G[\"f" + kEvil + "\"] = function() local x = nil + 1 end\n_G[\"f" + kEvil + "\"]()");
  EXPECT_EQ(wsevm({"run", "calls.lua"}).code, 2);
  write("asks.lua", "");
  EXPECT_EQ(told({"run", "asks.lua", kEvil + "=1"}).code, 2);
  write("machine.lua", "return {[\"" + kEvil + "\"] = 1}");
  EXPECT_EQ(told({"machine", "machine.lua"}).code, 2);
  write("prints.lua", "print(\"" + kEvil + "\")");
  EXPECT_EQ(told({"run", "prints.lua", "--json"}).code, 0);  // stdout is the record's
}

// What a script prints belongs to who reads it: a program gets it as it is, a terminal does not.
TEST_F(Terminal, WhatAScriptPrints) {
  write("prints.lua", "print(\"" + kEvil + "\")\nio.write(\"two\\n\tlines\\n\")");
  EXPECT_EQ(wsevm({"run", "prints.lua"}).output, kEvil + "\ntwo\n\tlines\n");
  const Ending shown = wsevm({"run", "prints.lua"}, {.output = Stream::Terminal});
  EXPECT_EQ(shown.output, kShown + "\ntwo\n\tlines\n");
}

TEST_F(Terminal, OutputsToItAreVisibleToo) {
  write("script.lua", "require('wse').run{text = '; " + kEvil + "\\n.grid 1, 1\\n'}");
  EXPECT_TRUE(wsevm({"gen", "script.lua", "-o", "-"}).output.contains(kEvil));
  const Ending shown = wsevm({"gen", "script.lua", "-o", "-"}, {.output = Stream::Terminal});
  expect_harmless(shown.output, "a program that was generated");
  write("program.wsa", kProgram);
  const Ending image = wsevm({"asm", "program.wsa", "-o", "-"}, {.output = Stream::Terminal});
  EXPECT_EQ(isa::visible(image.output), image.output);
}

TEST_F(Terminal, OurColoursStay) {
  write("program.wsa",
        ".grid 1, 1\n.program p\n  .i32 y[4] exported = i\n  task main:\n"
        ".place p at (0, 0)\n");
  const Ending shown = wsevm({"run", "program.wsa", "--show", "y"}, {.output = Stream::Terminal});
  EXPECT_TRUE(shown.output.contains("\x1b[48;2;")) << shown.output;
  const Ending piped = wsevm({"run", "program.wsa", "--show", "y"});
  EXPECT_EQ(isa::visible(piped.output), piped.output);
}

}  // namespace
}  // namespace wse::faults

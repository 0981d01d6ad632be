// Every rule of the lint is broken once in a small tree and must be reported at its place.
// Must never depend on the real checkout: the test lint.tree looks at that.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/lint/lint.h"
#include "tests/support/files.h"

namespace wse::lint {
namespace {

constexpr std::string_view kComment = "// A file.\n";
constexpr std::string_view kHeaderStart = "// A file.\n#pragma once\n";

const std::string kFloorsOfIsa =
    "Floors:\n\n    isa/image  x\n    isa/formula\n    isa/semantics\n    isa/descriptor\n"
    "    isa/machine\n    isa/instruction\n    isa/support\n";
const std::string kFloorsOfAsm =
    "Floors:\n\n    asm/warnings  x\n    asm/mesh\n    asm/code\n    asm/program\n    asm/names\n"
    "    asm/syntax\n    asm/text\n";

class LintTest : public testing::Test {
 protected:
  void write(const std::string& path, std::string_view text) {
    test_support::write_text(scratch_.path() / path, text);
  }

  void write_header(const std::string& path, std::string_view rest) {
    write(path, std::string(kHeaderStart) + std::string(rest));
  }

  void write_source(const std::string& path, std::string_view rest) {
    write(path, std::string(kComment) + std::string(rest));
  }

  // "file:line: message" of everything found.
  std::vector<std::string> found() {
    std::vector<std::string> texts;
    for (const auto& violation : lint_tree(scratch_.path())) {
      texts.push_back(fmt::format("{}:{}: {}", violation.file, violation.line, violation.message));
    }
    return texts;
  }

  void expect_only(const std::string& text) { EXPECT_EQ(found(), std::vector{text}); }

  void SetUp() override {
    for (const char* room : {"vm", "vm/cli", "jit", "tests"}) {
      write(std::string(room) + "/README.md", "A room.\n");
    }
    write("isa/README.md", kFloorsOfIsa);
    write("asm/README.md", kFloorsOfAsm);
    write_header("isa/instruction/codec.h", "");
    write_header("asm/syntax/parser.h", "#include \"isa/instruction/codec.h\"\n");
    write_header("asm/assembler.h", "#include \"asm/syntax/parser.h\"\n");
    write_header("vm/core.h", "#include \"isa/instruction/codec.h\"\n");
    write_header("jit/engine.h", "#include \"vm/core.h\"\n");
    write_source("vm/cli/main.cpp",
                 "#include <vector>\n#include \"jit/engine.h\"\n#include \"asm/assembler.h\"\n");
    write_source("tests/a_test.cpp", "#include \"vm/cli/npy.h\"\n");
  }

 private:
  test_support::ScratchFolder scratch_;
};

TEST_F(LintTest, AnOrderlyTreeIsClean) { EXPECT_EQ(found(), std::vector<std::string>()); }

TEST_F(LintTest, VmMustNotSeeAsm) {
  write_source("vm/a.cpp", "#include \"asm/syntax/parser.h\"\n");
  expect_only("vm/a.cpp:2: vm must not include \"asm/syntax/parser.h\"");
}

TEST_F(LintTest, OnlyTheMachineKnowsItsTransport) {
  write_header("vm/stepper/stepper.h", "#include \"vm/core.h\"\n");
  write_source("vm/machine.cpp", "#include \"vm/stepper/stepper.h\"\n");
  EXPECT_EQ(found(), std::vector<std::string>());
  for (const std::string room : {"vm/pe", "vm/load", "vm/report"}) {
    write_source(room + "/a.cpp", "#include \"vm/stepper/stepper.h\"\n");
    expect_only(room + "/a.cpp:2: " + room + " must not include \"vm/stepper/stepper.h\"");
    write_source(room + "/a.cpp", "");
  }
}

TEST_F(LintTest, AsmMustNotSeeVm) {
  write_source("asm/a.cpp", "#include \"vm/core.h\"\n");
  expect_only("asm/a.cpp:2: asm must not include \"vm/core.h\"");
}

TEST_F(LintTest, IsaSeesNobody) {
  write_source("isa/a.cpp", "\n  #  include \"vm/core.h\"\n");
  expect_only("isa/a.cpp:3: isa must not include \"vm/core.h\"");
}

TEST_F(LintTest, AFloorSeesOnlyThoseBelowIt) {
  const auto goes_up = [&](const std::string& lower, const std::string& upper) {
    write_header(upper + "/up.h", "");
    write_source(lower + "/a.cpp", "#include \"" + upper + "/up.h\"\n");
    expect_only(lower + "/a.cpp:2: " + lower + " must not include \"" + upper + "/up.h\"");
    write_source(lower + "/a.cpp", "");
    write_header(lower + "/down.h", "");
    write_source(upper + "/a.cpp", "#include \"" + lower + "/down.h\"\n");
    EXPECT_EQ(found(), std::vector<std::string>());
  };
  goes_up("isa/support", "isa/instruction");
  goes_up("isa/instruction", "isa/machine");
  goes_up("isa/machine", "isa/descriptor");
  goes_up("isa/descriptor", "isa/semantics");
  goes_up("isa/semantics", "isa/formula");
  goes_up("isa/formula", "isa/image");
  goes_up("asm/text", "asm/syntax");
  goes_up("asm/syntax", "asm/names");
  goes_up("asm/names", "asm/program");
  goes_up("asm/program", "asm/code");
  goes_up("asm/code", "asm/mesh");
  goes_up("asm/mesh", "asm/warnings");
  write_source("asm/warnings/b.cpp", "#include \"asm/assembler.h\"\n");
  expect_only("asm/warnings/b.cpp:2: asm/warnings must not include \"asm/assembler.h\"");
}

TEST_F(LintTest, AReadmeShowsTheFloorsInTheirOrder) {
  std::string swapped = kFloorsOfIsa;
  swapped.replace(swapped.find("isa/formula"), 11, "isa/support");
  for (const std::string& text :
       {std::string("Nothing.\n"), swapped, kFloorsOfIsa + kFloorsOfIsa}) {
    write("isa/README.md", text);
    expect_only(
        "isa/README.md:1: its picture of the floors must have a line for each, in this order: "
        "isa/image, isa/formula, isa/semantics, isa/descriptor, isa/machine, isa/instruction, "
        "isa/support");
  }
}

TEST_F(LintTest, OutsideOnlyTestsLookIntoTheAssembler) {
  write_source("tests/a.cpp", "#include \"asm/syntax/parser.h\"\n");
  EXPECT_EQ(found(), std::vector<std::string>());
  write_source("vm/cli/a.cpp", "#include \"asm/syntax/parser.h\"\n");
  expect_only("vm/cli/a.cpp:2: vm/cli must not include \"asm/syntax/parser.h\"");
}

TEST_F(LintTest, VmMustNotSeeJit) {
  write_source("vm/a.cpp", "#include \"jit/engine.h\"\n");
  expect_only("vm/a.cpp:2: vm must not include \"jit/engine.h\"");
}

TEST_F(LintTest, NobodySeesTheExecutableOrTheTests) {
  write_source("vm/a.cpp", "#include \"vm/cli/npy.h\"\n");
  expect_only("vm/a.cpp:2: vm must not include \"vm/cli/npy.h\"");
  write_source("vm/a.cpp", "");
  write_source("vm/cli/a.cpp", "#include \"tests/lint/lint.h\"\n");
  expect_only("vm/cli/a.cpp:2: vm/cli must not include \"tests/lint/lint.h\"");
}

TEST_F(LintTest, ScriptsHostSeesNoJit) {
  write("scripts/README.md", "A folder.\n");
  write("scripts/host/README.md", "A room.\n");
  write_source("scripts/host/a.cpp", "#include \"asm/assembler.h\"\n#include \"jit/engine.h\"\n");
  expect_only("scripts/host/a.cpp:3: scripts/host must not include \"jit/engine.h\"");
}

TEST_F(LintTest, TheOracleSharesOnlyData) {
  write_source("tests/oracle/a.cpp",
               "#include \"isa/image/image.h\"\n#include \"isa/semantics/alu.h\"\n");
  expect_only("tests/oracle/a.cpp:3: tests/oracle must not include \"isa/semantics/alu.h\"");
  write_source("tests/oracle/a.cpp", "#include \"vm/core.h\"\n");
  expect_only("tests/oracle/a.cpp:2: tests/oracle must not include \"vm/core.h\"");
}

TEST_F(LintTest, TheOracleComputesFloatsItself) {
  write_header("tests/support/soft_float.h", "");
  write_header("tests/support/simulation.h", "#include \"vm/core.h\"\n");
  write_source("tests/oracle/a.cpp", "#include \"tests/support/soft_float.h\"\n");
  EXPECT_TRUE(found().empty());
  write_source("tests/oracle/a.cpp", "#include \"tests/support/simulation.h\"\n");
  expect_only("tests/oracle/a.cpp:2: tests/oracle must not include \"tests/support/simulation.h\"");
}

TEST_F(LintTest, TheOracleReachesNoMeaningThroughOthers) {
  write_header("isa/image/image.h", "#include \"isa/formula/walk.h\"\n");
  write_header("isa/formula/walk.h", "#include \"isa/semantics/alu.h\"\n");
  write_source("tests/oracle/a.cpp", "#include \"isa/image/image.h\"\n");
  expect_only(
      "tests/oracle/a.cpp:2: tests/oracle reaches isa/semantics through \"isa/image/image.h\"");
}

TEST_F(LintTest, IncludesAreRootedAndQuoted) {
  write_source("vm/a.cpp", "#include \"core.h\"\n");
  expect_only("vm/a.cpp:2: include \"core.h\" is not rooted at a room");
  write_source("vm/a.cpp", "#include \"vm/../asm/syntax/parser.h\"\n");
  expect_only("vm/a.cpp:2: include \"vm/../asm/syntax/parser.h\" is not rooted at a room");
  write_source("vm/a.cpp", "#include <isa/instruction/codec.h>\n");
  expect_only("vm/a.cpp:2: include of <isa/instruction/codec.h>: a room's header takes quotes");
}

TEST_F(LintTest, IncludesDoNotGoRound) {
  write_header("vm/a.h", "#include \"vm/b.h\"\n");
  write_header("vm/b.h", "#include \"vm/c.h\"\n");
  write_header("vm/c.h", "#include \"vm/a.h\"\n");
  expect_only("vm/c.h:3: include circle: vm/a.h -> vm/b.h -> vm/c.h -> vm/a.h");
}

TEST_F(LintTest, CppStaysInTheRooms) {
  write("programs/README.md", "Programs.\n");
  write("programs/hello/README.md", "Hello.\n");
  write_source("programs/hello/a.cpp", "");
  expect_only("programs/hello/a.cpp:1: C++ outside the rooms");
}

TEST_F(LintTest, FilesAreShort) {
  std::string lines;
  for (int i = 0; i < 399; ++i) lines += "int x;\n";
  write_source("vm/a.cpp", lines);
  EXPECT_TRUE(found().empty());
  write_source("vm/a.cpp", lines + "int y;\n");
  expect_only("vm/a.cpp:401: 401 lines; at most 400");
  write("vm/a.cpp", "// Generated by a tool.\n" + lines + lines);
  EXPECT_TRUE(found().empty());
}

TEST_F(LintTest, FunctionsAreShort) {
  std::string body;
  for (int i = 0; i < 58; ++i) body += "  x();\n";
  write_source("vm/a.cpp", "void f() {\n" + body + "}\n");
  EXPECT_TRUE(found().empty());
  write_source("vm/a.cpp", "void f() {\n" + body + "  y();\n}\n");
  expect_only("vm/a.cpp:2: a function or block of 61 lines; at most 60");
}

TEST_F(LintTest, FunctionsAreShortHoweverTheyBegin) {
  for (const std::string margin : {"", "  ", "    "}) {
    std::string body;
    for (int i = 0; i < 56; ++i) body += margin + "  x();\n";
    const std::vector<std::string> starts = {
        "[[gnu::always_inline]] inline void f(int a,\n" + margin + "       int b) {\n",
        "F::F(int a)\n" + margin + "    : a_(a) {\n", "void f(\n" + margin + "    int a) {\n"};
    for (const std::string& start : starts) {
      const auto function = [&](const std::string& rest) {
        return margin + start + body + rest + margin + "}\n";
      };
      const std::string call = margin + "  y();\n";
      write_source("vm/a.cpp", "int x;\n" + function(call));
      EXPECT_EQ(found(), std::vector<std::string>()) << start;
      write_source("vm/a.cpp", "int x;\n" + function(call + call));
      expect_only("vm/a.cpp:3: a function or block of 61 lines; at most 60");
    }
  }
}

TEST_F(LintTest, ATypeMayHaveManyFunctions) {
  std::string functions;
  for (int i = 0; i < 30; ++i) functions += "  void f(int a,\n         int b) {\n  }\n";
  write_source("vm/a.cpp", "class A\n    : public B {\n" + functions + "};\n");
  EXPECT_EQ(found(), std::vector<std::string>());
}

TEST_F(LintTest, WhiteSpaceIsClean) {
  write_source("vm/a.cpp", "\tint x;\nint y; \n");
  EXPECT_EQ(found(), (std::vector<std::string>{"vm/a.cpp:2: a tab",
                                               "vm/a.cpp:3: white space at the end of the line"}));
}

TEST_F(LintTest, FilesOpenWithAComment) {
  write("vm/a.cpp", "int x;\n");
  expect_only("vm/a.cpp:1: opens without a comment that says what it is");
}

TEST_F(LintTest, HeadersAreGuardedAndOpenNoNamespace) {
  write_source("vm/a.h", "");
  expect_only("vm/a.h:1: a header without '#pragma once'");
  write_header("vm/a.h", "  using namespace std;\n");
  expect_only("vm/a.h:3: 'using namespace' in a header");
}

TEST_F(LintTest, SomeWordsAreForbidden) {
  const std::string word = std::string("TO") + "DO";
  write("vm/notes.md", "fine: " + word + "S\n" + word + ": more\n");
  expect_only("vm/notes.md:2: '" + word + "' must not be in the project");
}

TEST_F(LintTest, NothingIsNone) {
  write_source("vm/a.cpp",
               "// There is none, or it is none of these; nothing if there are none.\n");
  EXPECT_EQ(found(), std::vector<std::string>());
  write_source("vm/a.cpp", "// An index that is none.\n");
  expect_only("vm/a.cpp:2: 'is none' of something that exists; say what it is not");
}

TEST_F(LintTest, NothingStandsButForSomethingOrStill) {
  write_source(
      "vm/a.cpp",
      "// It stands for a queue that stands still, and what it stands for. bool stands = true;\n");
  EXPECT_EQ(found(), std::vector<std::string>());
  for (const char* const line :
       {"// The word stands in the queue.\n", "// There it stands. Then\n"}) {
    write_source("vm/a.cpp", line);
    expect_only("vm/a.cpp:2: 'stands'; write 'is', 'lies' or 'is written'");
  }
}

TEST_F(LintTest, NothingGoesOnButOnAColour) {
  write_source("vm/a.cpp", "// It goes on the first colour.\n");
  EXPECT_EQ(found(), std::vector<std::string>());
  write_source("vm/a.cpp", "// Then the thread goes on.\n");
  expect_only("vm/a.cpp:2: 'goes on'; write 'continues' or 'begins again'");
}

// One planted line each: a reader, an output and a message that bypass their one place.
TEST_F(LintTest, FilesAreOpenedInOnePlace) {
  for (const char* const line :
       {"std::ifstream file(path);", "std::ofstream file(path);",
        "const int number = ::open(path, O_RDONLY);", "int number = open(path, O_WRONLY);",
        "FILE* file = fopen(path, \"w\");", "luaL_loadfile(L, path);", "fs::copy_file(from, to);",
        "std::rename(from, to);"}) {
    write_source("vm/cli/a.cpp", line + std::string("\n"));
    const auto all = found();
    ASSERT_FALSE(all.empty()) << line;
    EXPECT_TRUE(
        all[0].ends_with("inputs are opened by isa/support/input_list.h, outputs by "
                         "isa/support/output_file.h"))
        << all[0];
  }
}

TEST_F(LintTest, StreamsOfPeopleAreWrittenInOnePlace) {
  for (const char* const line :
       {"std::cerr << name;", "std::cout << name;", "fmt::print(stderr, \"{}\", name);",
        "fprintf(file, name);", "puts(name);", "::write(2, name, size);",
        "isa::write_all(STDERR_FILENO, bytes);", "dprintf(2, name);", "std::println(name);"}) {
    write_source("scripts/host/a.cpp", line + std::string("\n"));
    write("scripts/README.md", "A folder.\n");
    write("scripts/host/README.md", "A room.\n");
    const auto all = found();
    ASSERT_FALSE(all.empty()) << line;
    EXPECT_TRUE(
        all[0].ends_with("text reaches stdout and stderr through vm/cli/standard_streams.h"))
        << all[0];
  }
}

TEST_F(LintTest, ACommandHasOneListOfInputs) {
  write_source("vm/cli/a.cpp", "void f(InputList& inputs);\nInputList own;\n");
  expect_only(
      "vm/cli/a.cpp:3: 'InputList': a command has one list of its inputs and hands it on by "
      "reference");
  write_source("vm/cli/a.cpp", "Outcome<void> g() { return f(\"a\", isa::InputList()); }\n");
  EXPECT_EQ(found().size(), 1u);
}

TEST_F(LintTest, OnlyDrawingsArePrintedAsTheyAre) {
  write_source("vm/cli/a.cpp", "print_drawing(name);\n");
  expect_only("vm/cli/a.cpp:2: 'print_drawing': only what wsevm draws itself is printed as it is");
}

TEST_F(LintTest, TestsDoNotLookAtTheTimeOnTheWall) {
  write_source("tests/unit/vm/a_test.cpp",
               "const auto begin = std::chrono::steady_clock::now();\n");
  expect_only(
      "tests/unit/vm/a_test.cpp:2: 'steady_clock': tests judge by processor time, std::clock() or "
      "Ending::processor_seconds");
  write_source("tests/unit/vm/a_test.cpp", "EXPECT_LT(record.wall_seconds, 1.0);\n");
  EXPECT_EQ(found().size(), 1u);
  write_source("tests/unit/vm/a_test.cpp", "const std::clock_t begin = std::clock();\n");
  write_source("vm/a.cpp", "const auto begin = std::chrono::steady_clock::now();\n");
  EXPECT_EQ(found(), std::vector<std::string>());
}

TEST_F(LintTest, ReservedWordsAreCode) {
  write_source("vm/cli/a.cpp",
               "// std::cerr\nconst char* a = \"ofstream \\\" cout\";  // fopen\n"
               "file.write_allowed();\nOutputFile::open(path);\n");
  EXPECT_EQ(found(), std::vector<std::string>());
  write_source("tests/a_test.cpp", "std::ofstream file(path);\n");
  EXPECT_EQ(found(), std::vector<std::string>());
}

TEST_F(LintTest, TheTopIsKnownAndFoldersHaveReadmes) {
  write("tools/x.sh", "");
  write("build/junk.cpp", "");
  write("programs/README.md", "Programs.\n");
  write("programs/hello/hello.wsa", "; hello\n");
  EXPECT_EQ(found(),
            (std::vector<std::string>{"programs/hello:1: a folder without README.md",
                                      "tools:1: has no place at the top of the checkout"}));
}

}  // namespace
}  // namespace wse::lint

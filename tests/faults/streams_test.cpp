// stdin, stdout and stderr that are closed, full, or have lost their reader: what was asked for as
// a file is written all the same, and the exit code tells what was lost.
#include <sys/stat.h>

#include "tests/faults/faults.h"

namespace wse::faults {
namespace {

constexpr int kReaderGone = 141;

class Streams : public Faults {
 protected:
  void SetUp() override {
    write("program.wsa", kProgram);
    ASSERT_EQ(wsevm({"asm", "program.wsa", "-o", "program.wsb"}).code, 0);
  }
  // A run that writes a text, an array and a record, with this stdout.
  Ending run_into(Stream output) {
    return wsevm({"run", "program.wsa", "--out", "y=y.npy", "--json=r.json"}, {.output = output});
  }
  void expect_files() {
    EXPECT_EQ(names(), (std::vector<std::string>{"program.wsa", "program.wsb", "r.json", "y.npy"}));
    EXPECT_EQ(record_member(read("r.json"), "status"), "halted");
  }
};

// Every command that prints.
const std::vector<std::vector<std::string>> kPrinting = {
    {"run", "program.wsa"},
    {"run", "program.wsa", "--json"},
    {"run", "program.wsa", "--out", "y=-"},
    {"run", "program.wsa", "--trace=-"},
    {"run", "program.wsa", "--show", "y"},
    {"asm", "program.wsa", "--list"},
    {"asm", "program.wsa", "-o", "-"},
    {"dis", "program.wsb"},
    {"check", "program.wsa"},
    {"isa"},
    {"isa", "--markdown"},
    {"machine"},
    {"man"},
    {"completion", "bash"},
    {"--help"},
    {"--version"},
};

TEST_F(Streams, FullStdoutOfEveryCommand) {
  for (const auto& words : kPrinting) {
    const Ending ending = wsevm(words, {.output = Stream::Full});
    EXPECT_EQ(ending.code, 3) << words[0];
    expect_message(ending, "No space left on device");
  }
}

TEST_F(Streams, ClosedStdoutOfEveryCommand) {
  for (const auto& words : kPrinting) {
    const Ending ending = wsevm(words, {.output = Stream::Closed});
    EXPECT_EQ(ending.code, 2) << words[0];
    expect_message(ending, "Bad file descriptor");
  }
}

TEST_F(Streams, StdoutWithoutReaderOfEveryCommand) {
  for (const auto& words : kPrinting) {
    const Ending ending = wsevm(words, {.output = Stream::NoReader});
    EXPECT_EQ(ending.code, kReaderGone) << words[0];
    EXPECT_EQ(ending.errors, "");
  }
}

TEST_F(Streams, FullStdoutLosesNoFile) {
  EXPECT_EQ(run_into(Stream::Full).code, 3);
  expect_files();
  EXPECT_TRUE(record_member(read("r.json"), "message").contains("cannot write 'stdout'"));
}

TEST_F(Streams, ClosedStdoutLosesNoFile) {
  EXPECT_EQ(run_into(Stream::Closed).code, 2);
  expect_files();
}

TEST_F(Streams, StdoutWithoutReaderLosesNoFile) {
  const Ending ending = run_into(Stream::NoReader);
  EXPECT_EQ(ending.code, kReaderGone);
  EXPECT_EQ(ending.errors, "");
  expect_files();
}

TEST_F(Streams, AnImageIsWrittenBeforeItsListing) {
  const Ending ending =
      wsevm({"asm", "program.wsa", "--list", "-o", "again.wsb"}, {.output = Stream::NoReader});
  EXPECT_EQ(ending.code, kReaderGone);
  EXPECT_EQ(read("again.wsb"), read("program.wsb"));
}

TEST_F(Streams, StderrThatCannotBeWritten) {
  const std::string text = "\n  task main:\n    print \"hello\"\n.place p at (0, 0)\n";
  write("print.wsa", ".grid 1, 1\n.program p" + text);
  for (const Stream stream : {Stream::Closed, Stream::Full, Stream::NoReader}) {
    const Ending ending = wsevm({"run", "print.wsa", "--json"}, {.errors = stream});
    EXPECT_EQ(ending.code, 0);
    EXPECT_EQ(record_member(ending.output, "status"), "halted");
    EXPECT_EQ(wsevm({"run", "none.wsa"}, {.errors = stream}).code, 2);
  }
}

TEST_F(Streams, AllClosed) {
  const ChildSetup closed{.input = "", .output = Stream::Closed, .errors = Stream::Closed};
  EXPECT_EQ(wsevm({"run", "program.wsa", "--trace=t.jsonl", "--json=r.json"}, closed).code, 2);
  EXPECT_TRUE(is_trace(read("t.jsonl")));  // and nothing else has got into it
  EXPECT_TRUE(is_json(read("r.json")));
  EXPECT_EQ(wsevm({"run", "-"}, closed).code, 2);
}

TEST_F(Streams, ClosedStdin) {
  for (const char* command : {"run", "asm", "dis", "check"}) {
    const Ending ending = wsevm({command, "-"}, {.input = ""});
    EXPECT_EQ(ending.code, 2) << command;
    expect_message(ending, "cannot read 'stdin': Bad file descriptor");
  }
}

TEST_F(Streams, StdinIsReadOnce) {
  const Ending ending = wsevm({"run", "-", "--in", "x=-"});
  EXPECT_EQ(ending.code, 2);
  expect_message(ending, "stdin cannot be");
}

TEST_F(Streams, AFolderAsProgram) {
  for (const char* command : {"run", "asm", "dis", "check"}) {
    const Ending ending = wsevm({command, "."});
    EXPECT_EQ(ending.code, 2) << command;
    expect_message(ending, "cannot read '.': Is a directory");
  }
}

TEST_F(Streams, AProgramThatNeverEnds) {
  const Ending ending = wsevm({"run", "/dev/zero", "--max-memory=16M"});
  EXPECT_EQ(ending.code, 3);
  expect_message(ending, "out of memory for the content of '/dev/zero'");
}

TEST_F(Streams, TextsGoToStderrWhereAFileHasStdout) {
  const Ending ending = wsevm({"run", "program.wsa", "--json", "--dump", "1,0:y"});
  EXPECT_EQ(ending.code, 0);
  EXPECT_TRUE(is_json(ending.output));
  expect_message(ending, "y at PE(1, 0) = 0 1 2");
  EXPECT_EQ(wsevm({"asm", "program.wsa", "--list", "-o", "-"}).output, read("program.wsb"));
}

}  // namespace
}  // namespace wse::faults

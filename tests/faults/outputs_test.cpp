// Every output, at every place where it cannot be written or must not be replaced: exit codes,
// messages, and that a target is as it was or whole. None of it needs to be another user than root.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "tests/faults/faults.h"

namespace wse::faults {
namespace {

class Output : public Faults {
 protected:
  // The output cannot be written to `file`: refused, before the run, with the path in the message.
  void expect_refused(const std::string& file, const std::string& reason,
                      const ChildSetup& setup = {}) {
    for (const OutputKind& kind : output_kinds()) {
      SCOPED_TRACE(kind.name);
      const Ending ending = write_output(kind, file, setup);
      EXPECT_EQ(ending.code, 2);
      EXPECT_EQ(ending.output, "");
      expect_message(ending, "cannot write '" + file + "': " + reason);
    }
  }
};

TEST_F(Output, AFullDevice) {
  for (const OutputKind& kind : output_kinds()) {
    SCOPED_TRACE(kind.name);
    const Ending ending = write_output(kind, "/dev/full");
    EXPECT_EQ(ending.code, 3);
    expect_message(ending, "cannot write '/dev/full': No space left on device");
  }
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Output, AFullDiskKeepsTheOldFile) {
  for (const OutputKind& kind : output_kinds()) {
    SCOPED_TRACE(kind.name);
    write("file", "old");
    const Ending ending = write_output(kind, "file", {.disk_bytes = 80});
    EXPECT_EQ(ending.code, 3);
    expect_message(ending, "cannot write 'file': File too large");
    EXPECT_EQ(read("file"), "old");
    EXPECT_EQ(names(), (std::vector<std::string>{"file", "program.wsa"}));
  }
}

TEST_F(Output, AFullDiskLeavesNothing) {
  for (const OutputKind& kind : output_kinds()) {
    SCOPED_TRACE(kind.name);
    EXPECT_EQ(write_output(kind, "file", {.disk_bytes = 80}).code, 3);
    EXPECT_EQ(names(), std::vector<std::string>{"program.wsa"});
  }
}

TEST_F(Output, AFolderThatIsMissing) { expect_refused("none/file", "No such file or directory"); }

TEST_F(Output, AFolder) {
  fs::create_directory(path("folder"));
  expect_refused("folder", "Is a directory");
  expect_refused("none/", "No such file or directory");
}

TEST_F(Output, AFileUsedAsAFolder) {
  write("plain", "old");
  expect_refused("plain/file", "Not a directory");
}

TEST_F(Output, AFolderThatMustNotBeWritten) {
  fs::create_directory(path("folder"));
  write("folder/old", "old");
  fs::permissions(path("folder"), fs::perms::owner_read | fs::perms::owner_exec);
  expect_refused("folder/file", "Permission denied", {.powerless = true});
  expect_refused("folder/old", "Permission denied", {.powerless = true});
  EXPECT_EQ(read("folder/old"), "old");
  expect_refused("/proc/file", "No such file or directory");
}

TEST_F(Output, AFileThatMustNotBeWritten) {
  write("file", "old");
  fs::permissions(path("file"), fs::perms::owner_read);
  expect_refused("file", "Permission denied", {.powerless = true});
  EXPECT_EQ(read("file"), "old");
}

TEST_F(Output, ANameThatIsTooLong) { expect_refused(std::string(256, 'n'), "File name too long"); }

TEST_F(Output, ANameAsLongAsCanBe) {
  const std::string name(255, 'n');
  for (const OutputKind& kind : output_kinds()) {
    EXPECT_EQ(write_output(kind, name).code, 0) << kind.name;
    EXPECT_TRUE(kind.is_whole(read(name))) << kind.name;
  }
}

TEST_F(Output, AWorkingFolderThatIsGone) {
  write("program.wsa", kProgram);
  fs::create_directory(path("gone"));
  const fs::path shell = "/bin/sh";
  const std::string script = "cd gone && rmdir ../gone && exec " WSE_BINARY_DIR "/wsevm run " +
                             path("program.wsa").string() + " --json=record";
  const Ending ending = test_support::Child({shell, "-c", script}, {.folder = path(".")}).wait();
  EXPECT_EQ(ending.code, 2);
  EXPECT_TRUE(ending.errors.contains("cannot write 'record': No such file or directory"))
      << ending.errors;
}

TEST_F(Output, LinksThatLeadInACircle) {
  fs::create_symlink("two", path("one"));
  fs::create_symlink("one", path("two"));
  expect_refused("one", "Too many levels of symbolic links");
}

TEST_F(Output, ALinkStaysALink) {
  write("target", "old");
  fs::create_symlink("target", path("link"));
  for (const OutputKind& kind : output_kinds()) {
    EXPECT_EQ(write_output(kind, "link").code, 0) << kind.name;
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_TRUE(kind.is_whole(read("target"))) << kind.name;
  }
}

TEST_F(Output, ALinkToNothingGetsItsFile) {
  fs::create_directory(path("folder"));
  fs::create_symlink("folder/target", path("link"));
  for (const OutputKind& kind : output_kinds()) {
    fs::remove(path("folder/target"));
    EXPECT_EQ(write_output(kind, "link").code, 0) << kind.name;
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_TRUE(kind.is_whole(read("folder/target"))) << kind.name;
  }
}

TEST_F(Output, APipeIsWrittenInto) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = ::open(path("pipe").c_str(), O_RDWR | O_NONBLOCK);
  constexpr int kPipeBytes = 1 << 20;  // enough for any of them
  ASSERT_EQ(::fcntl(reader, F_SETPIPE_SZ, kPipeBytes), kPipeBytes);
  for (const OutputKind& kind : output_kinds()) {
    SCOPED_TRACE(kind.name);
    EXPECT_EQ(write_output(kind, "pipe", {}).code, 0);
    EXPECT_TRUE(fs::is_fifo(path("pipe")));
    std::string bytes(kPipeBytes, '\0');
    const ssize_t count = ::read(reader, bytes.data(), bytes.size());
    ASSERT_GT(count, 0);
    bytes.resize(static_cast<std::size_t>(count));
    EXPECT_TRUE(kind.is_whole(bytes)) << bytes.size();
  }
  ::close(reader);
}

TEST_F(Output, ADeviceStaysADevice) {
  fs::create_symlink("/dev/null", path("null"));
  for (const OutputKind& kind : output_kinds()) {
    EXPECT_EQ(write_output(kind, "null").code, 0) << kind.name;
    EXPECT_TRUE(fs::is_symlink(path("null")));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
  }
}

TEST_F(Output, StdoutByItsNameKeepsWhatIsThere) {
  write("program.wsa", kProgram);
  const std::string script =
      "(echo before; " WSE_BINARY_DIR "/wsevm run program.wsa --json=/dev/fd/1) >file";
  EXPECT_EQ(test_support::Child({"/bin/sh", "-c", script}, {.folder = path(".")}).wait().code, 0);
  const std::string text = read("file");
  EXPECT_TRUE(text.starts_with("before\nhalted: ")) << text;
  EXPECT_TRUE(is_json(text.substr(std::min(text.find('{'), text.size()))));
}

mode_t mode_of(const fs::path& file) {
  struct stat status{};
  return ::stat(file.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

TEST_F(Output, TheModeOfAFileIsKept) {
  for (const OutputKind& kind : output_kinds()) {
    write("file", "old");
    ::chmod(path("file").c_str(), 0640);
    EXPECT_EQ(write_output(kind, "file", {.umask = 0077}).code, 0) << kind.name;
    EXPECT_EQ(mode_of(path("file")), 0640u) << kind.name;
    EXPECT_TRUE(kind.is_whole(read("file"))) << kind.name;
  }
}

TEST_F(Output, TheModeOfANewFileIsThatOfTheUmask) {
  for (const OutputKind& kind : output_kinds()) {
    EXPECT_EQ(write_output(kind, kind.name, {.umask = 0027}).code, 0);
    EXPECT_EQ(mode_of(path(kind.name)), 0640u) << kind.name;
  }
}

TEST_F(Output, TwoToOneFile) {
  write("program.wsa", kProgram);
  fs::create_symlink("file", path("link"));
  for (const char* other : {"file", "./file", "link"}) {
    const Ending ending =
        wsevm({"run", "program.wsa", "--out", "y=file", std::string("--trace=") + other});
    EXPECT_EQ(ending.code, 2) << other;
    expect_message(ending, "is for --out y too; give it a file of its own");
    EXPECT_FALSE(fs::exists(path("file")));
  }
  EXPECT_EQ(wsevm({"run", "program.wsa", "--json", "--dot=-"}).code, 2);
  const Ending unread = wsevm({"run", "program.wsa", "--dot=/dev/null", "--trace=/dev/null"});
  EXPECT_EQ(unread.code, 0) << unread.errors;
}

TEST_F(Output, OntoTheProgram) {
  write("program.wsa", kProgram);
  const Ending ending = wsevm({"asm", "program.wsa", "-o", "./program.wsa"});
  EXPECT_EQ(ending.code, 2);
  expect_message(ending, "cannot write './program.wsa': this command reads it, as 'program.wsa'");
  EXPECT_EQ(wsevm({"run", "program.wsa", "--json=program.wsa"}).code, 2);
  EXPECT_EQ(read("program.wsa"), kProgram);
}

TEST_F(Output, OntoAnArrayThatWasRead) {
  write("program.wsa", kProgram);
  ASSERT_EQ(wsevm({"run", "program.wsa", "--out", "x=a.npy"}).code, 0);
  const std::string before = read("a.npy");
  const Ending ending = wsevm({"run", "program.wsa", "--in", "x=a.npy", "--out", "x=a.npy"});
  EXPECT_EQ(ending.code, 2);
  expect_message(ending, "--out x: cannot write 'a.npy': this command reads it");
  EXPECT_EQ(read("a.npy"), before);
}

// A process of the same number was killed, and left its temporaries.
TEST_F(Output, TemporariesThatWereLeft) {
  write("program.wsa", kProgram);
  write("script.lua", "local wse = require 'wse'\nwse.write_text('y', 'new')\n");
  for (const char* const rest : {"program.wsa --out y=y", "script.lua"}) {
    const std::string script =
        "for k in 0 1 2 3; do echo left >.wsevm-$$-$k.tmp; done; echo left >y.$$.part\n"
        "echo old >y; exec " WSE_BINARY_DIR "/wsevm run " +
        std::string(rest);
    const Ending ending =
        test_support::Child({"/bin/sh", "-c", script}, {.folder = path(".")}).wait();
    EXPECT_EQ(ending.code, 0) << ending.errors;
    EXPECT_NE(read("y"), "old\n");
    for (const std::string& name : names()) {
      if (name.starts_with(".wsevm")) {
        EXPECT_EQ(read(name), "left\n") << name;
      }
    }
  }
}

TEST_F(Output, NamesOfAScriptAsLongAsCanBe) {
  const std::string name(251, 'n');
  write("script.lua", "local wse = require 'wse'\nlocal n = '" + name +
                          "'\nwse.write_text(n .. '.txt', 'new')\n"
                          "wse.sweep{over = {P = {1}}, csv = n .. '.csv',\n"
                          "          run = function(p) return {c = p.P} end}\n");
  const Ending ending = wsevm({"run", "script.lua"});
  EXPECT_EQ(ending.code, 0) << ending.errors;
  EXPECT_EQ(read(name + ".txt"), "new");
  EXPECT_EQ(read(name + ".csv"), "P,c\n1,1\n");
  write("script.lua", "require('wse').write_text(('n'):rep(256), 'new')\n");
  const Ending longer = wsevm({"run", "script.lua"});
  EXPECT_EQ(longer.code, 2);
  expect_message(longer, "File name too long");
}

TEST_F(Output, AFullDiskKeepsTheFileOfAScript) {
  write("script.lua", "require('wse').write_text('y', ('x'):rep(1000))\n");
  write("y", "old");
  const Ending ending = wsevm({"run", "script.lua"}, {.disk_bytes = 80});
  EXPECT_EQ(ending.code, 3);
  expect_message(ending, "cannot write 'y': File too large");
  EXPECT_EQ(read("y"), "old");
  EXPECT_EQ(names(), (std::vector<std::string>{"script.lua", "y"}));
}

TEST_F(Output, OneThatFailsKeepsNoOtherFromBeingWritten) {
  write("program.wsa", kProgram);
  const Ending ending =
      wsevm({"run", "program.wsa", "--out", "x=/dev/full", "--out", "y=y.npy", "--trace=/dev/full",
             "--picture", "y=y.png", "--dot=d.dot", "--json=r.json"});
  EXPECT_EQ(ending.code, 3);
  EXPECT_TRUE(ending.output.starts_with("halted: ")) << ending.output;
  EXPECT_EQ(names(),
            (std::vector<std::string>{"d.dot", "program.wsa", "r.json", "y.npy", "y.png"}));
  EXPECT_EQ(record_member(read("r.json"), "status"), "halted");
  EXPECT_TRUE(record_member(read("r.json"), "message").contains("cannot write '/dev/full'"));
}

TEST_F(Output, TheTraceOfABadEndIsWhole) {
  write("endless.wsa", kEndless);
  const Ending ending =
      wsevm({"run", "endless.wsa", "--max-cycles=20000", "--trace=t.jsonl", "--json=r.json"});
  EXPECT_EQ(ending.code, 1);
  EXPECT_TRUE(is_trace(read("t.jsonl")));
  EXPECT_GT(read("t.jsonl").size(), 1000U);
  EXPECT_EQ(record_member(read("r.json"), "status"), "cycle_limit");
}

TEST_F(Output, NothingOfARunThatDoesNotBegin) {
  write("wrong.wsa", ".grid 1, 1\nfly\n");
  const Ending ending =
      wsevm({"run", "wrong.wsa", "--trace=t.jsonl", "--dot=d.dot", "--json=r.json"});
  EXPECT_EQ(ending.code, 2);
  EXPECT_EQ(names(), (std::vector<std::string>{"r.json", "wrong.wsa"}));
  EXPECT_EQ(record_member(read("r.json"), "status"), "error");
}

TEST_F(Output, ASymbolToDumpIsLookedForBeforeTheRun) {
  write("endless.wsa", kEndless);
  const Ending ending = wsevm({"run", "endless.wsa", "--dump", "0,0:z"});
  EXPECT_EQ(ending.code, 2);
  expect_message(ending, "--dump");
}

}  // namespace
}  // namespace wse::faults

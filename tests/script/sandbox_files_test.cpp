// Which files can a script reach? Only those below the current folder and those that were named.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/script/script_support.h"
#include "tests/support/files.h"

namespace wse::script {
namespace {

namespace fs = std::filesystem;

// A folder with secret.txt and secret.lua, and in it the current folder `here`.
class Files : public testing::Test {
 protected:
  Files() : before_(fs::current_path()) {
    test_support::write_text(top() / "secret.txt", "secret");
    test_support::write_text(top() / "secret.lua", "print('secret')");
    test_support::write_text(top() / "here/inside.txt", "inside");
    fs::create_symlink(top() / "secret.txt", top() / "here/link.txt");
    fs::create_directory_symlink(top(), top() / "here/up");
    fs::create_symlink(top() / "secret.lua", top() / "here/linked.lua");
    fs::current_path(top() / "here");
  }
  ~Files() override { fs::current_path(before_); }

  const fs::path& top() const { return scratch_.path(); }

  static Ran run_with_wse(const std::string& source, Options options = test_options()) {
    options.path = "test.lua";
    return run_text("local wse = require 'wse' " + source, options);
  }

  void expect_refused(const std::string& source, const std::string& why) {
    const Ran ran = run_with_wse(source);
    EXPECT_EQ(ran.result.ending, Ending::BadInput) << source;
    EXPECT_NE(ran.result.message.find(why), std::string::npos) << ran.result.message;
    EXPECT_EQ(ran.printed.find("secret"), std::string::npos) << source;
    EXPECT_EQ(test_support::read_text(top() / "secret.txt"), "secret") << source;
  }

 private:
  test_support::ScratchFolder scratch_;
  fs::path before_;
};

constexpr const char* kOutside = "a script has only files below the current folder";
constexpr const char* kOnlyRead =
    "a script writes only below the current folder and what out= names";
constexpr const char* kHidden = "a script has no files below a name that begins with a dot";
constexpr const char* kLink = "it is a symbolic link";

TEST_F(Files, ReadsAndWritesBelowTheCurrentFolder) {
  const Ran ran = run_with_wse(
      "print(wse.read_text('inside.txt'), wse.read_text('./a/../inside.txt'))\n"
      "wse.write_text('out/deep/new.txt', 'new') print(wse.read_text('out/deep/new.txt'))\n"
      "wse.write_text('out/deep/new.txt', 'newer') wse.write_text('other.txt', 'changed')");
  EXPECT_EQ(ran.result.message, "");
  EXPECT_EQ(ran.printed, "inside\tinside\nnew\n");
  EXPECT_EQ(test_support::read_text("out/deep/new.txt"), "newer");
  EXPECT_EQ(test_support::read_text("other.txt"), "changed");
  EXPECT_EQ(std::distance(fs::directory_iterator("out/deep"), fs::directory_iterator()), 1);
}

TEST_F(Files, WhatItHasReadIsNotWritten) {
  fs::create_hard_link("inside.txt", "hard.txt");
  expect_refused("wse.read_text('inside.txt') wse.write_text('inside.txt', '')",
                 "cannot write 'inside.txt': this command reads it; give the output");
  expect_refused("wse.read_text('inside.txt') wse.write_text('hard.txt', '')",
                 "cannot write 'hard.txt': this command reads it, as 'inside.txt'");
  expect_refused("wse.run{file = 'inside.txt', allow_failure = true}", "has errors");
  EXPECT_EQ(test_support::read_text("inside.txt"), "inside");
}

// Texts of editors that begin with a mark, and of those that save another encoding.
TEST_F(Files, MarksOfEncodings) {
  const std::string mark = "\xef\xbb\xbf";
  test_support::write_text("marked.txt", mark + "text");
  test_support::write_text("part.lua", mark + "return 'module'");
  test_support::write_text("own.lua", mark + "return {base = 'model'}");
  test_support::write_text("rows.csv", mark + "P\n1\n");
  test_support::write_text("lib.wsa", mark + ".grid 1, 1\n");
  test_support::write_text("main.wsa", mark +
                                           ".include \"lib.wsa\"\n.program p\n  task main:\n"
                                           ".place p at (0, 0)\n");
  const Ran ran = run_with_wse(
      "print(wse.read_text('marked.txt'), require 'part', wse.read_csv('rows.csv')[1].P)\n"
      "print(wse.run{file = 'main.wsa', machine = 'own.lua'}.status)");
  EXPECT_EQ(ran.result.message, "");
  EXPECT_EQ(ran.printed, "text\tmodule\t1\nhalted\n");
  const std::string wide("\xff\xfe.\0", 4);
  for (const char* const file : {"part.lua", "own.lua", "rows.csv", "main.wsa", "lib.wsa"}) {
    const std::string before = test_support::read_text(file);
    test_support::write_text(file, wide);
    expect_refused(
        "wse.read_csv('rows.csv') require 'part' wse.run{file = 'main.wsa', machine = 'own.lua'}",
        "it is UTF-16, as its byte-order mark FF FE says; save it as UTF-8");
    test_support::write_text(file, before);
  }
}

TEST_F(Files, WritingIsCounted) {
  const Ran ran = run_with_wse(
      "local text = ('x'):rep(1 << 20) while true do wse.write_text('big.txt', text) end");
  EXPECT_EQ(ran.result.ending, Ending::BadInput);
  EXPECT_NE(ran.result.message.find("instructions is reached"), std::string::npos);
}

TEST_F(Files, NothingAbove) {
  expect_refused("print(wse.read_text('../secret.txt'))", kOutside);
  expect_refused("print(wse.read_text('a/../../secret.txt'))", kOutside);
  expect_refused("wse.write_text('../secret.txt', 'changed')", kOutside);
  expect_refused("print(wse.read_text('" + (top() / "secret.txt").string() + "'))", kOutside);
  expect_refused("print(wse.read_text('/etc/passwd'))", kOutside);
  expect_refused("print(wse.read_text('/proc/self/environ'))", kOutside);
}

TEST_F(Files, OfWhatCameWithItOnlyProgramsAndScripts) {
  const Ran ran = run_with_wse("print(#wse.read_text('programs/hello/hello.wsa') > 0)");
  EXPECT_EQ(ran.printed, "true\n") << ran.result.message;
  expect_refused("print(wse.read_text('" WSE_SOURCE_DIR "/CMakeLists.txt'))", kOutside);
  expect_refused("wse.write_text('" WSE_SOURCE_DIR "/programs/new.txt', '')", kOnlyRead);
}

TEST_F(Files, NothingThroughLinks) {
  expect_refused("print(wse.read_text('link.txt'))", kLink);
  expect_refused("print(wse.read_text('up/secret.txt'))", kLink);
  expect_refused("wse.write_text('link.txt', 'changed')", kLink);
  expect_refused("wse.write_text('up/secret.txt', 'changed')", kLink);
  expect_refused("wse.write_text('up/new.txt', 'new')", kLink);
  EXPECT_FALSE(fs::exists(top() / "new.txt"));
  expect_refused("require 'linked'", kLink);
}

TEST_F(Files, NothingThroughPrograms) {
  expect_refused("wse.run{file = '../secret.txt'}", kOutside);
  expect_refused("wse.run{file = 'link.txt'}", kLink);
  expect_refused("wse.run{text = '.include \"../secret.txt\"'}", kOutside);
  expect_refused("wse.run{text = '.include \"link.txt\"'}", kLink);
  expect_refused("wse.run{text = '.include \"/etc/passwd\"'}", kOutside);
  expect_refused(
      "wse.run{text = '.grid 1, 1\\n.program p\\n.i32 x exported\\ntask main:\\n"
      ".place p at (0, 0)', inputs = {x = '../secret.txt'}}",
      kOutside);
}

TEST_F(Files, NoPipesAndFolders) {
  ASSERT_EQ(::mkfifo("pipe", 0600), 0);
  expect_refused("print(wse.read_text('pipe'))", "it is no regular file");
  expect_refused("wse.write_text('pipe', 'x')", "it is no regular file");
  expect_refused("print(wse.read_text('.'))", "");
  expect_refused("print(wse.read_text('none.txt'))", "none.txt");
  expect_refused("print(wse.read_text('inside.txt\\0../secret.txt'))", "a zero byte");
  expect_refused("wse.write_text('inside.txt/x', 'x')", "inside.txt");
}

TEST_F(Files, WhatTheCommandLineNames) {
  Options options = test_options();
  options.arguments = {{"file", "../secret.txt"}};
  const Ran named = run_with_wse("print(wse.read_text(wse.argument('file')))", options);
  EXPECT_EQ(named.result.message, "");
  EXPECT_EQ(named.printed, "secret\n");
  const Ran other =
      run_with_wse("wse.argument('file') print(wse.read_text('../secret.lua'))", options);
  EXPECT_NE(other.result.message.find(kOutside), std::string::npos);
  fs::create_directory(top() / "out");
  options.arguments = {{"out", "../out"}};
  const Ran folder = run_with_wse("wse.write_text(wse.argument('out') .. '/a.csv', '1')", options);
  EXPECT_EQ(folder.result.message, "");
  EXPECT_EQ(test_support::read_text(top() / "out/a.csv"), "1");
}

TEST_F(Files, NothingHidden) {
  for (const char* file : {".bashrc", "./.bashrc", ".git/config", "a/.ssh/keys", "a/../.bashrc",
                           "...", "..x/y", ".", "a/.b.csv"}) {
    const std::string name = std::string("'") + file + "'";
    expect_refused("wse.write_text(" + name + ", 'x')", "");
    expect_refused("wse.write_csv(" + name + ", {{a = 1}})", "");
    expect_refused(
        "wse.sweep{over = {P = {1}}, run = function() return {} end, csv = " + name + "}", "");
  }
  EXPECT_EQ(std::distance(fs::directory_iterator("."), fs::directory_iterator()), 4);
  test_support::write_text(".env", "secret");
  test_support::write_text(".git/config", "secret");
  expect_refused("print(wse.read_text('.env'))", kHidden);
  expect_refused("print(wse.read_text('.git/config'))", kHidden);
  expect_refused("wse.write_text('.git/config', 'changed')", kHidden);
  expect_refused("wse.run{text = '.include \".env\"'}", kHidden);
  EXPECT_EQ(test_support::read_text(".git/config"), "secret");
}

TEST_F(Files, HiddenOnesThatTheCommandLineNames) {
  test_support::write_text(".data/numbers.txt", "7");
  Options options = test_options();
  options.arguments = {{"file", ".data/numbers.txt"}, {"out", ".results"}};
  const Ran ran = run_with_wse(
      "wse.write_text(wse.argument('out') .. '/a.txt', wse.read_text(wse.argument('file')))",
      options);
  EXPECT_EQ(ran.result.message, "");
  EXPECT_EQ(test_support::read_text(".results/a.txt"), "7");
  const Ran deeper = run_with_wse(
      "wse.write_text(wse.argument('out') .. '/.b/a.txt', wse.argument('file'))", options);
  EXPECT_NE(deeper.result.message.find(kHidden), std::string::npos) << deeper.result.message;
}

TEST_F(Files, OnlyOutIsWritten) {
  test_support::write_text(top() / "data/x.txt", "old");
  Options options = test_options();
  options.arguments = {{"file", "../data/x.txt"}, {"folder", "../data"}, {"out", "../data/new"}};
  const std::string ask = "wse.arguments() ";
  for (const char* file : {"../data/x.txt", "../data/y.txt", "../data/x.txt/z"}) {
    const Ran ran =
        run_with_wse(ask + "wse.write_text('" + std::string(file) + "', 'changed')", options);
    EXPECT_NE(ran.result.message.find(kOnlyRead), std::string::npos) << ran.result.message;
  }
  EXPECT_EQ(test_support::read_text(top() / "data/x.txt"), "old");
  EXPECT_FALSE(fs::exists(top() / "data/y.txt"));
  const Ran ran = run_with_wse(ask +
                                   "print(wse.read_text('../data/x.txt'))\n"
                                   "wse.write_text('../data/new/z.txt', 'new')",
                               options);
  EXPECT_EQ(ran.printed, "old\n") << ran.result.message;
  EXPECT_EQ(test_support::read_text(top() / "data/new/z.txt"), "new");
}

TEST_F(Files, UnsafeReachesAll) {
  Options options = test_options();
  options.unsafe = true;
  const Ran ran =
      run_with_wse("wse.write_text('.hidden', 'x') wse.write_text('../y', 'y')", options);
  EXPECT_EQ(ran.result.message, "");
  EXPECT_EQ(test_support::read_text(".hidden"), "x");
}

TEST_F(Files, ModulesBesideTheScript) {
  test_support::write_text("parts/one.lua", "return {value = 1}");
  test_support::write_text("parts/two/init.lua", "return require 'parts.one'.value + 1");
  test_support::write_text("circle.lua", "return require 'circle'");
  test_support::write_text("wse/init.lua", "error('not the library')");
  const Ran ran =
      run_with_wse("print(require 'parts.two', require 'parts.one' == require 'parts.one')");
  EXPECT_EQ(ran.printed, "2\ttrue\n") << ran.result.message;
  expect_refused("require 'circle'", "the module requires itself");
}

}  // namespace
}  // namespace wse::script

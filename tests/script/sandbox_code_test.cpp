// Can a script write where code is taken from? By no name, through no link, whatever is granted.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/script/script_support.h"
#include "tests/support/files.h"

namespace wse::script {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCodeFolder =
    "its folder holds the code of the test, and a script writes nothing where code is taken from; "
    "write to another folder; --unsafe lifts this";
constexpr const char* kMayBeExecuted = "and a script writes no such file";

// The current folder of a script, with code/ in it, where code is taken from, and tool, which may
// be executed.
class Code : public testing::Test {
 protected:
  Code() : before_(fs::current_path()) {
    test_support::write_text(here() / "code/module.so", "old");
    test_support::write_text(here() / "tool", "old");
    fs::permissions(here() / "tool", fs::perms::owner_exec, fs::perm_options::add);
    fs::current_path(here());
    options_ = test_options();
    options_.path = "test.lua";
    options_.code_places = {{(here() / "code").string(), "the code of the test"}};
  }
  ~Code() override { fs::current_path(before_); }

  fs::path here() const { return scratch_.path() / "here"; }

  Ran run(const std::string& source) const {
    return run_text("local wse = require 'wse' " + source, options_);
  }
  // Every way in which a script writes a file.
  void expect_refused(const std::string& file, const std::string& why) const {
    const std::string name = "'" + file + "'";
    for (const std::string& source :
         {"wse.write_text(" + name + ", 'x')", "wse.write_csv(" + name + ", {{a = 1}})",
          "wse.write_json(" + name + ", {a = 1})",
          "wse.sweep{over = {P = {1}}, run = function() return {} end, csv = " + name + "}"}) {
      const Ran ran = run(source);
      EXPECT_EQ(ran.result.ending, Ending::BadInput) << source;
      EXPECT_NE(ran.result.message.find(why), std::string::npos) << source << ran.result.message;
    }
  }
  void expect_untouched() const {
    EXPECT_EQ(test_support::read_text(here() / "code/module.so"), "old");
    EXPECT_EQ(test_support::read_text(here() / "tool"), "old");
  }

  test_support::ScratchFolder scratch_;
  Options options_;

 private:
  fs::path before_;
};

TEST_F(Code, HasNoFileOfAScript) {
  expect_refused("code/module.so", kCodeFolder);
  expect_refused("code/new.so", kCodeFolder);
  expect_refused("deeper/../code/./module.so", kCodeFolder);
  expect_refused(here() / "code/module.so", kCodeFolder);
  expect_untouched();
  EXPECT_EQ(std::distance(fs::directory_iterator("code"), fs::directory_iterator()), 1);
}

TEST_F(Code, IsNotGrantedByTheCommandLine) {
  fs::create_directory_symlink(here() / "code", scratch_.path() / "linked");
  for (const char* const out : {"code", "../linked", "code/module.so", "../linked/module.so"}) {
    options_.arguments = {{"out", out}};
    const bool is_file = std::string_view(out).ends_with(".so");
    const std::string file = std::string(out) + (is_file ? "" : "/module.so");
    const Ran ran = run("wse.argument('out') wse.write_text('" + file + "', 'x')");
    EXPECT_NE(ran.result.message.find(kCodeFolder), std::string::npos) << ran.result.message;
  }
  expect_untouched();
}

TEST_F(Code, IsKnownByItselfWhateverItIsCalled) {
  fs::rename("code", "moved");
  fs::create_directory_symlink("moved", "code");
  expect_refused("moved/module.so", kCodeFolder);
  fs::remove("code");
  fs::rename("moved", "code");
  expect_untouched();
}

TEST_F(Code, CountsFromTheMomentInWhichItIsMade) {
  options_.code_places = {{(here() / "lib/wsevm").string(), "the code of the test"}};
  expect_refused("lib/wsevm/wsevm-jit.so", kCodeFolder);
  EXPECT_FALSE(fs::exists("lib/wsevm/wsevm-jit.so"));
}

TEST_F(Code, HasSubfoldersIfItIsWhole) {
  options_.code_places[0].whole = true;
  expect_refused("code/deeper/module.so", kCodeFolder);
  options_.code_places[0].whole = false;
  EXPECT_EQ(run("wse.write_text('code/deeper/rows.csv', 'x')").result.message, "");
}

TEST_F(Code, HasTheLibraryOfScripts) {
  const fs::path library = here() / "data/scripts/wse";
  fs::create_directories(library);
  fs::copy(WSE_SOURCE_DIR "/scripts/wse", library, fs::copy_options::recursive);
  options_.data_folder = (here() / "data").string();
  for (const char* const file : {"init.lua", "plot/init.lua", "new.lua"}) {
    const Ran ran = run("wse.write_text('data/scripts/wse/" + std::string(file) + "', 'x')");
    EXPECT_NE(ran.result.message.find("its folder holds the library of scripts"), std::string::npos)
        << ran.result.message;
  }
  EXPECT_EQ(run("wse.write_text('data/scripts/own.lua', 'x')").result.message, "");
}

TEST_F(Code, IsEveryFileWithAnXBit) {
  fs::create_hard_link("tool", "second");
  for (const char* const name : {"tool", "second"}) expect_refused(name, kMayBeExecuted);
  const Ran ran = run("wse.write_text('tool', 'x')");
  EXPECT_NE(ran.result.message.find("it may be executed (mode 7"), std::string::npos)
      << ran.result.message;
  for (const fs::perms bit : {fs::perms::group_exec, fs::perms::others_exec}) {
    fs::permissions("tool", fs::perms::owner_read | fs::perms::owner_write | bit);
    expect_refused("tool", kMayBeExecuted);
  }
  fs::create_symlink("tool", "link");
  EXPECT_NE(run("wse.write_text('link', 'x')").result.message.find("it is a symbolic link"),
            std::string::npos);
  expect_untouched();
}

TEST_F(Code, IsNotMadeByAScript) {
  EXPECT_EQ(run("wse.write_text('new', '#!/bin/sh')").result.message, "");
  EXPECT_EQ(fs::status("new").permissions() &
                (fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec),
            fs::perms::none);
}

TEST_F(Code, IsReadUnlessItIsSecret) {
  EXPECT_EQ(run("print(wse.read_text('code/module.so'))").printed, "old\n");
  options_.code_places[0].is_secret = true;
  options_.arguments = {{"file", "code/module.so"}};
  const Ran ran = run("print(wse.read_text(wse.argument('file')))");
  EXPECT_EQ(ran.printed, "");
  EXPECT_NE(ran.result.message.find("holds the code of the test, which no script reads"),
            std::string::npos)
      << ran.result.message;
}

TEST_F(Code, IsOpenToUnsafeScripts) {
  options_.unsafe = true;
  EXPECT_EQ(
      run("wse.write_text('code/module.so', 'new') wse.write_text('tool', 'new')").result.message,
      "");
  EXPECT_EQ(test_support::read_text("code/module.so"), "new");
}

}  // namespace
}  // namespace wse::script

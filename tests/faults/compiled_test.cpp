// Compiled code where it cannot be had: no module, folders for objects that are missing, open to
// others, closed, damaged or forged; and texts of it where they cannot be written. Native code that
// a script has made is never run.
#include <cstdlib>

#include "tests/faults/faults.h"

namespace wse::faults {
namespace {

constexpr const char* kLoop = R"(.grid 1, 1
.program loop
  .i32 sum
  task main:
    mov32 r1, 0
  again:
    add32 r1, r1, 1
    blt r1, 100, again
    mov32 sum, r1
.place loop at (0, 0)
)";

class Compiled : public Faults {
 protected:
  void SetUp() override {
    if (wsevm({"--version"}).output.contains("LLVM: none")) GTEST_SKIP() << "nothing is compiled";
    write("p.wsa", kLoop);
    fs::permissions(path("."), fs::perms::owner_all);
    fs::create_directory(path("objects"));
    fs::permissions(path("objects"), fs::perms::owner_all);
    fs::create_directory(path("code"));
    setenv("XDG_STATE_HOME", path("state").c_str(), 1);  // children have it too
  }
  void TearDown() override { unsetenv("XDG_STATE_HOME"); }
  Ending run(const std::string& engine, const ChildSetup& setup = {}) const {
    return wsevm({"run", "p.wsa", "--engine=" + engine, "--jit-threshold=0", "--stats",
                  "--jit-cache=objects"},
                 setup);
  }
  Ending run_for_texts(const ChildSetup& setup = {},
                       const std::string& option = "--dump-asm=code") const {
    return wsevm({"run", "p.wsa", "--engine=jit", "--jit-threshold=0", option}, setup);
  }
  // The name of the text of the first region; the folder is empty again.
  std::string first_text() const {
    EXPECT_EQ(run_for_texts().code, 0);
    std::string first;
    for (const auto& file : fs::directory_iterator(path("code"))) {
      const std::string name = file.path().filename().string();
      if (first.empty() || name < first) first = name;
      fs::remove(file.path());
    }
    EXPECT_TRUE(first.ends_with(".s")) << first;
    return first;
  }
  // What `--stats` says of the engine of a run that halts.
  std::string engine_line(const Ending& ending) const {
    EXPECT_EQ(ending.code, 0) << ending.errors;
    EXPECT_EQ(ending.errors, "");
    const std::size_t begin = ending.output.find("engine ");
    return begin == std::string::npos ? "" : ending.output.substr(begin);
  }
};

TEST_F(Compiled, WithoutItsModule) {
  setenv("WSEVM_JIT", "/nowhere/wsevm-jit.so", 1);  // children have it too
  const Ending ending = run("jit");
  const Ending careful = run("auto");
  unsetenv("WSEVM_JIT");
  EXPECT_EQ(ending.code, 2);
  expect_message(ending,
                 "cannot load the compiler of compiled code, /nowhere/wsevm-jit.so: there "
                 "is no such file; --engine=interp needs none");
  EXPECT_EQ(engine_line(careful), "");  // as the interpreter's
}

TEST_F(Compiled, AFolderForObjectsThatIsMissing) {
  fs::remove(path("objects"));
  const Ending ending = run("jit");
  EXPECT_EQ(ending.code, 2);
  expect_message(ending, "objects: it is no folder; make it first");
  EXPECT_EQ(run("auto").code, 2);
  EXPECT_EQ(run("interp").code, 0);  // keeps nothing
}

TEST_F(Compiled, AFolderForObjectsInWhichOthersWrite) {
  fs::permissions(path("objects"), fs::perms::others_write, fs::perm_options::add);
  const Ending ending = run("jit");
  EXPECT_EQ(ending.code, 2);
  expect_message(ending, "objects: others may write there; chmod go-w objects helps");
}

TEST_F(Compiled, AFolderForObjectsThatMustNotBeWritten) {
  fs::permissions(path("objects"), fs::perms::owner_read | fs::perms::owner_exec);
  for (int k = 0; k < 2; ++k) {
    EXPECT_TRUE(engine_line(run("jit", {.powerless = true})).contains(" 0 from the cache"));
    EXPECT_TRUE(fs::is_empty(path("objects")));
  }
}

TEST_F(Compiled, ObjectsThatAreDamaged) {
  const std::string first = engine_line(run("jit"));
  EXPECT_TRUE(engine_line(run("jit")).contains(" 0 regions compiled"));
  for (const auto& file : fs::directory_iterator(path("objects"))) {
    fs::resize_file(file.path(), fs::file_size(file.path()) - 1);
  }
  const std::string again = engine_line(run("jit"));
  EXPECT_TRUE(again.contains(" 0 from the cache"));
  EXPECT_EQ(again.substr(0, again.find(" in ")), first.substr(0, first.find(" in ")));
  EXPECT_TRUE(engine_line(run("jit")).contains(" 0 regions compiled"));
}

TEST_F(Compiled, ADiskThatFills) {
  const std::string line = engine_line(run("jit", {.disk_bytes = 2000}));
  EXPECT_TRUE(line.contains(" 0 from the cache"));
  EXPECT_TRUE(fs::is_empty(path("objects")));
}

// A script that knows the cache is kept from it; what one has written that did not is not run.
TEST_F(Compiled, ObjectsThatAScriptForges) {
  const std::string first = engine_line(run("jit"));
  std::string script = "local wse = require 'wse'\n";
  for (const auto& file : fs::directory_iterator(path("objects"))) {
    script += "wse.write_text('objects/" + file.path().filename().string() + "', 'wsevmobj')\n";
  }
  write("forge.lua", script);
  const Ending refused = wsevm({"run", "forge.lua", "--jit-cache=objects"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(refused.errors.contains("its folder holds objects of compiled code"))
      << refused.errors;
  EXPECT_TRUE(engine_line(run("jit")).contains(" 0 regions compiled"));
  EXPECT_EQ(wsevm({"run", "forge.lua"}).code, 0);
  const std::string again = engine_line(run("jit"));
  EXPECT_TRUE(again.contains(" 0 from the cache")) << again;
  EXPECT_EQ(again.substr(0, again.find(" in ")), first.substr(0, first.find(" in ")));
}

// The names under which an executable in build/ or bin/ would load code, tried by a script that it
// runs, and by one that another executable runs, which knows nothing of it.
TEST_F(Compiled, AModuleThatAScriptMakes) {
  const auto copy = [this](const std::string& folder) {
    fs::create_directory(path(folder));
    fs::copy_file(test_support::wsevm_words({})[0], path(folder) / "wsevm");
    return (path(folder) / "wsevm").string();
  };
  const auto said_by = [this](const std::string& wsevm, const std::string& file) {
    const std::string engine = file.ends_with(".wsa") ? "jit" : "interp";
    const Ending ending =
        test_support::Child({wsevm, "run", file, "--engine=" + engine}, {.folder = path(".")})
            .wait();
    return ending.output + ending.errors;
  };
  const std::string built = copy("build");
  const std::string installed = copy("bin");
  const auto attack = [this](const std::string& file) {
    write("attack.lua", "require 'wse'.write_text('" + file + "', 'x') print 'done'");
    return std::string("attack.lua");
  };
  constexpr const char* kRefused = "a script writes nothing where code is taken from";
  setenv("WSEVM_DATA", WSE_SOURCE_DIR, 1);
  for (const char* const file : {"build/wsevm-jit.so", "build/wsevm"}) {
    EXPECT_TRUE(said_by(built, attack(file)).contains(kRefused)) << file;
  }
  for (const char* const file : {"bin/wsevm-jit.so", "bin/wsevm", "lib/wsevm/wsevm-jit.so"}) {
    EXPECT_TRUE(said_by(installed, attack(file)).contains(kRefused)) << file;
  }
  EXPECT_TRUE(said_by(installed, attack("build/wsevm")).contains("it may be executed"));
  EXPECT_TRUE(said_by(built, attack("lib/wsevm/wsevm-jit.so")).contains(kRefused));
  EXPECT_EQ(said_by(installed, attack("build/wsevm-jit.so")), "done\n");
  write("lib/wsevm/wsevm-jit.so", "x");
  EXPECT_TRUE(said_by(built, "p.wsa").contains("build/wsevm-jit.so: it has no x bit"));
  EXPECT_TRUE(said_by(installed, "p.wsa").contains("lib/wsevm/wsevm-jit.so: it has no x bit"));
  unsetenv("WSEVM_DATA");
}

TEST_F(Compiled, TextsOntoInputs) {
  const std::string text = first_text();
  write("code/" + text, kLoop);
  const Ending ending =
      wsevm({"run", "p.wsa", "--engine=jit", "--jit-threshold=0", "--dump-asm=code"});
  EXPECT_EQ(ending.code, 0);  // it was no input
  EXPECT_NE(read("code/" + text), kLoop);
  fs::remove(path("code/" + text));
  write("code/" + text, ".include \"../p.wsa\"\n");
  write("all.wsa", ".include \"code/" + text + "\"\n");
  const Ending refused =
      wsevm({"run", "all.wsa", "--engine=jit", "--jit-threshold=0", "--dump-asm=code"});
  EXPECT_EQ(refused.code, 2);
  expect_message(refused, "cannot write 'code/" + text + "': this command reads it");
  EXPECT_EQ(read("code/" + text), ".include \"../p.wsa\"\n");
}

TEST_F(Compiled, TextsThroughLinks) {
  const std::string text = first_text();
  write("victim", "old");
  fs::create_symlink("../victim", path("code/" + text));
  const Ending ending = run_for_texts();
  EXPECT_EQ(ending.code, 2);
  expect_message(ending,
                 "cannot write 'code/" + text + "': it is no regular file; remove it first");
  EXPECT_EQ(read("victim"), "old");
  EXPECT_TRUE(fs::is_symlink(path("code/" + text)));
}

TEST_F(Compiled, TextsOnAFullDisk) {
  for (const std::string option : {"--dump-asm=code", "--dump-ir=code"}) {
    const Ending ending = run_for_texts({.disk_bytes = 100}, option);
    EXPECT_EQ(ending.code, 3);
    expect_message(ending, "cannot write 'code/");
    EXPECT_TRUE(fs::is_empty(path("code"))) << option;
  }
}

TEST_F(Compiled, TextsOfAScriptOnAFullDisk) {
  write("caught.lua",
        "local wse = require 'wse' print(pcall(wse.run, {file = 'p.wsa'}))\n"
        "pcall(wse.sweep, {over = {P = {1, 2}}, run = function() wse.run{file = 'p.wsa'} end})");
  write("sweep.lua",
        "local wse = require 'wse'\n"
        "wse.sweep{over = {P = {1, 2}}, run = function() wse.run{file = 'p.wsa'} return {} end}");
  for (const std::string script : {"caught.lua", "sweep.lua"}) {
    const Ending ending = wsevm(
        {"run", script, "--engine=jit", "--jit-threshold=0", "--threads=2", "--dump-asm=code"},
        {.disk_bytes = 400});  // errors too: on one core a note about threads comes first
    EXPECT_EQ(ending.code, 3) << script;
    EXPECT_TRUE(ending.errors.contains("cannot write 'code/")) << ending.errors;
    EXPECT_TRUE(fs::is_empty(path("code"))) << script;
  }
}

TEST_F(Compiled, TextsInAFolderThatMustNotBeWritten) {
  fs::permissions(path("code"), fs::perms::owner_read | fs::perms::owner_exec);
  const Ending ending = run_for_texts({.powerless = true});
  EXPECT_EQ(ending.code, 2);
  expect_message(ending, "--dump-asm: cannot write 'code/");
}

}  // namespace
}  // namespace wse::faults

// Compiled code where it cannot be had: no module, folders for objects that are missing, open to
// others, closed or damaged.
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
  }
  Ending run(const std::string& engine, const ChildSetup& setup = {}) const {
    return wsevm({"run", "p.wsa", "--engine=" + engine, "--jit-threshold=0", "--stats",
                  "--jit-cache=objects"},
                 setup);
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

}  // namespace
}  // namespace wse::faults

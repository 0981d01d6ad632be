// A host that gives fewer threads than a run asks for: the run takes what there is, says so, and
// ends as on one thread.
#include <fmt/format.h>

#include <cstdlib>

#include "tests/faults/faults.h"

namespace wse::faults {
namespace {

constexpr std::uint32_t kWanted = 4;

// Every PE of a column below PE (0, 0) gets a word from above; so that both transports have several
// strips there are 64 columns.
const std::string kColumns = R"(.grid 64, 32
.colour down
.program top
  task main:
    mov32 r1, 7
    mov32 fabout(down), r1
.program below
  .i32 y exported
  task main:
    mov32 r1, fabin(down)
    add32 r1, r1, x
    mov32 y, r1
.place top at (0..63, 0)
.place below at (0..63, 1..31)
.route down at (0..63, 0): ramp -> south
.route down at (0..63, 1..30): north -> south, ramp
.route down at (0..63, 31): north -> ramp
.expect y at (63, 31) == 70
)";

class Threads : public Faults {
 protected:
  // The leak checker of the sanitizers needs a thread of its own.
  void SetUp() override {
    write("columns.wsa", kColumns);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 0);
  }
  void TearDown() override { unsetenv("ASAN_OPTIONS"); }

  Ending run(const std::vector<std::string>& words, const ChildSetup& setup = {}) const {
    std::vector<std::string> all = {"run",
                                    "columns.wsa",
                                    "--expect",
                                    "--json",
                                    fmt::format("--threads={}", kWanted),
                                    "--oversubscribe"};
    all.insert(all.end(), words.begin(), words.end());
    return wsevm(all, setup);
  }
  static std::uint64_t threads_of(const Ending& ending) {
    return std::stoull("0" + record_number(ending.output, "threads"));
  }
  // `tasks`: threads that the process may have, its first one counted.
  void expect_fewer(const std::string& transport, std::uint64_t tasks) const {
    SCOPED_TRACE(fmt::format("{} tasks, {}", tasks, transport));
    const std::string way = "--transport=" + transport;
    const Ending whole = run({way});
    EXPECT_EQ(whole.code, 0) << whole.errors;
    EXPECT_EQ(whole.errors, "");
    EXPECT_EQ(threads_of(whole), kWanted);
    const Ending fewer = run({way}, {.tasks = tasks});
    EXPECT_EQ(fewer.code, 0) << fewer.signal << fewer.errors;
    EXPECT_EQ(record_number(fewer.output, "cycles"), record_number(whole.output, "cycles"));
    EXPECT_LT(threads_of(fewer), kWanted);
    expect_message(fewer, fmt::format("wsevm: note: {} of {} threads could start, because ",
                                      threads_of(fewer), kWanted));
  }
};

TEST_F(Threads, FewerThanWereAskedFor) {
  for (const char* const transport : {"stepper", "wafer"}) expect_fewer(transport, 3);
}

TEST_F(Threads, NoneThatCanStart) {
  for (const char* const transport : {"stepper", "wafer"}) expect_fewer(transport, 1);
}

// The compiler has no thread of its own then, and works all the same.
TEST_F(Threads, NoneForTheCompiler) {
  if (wsevm({"--version"}).output.contains("LLVM: none")) GTEST_SKIP() << "nothing is compiled";
  write("loop.wsa",
        ".grid 1, 1\n.program p\n  task main:\n    mov32 r1, 0\n  next:\n    add32 r1, r1, 1\n"
        "    blt r1, 1000, next\n.place p at (0, 0)\n");
  const Ending ending =
      wsevm({"run", "loop.wsa", "--engine=jit", "--jit-threshold=10", "--json"}, {.tasks = 1});
  EXPECT_EQ(ending.code, 0) << ending.signal << ending.errors;
  EXPECT_EQ(ending.errors, "");
  EXPECT_TRUE(ending.output.contains("\"regions\": ")) << ending.output;
  EXPECT_FALSE(ending.output.contains("\"regions\": 0,")) << ending.output;
}

}  // namespace
}  // namespace wse::faults

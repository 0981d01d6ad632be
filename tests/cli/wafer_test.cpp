// The full wafer, 755 x 994 PEs: wsevm loads, runs and reports it in bounded memory. Not timed.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/files.h"

namespace wse {
namespace {

constexpr std::uint64_t kPes = 755 * 994;

struct Ending {
  int code = -1;
  std::string output;  // stdout and stderr
  long peak_kilobytes = 0;
};

class Wafer : public ::testing::Test {
 protected:
  static constexpr long kFourGigabytes = 4L << 20;  // in kB

  // Runs the program, which begins after the .grid of the wafer, with an option.
  Ending run(const std::string& program, const std::string& option) {
    const std::filesystem::path file = folder_.path() / "wafer.wsa";
    const std::filesystem::path log = folder_.path() / "log";
    test_support::write_text(file, ".grid 755, 994\n" + program);
    const pid_t child = fork();
    if (child == 0) {
      const int out = open(log.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
      dup2(out, 1);
      dup2(out, 2);
      if (chdir(folder_.path().c_str()) == 0) {
        execl(WSE_BINARY_DIR "/wsevm", "wsevm", "run", "wafer.wsa", option.c_str(), nullptr);
      }
      _exit(99);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .output = test_support::read_text(log),
            .peak_kilobytes = usage.ru_maxrss};
  }
  void expect(const Ending& ending, int code, std::string_view output) const {
    EXPECT_EQ(ending.code, code);
    EXPECT_TRUE(ending.output.contains(output)) << ending.output.substr(0, 2000);
    EXPECT_LT(ending.peak_kilobytes, kFourGigabytes);
  }
  std::uintmax_t size_of(const std::string& name) const {
    return std::filesystem::file_size(folder_.path() / name);
  }

 private:
  test_support::ScratchFolder folder_;
};

TEST_F(Wafer, OneLineOnEveryPe) {
  const Ending ending =
      run(".program one\n  task main:\n    mov32 r1, x + y\n"
          ".place one at (0..754, 0..993)\n",
          "--stats");
  expect(ending, 0, "755 x 994 PEs, 750470 with a program");
  expect(ending, 0, "instructions  1500940");
}

TEST_F(Wafer, DataThatDifferFromPeToPe) {
  expect(run(".program data\n  .i32 v[100] = x * 1000 + i - y\n  .i32 w\n  task main:\n"
             "    mov32 r1, 0\n    add32 r1, r1, v\n    mov32 w, r1\n"
             ".place data at (0..754, 0..993)\n"
             ".expect w at (0..754, 0..993) == 100 * (x * 1000 - y) + 4950\n",
             "--expect"),
         0, "all expectations hold");
}

TEST_F(Wafer, AnArrayOfAllPes) {
  expect(run(".program data\n  .i16 v[4] exported = i\n  task main:\n    mov32 r1, 0\n"
             ".place data at (0..754, 0..993)\n",
             "--out=v=v.npy"),
         0, "halted");
  EXPECT_EQ(size_of("v.npy") % 64, 2 * 4 * kPes % 64);  // after a header of whole blocks
  EXPECT_GT(size_of("v.npy"), 2 * 4 * kPes);
}

TEST_F(Wafer, EveryPeWaits) {
  expect(run(".colour red\n.program waits\n  task main:\n    mov32 r1, fabin(red)\n"
             ".place waits at (0..754, 0..993)\n"
             ".route red at (0..754, 0..992): south -> ramp\n"
             ".route red at (0..754, 993): west -> ramp\n",
             "--stats"),
         1, "750470 of 750470 PEs with a program are not done");
}

}  // namespace
}  // namespace wse

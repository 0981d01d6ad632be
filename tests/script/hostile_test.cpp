// Do hostile scripts end soon, within their limits, and with one clear message? Each runs in a
// process of its own, so that a crash is the crash of one script, and one that hangs is ended.
// Each core by itself, a few in frames, a few mutants; with WSE_HOSTILE_ALL in the environment
// every core in every frame, and 1500 mutants.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "isa/support/open_file.h"
#include "tests/script/hostile_scripts.h"
#include "tests/script/script_support.h"
#include "tests/support/files.h"

namespace wse::script {
namespace {

bool takes_all() { return std::getenv("WSE_HOSTILE_ALL") != nullptr; }

// What the limits allow, five times over: hosts differ, and sanitizers take their time.
constexpr rlim_t kPatienceSeconds = 120;                        // of the processor
constexpr unsigned kMostSeconds = 500;                          // for a script that waits for ever
constexpr std::size_t kMaxMessageBytes = std::size_t{2} << 20;  // a script may raise a long one

Options hostile_options() {
  Options options = test_options();
  options.limits.memory_bytes = std::uint64_t{64} << 20;
  options.limits.instructions = 2'000'000;
  options.limits.patience = std::chrono::milliseconds(100);
  options.held_machine_bytes = std::uint64_t{512} << 20;
  return options;
}

// "ENDING message".
void say(int pipe, Ending ending, const std::string& message) {
  const std::string text = std::to_string(static_cast<int>(ending)) + " " + message;
  isa::write_all(pipe, std::as_bytes(std::span(text)));
}

[[noreturn]] void run_in_child(const std::string& script, int pipe) {
  const rlimit no_core{};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const rlimit patience{kPatienceSeconds, kPatienceSeconds};
  ::setrlimit(RLIMIT_CPU, &patience);
  ::alarm(kMostSeconds);
  Options options = hostile_options();
  options.give_up = [pipe](const std::string& message) {
    say(pipe, Ending::BadInput, message);
    ::_exit(0);
  };
  const Ran ran = run_text(script, options);
  say(pipe, ran.result.ending, ran.result.message);
  ::_exit(0);
}

struct Told {
  std::string text;
  int status = 0;
  bool in_time = false;
};

Told run_apart(const std::string& script) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    run_in_child(script, ends[1]);
  }
  ::close(ends[1]);
  Told told;
  char bytes[4096];
  for (ssize_t count = 1; count > 0;) {
    count = ::read(ends[0], bytes, sizeof bytes);
    told.text.append(bytes, static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
  ::close(ends[0]);
  ::waitpid(child, &told.status, 0);
  const int signal = WIFSIGNALED(told.status) ? WTERMSIG(told.status) : 0;
  told.in_time = signal != SIGXCPU && signal != SIGKILL && signal != SIGALRM;
  return told;
}

// One that is no longer hostile may end well.
void expect_clear_end(const std::string& script) {
  const Told told = run_apart(script);
  ASSERT_TRUE(told.in_time) << "it does not end:\n" << script;
  ASSERT_TRUE(WIFEXITED(told.status) && WEXITSTATUS(told.status) == 0)
      << "it crashes with status " << told.status << ":\n"
      << script;
  ASSERT_GE(told.text.size(), 2u) << script;
  const auto ending = static_cast<Ending>(told.text[0] - '0');
  const std::string message = told.text.substr(2);
  EXPECT_NE(ending, Ending::Interrupted) << script;
  EXPECT_EQ(message.empty(), ending == Ending::Fine) << message << "\n" << script;
  EXPECT_LE(message.size(), kMaxMessageBytes) << script;
  if (message.find("limit of 64 MiB is reached") != std::string::npos) {
    EXPECT_EQ(ending, Ending::Exhausted) << message << "\n" << script;
  }
}

class Hostile : public testing::Test {
 protected:
  Hostile() : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(scratch_.path());
  }
  ~Hostile() override { std::filesystem::current_path(before_); }

 private:
  test_support::ScratchFolder scratch_;
  std::filesystem::path before_;
};

TEST_F(Hostile, EachCoreEndsSoon) {
  for (const Core& core : hostile_cores()) {
    SCOPED_TRACE(core.name);
    expect_clear_end(in_frame(hostile_frames()[0], core));
  }
}

// A sample takes another core for each frame.
TEST_F(Hostile, CoresInFrames) {
  const auto frames = hostile_frames().subspan(1);
  const auto cores = hostile_cores();
  for (std::size_t f = 0; f < frames.size(); ++f) {
    for (std::size_t c = 0; c < cores.size(); ++c) {
      if (!takes_all() && c % cores.size() != (f * 31 + 17) % cores.size()) continue;
      SCOPED_TRACE(std::string(cores[c].name) + " in " + frames[f].name);
      expect_clear_end(in_frame(frames[f], cores[c]));
    }
  }
}

TEST_F(Hostile, Mutants) {
  std::mt19937 random(1);
  const auto frames = hostile_frames();
  const auto cores = hostile_cores();
  for (int k = 0; k < (takes_all() ? 1500 : 60); ++k) {
    const Frame& frame = frames[random() % (takes_all() ? frames.size() : 1)];
    expect_clear_end(mutated(in_frame(frame, cores[random() % cores.size()]), random));
  }
}

}  // namespace

}  // namespace wse::script

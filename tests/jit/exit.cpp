// exit COUNT: processes that end while a thread of theirs compiles, or loads the compiler, each a
// little later than the one before: every third with a machine that nobody frees, the others after
// theirs is gone. None may crash or hang.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "jit/engines.h"
#include "tests/jit/loop_program.h"

namespace {

using namespace wse;

constexpr unsigned kSecondsToHang = 60;
constexpr unsigned kStepMicroseconds = 400;
constexpr int kWays = 3;

constexpr const char* kLoop = R"(
.grid 1, 1
.program loop
  .i32 n
  .f32 v[64]
  .reg k
  task main:
    mov32 k, 0
  again:
    fadds v, v, 1.0
    add32 n, n, 3
    mul32 n, n, 5
    add32 k, k, 1
    blt   k, 20000, again
.place loop at (0, 0)
)";

// Ends the process: `turn` says how, and how long after the code was hot.
[[noreturn]] void end_soon(int turn) {
  ::alarm(kSecondsToHang);
  auto engine = jit::make_engine("auto", {.threshold = 100, .straight_threshold = 100});
  if (!engine) std::_Exit(2);
  auto machine = jit::make_machine(kLoop, engine->get());
  static_cast<void>(machine->run({}));
  ::usleep(kStepMicroseconds * static_cast<unsigned>(turn));
  if (turn % kWays == 0) {
    static_cast<void>(machine.release());
    static_cast<void>(engine->release());
  } else {
    machine.reset();
    engine->reset();
  }
  std::exit(0);
}

bool ends_well(int turn) {
  std::fflush(nullptr);
  const ::pid_t child = ::fork();
  if (child == 0) end_soon(turn);
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return false;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  fmt::print("process {}: status {}, signal {}\n", turn, WEXITSTATUS(status), WTERMSIG(status));
  return false;
}

}  // namespace

int main(int count, char** words) {
  const int turns = count == 2 ? std::atoi(words[1]) : 0;
  if (turns < 1) {
    fmt::print(stderr, "usage: exit COUNT\n");
    return 2;
  }
  int wrong = 0;
  for (int turn = 0; turn < turns; ++turn) wrong += ends_well(turn) ? 0 : 1;
  fmt::print("{} of {} processes ended badly\n", wrong, turns);
  return wrong == 0 ? 0 : 1;
}

// The message of a run that reached its limit of cycles: which tasks never ran, and why.
#include <gtest/gtest.h>

#include "tests/support/simulation.h"
#include "tests/unit/vm/both_transports.h"

namespace {

using namespace wse;

std::string message_of(const std::string& text, vm::Cycle limit = 100) {
  const test_support::Simulation s =
      test_support::simulate(text, {.profile = "wse2-before", .max_cycles = limit});
  EXPECT_EQ(s.record.status, vm::RunStatus::CycleLimit) << s.record.message;
  return s.record.message;
}

TEST(CycleLimit, NamesATaskThatALowerIdKeepsFromRunning) {
  EXPECT_EQ(message_of(R"(.grid 3, 2
.program p
  task main:
    activate finish
    activate again
  task again = 3:
    activate again
  task finish = 4:
    halt
.place p at (0..2, 0..1)
)"),
            R"(stopped at the limit of 100 cycles: 6 of 6 PEs with a program are not done
  PE(0..2, 0..1), 6 alike: PE(0, 0) (main) at test.wsa:7 is in task again; task again ran 7 times (activated at test.wsa:5, 7), task finish never ran (activated at test.wsa:4); task finish is ready, but task again goes first: its id is lower (3, not 4))");
}

TEST(CycleLimit, NamesATaskThatAHighPriorityKeepsFromRunning) {
  const std::string message = message_of(R"(.grid 1, 1
.program p
  task main:
    activate finish
    activate again
  task finish = 3:
    halt
  task again = 4 high:
    activate again
.place p at (0, 0)
)");
  EXPECT_NE(message.find("task finish is ready, but task again goes first: its priority is high"),
            std::string::npos)
      << message;
}

TEST(CycleLimit, NamesATaskThatIsBlocked) {
  const std::string message = message_of(R"(.grid 1, 1
.program p
  task main:
    block finish
    activate finish
    activate again
  task again:
    activate again
  task finish:
    halt
.place p at (0, 0)
)");
  EXPECT_NE(
      message.find("task finish is activated but blocked (`block` at test.wsa:4), and nothing "
                   "unblocks it: `unblock finish` would"),
      std::string::npos)
      << message;
}

TEST(CycleLimit, SaysOfPesThatAreDoneNothing) {
  EXPECT_EQ(message_of(R"(.grid 3, 1
.program busy
  task main:
  again:
    jmp again
.program idle
  task main:
.place busy at (1, 0)
.place idle at (0, 0)
)",
                       50),
            R"(stopped at the limit of 50 cycles: 1 of 2 PEs with a program are not done
  PE(1, 0) (main) at test.wsa:5 is in task main)");
}

TEST(CycleLimit, CountsAPassivePeInTheMiddleOfAnInstruction) {
  EXPECT_EQ(message_of(R"(.grid 1, 1
.program p
  .i32 pad[400]
  .passive
  task main:
    add32 pad[0:400], pad[0:400], 1
.place p at (0, 0)
)",
                       20),
            R"(stopped at the limit of 20 cycles: 1 of 1 PEs with a program are not done
  PE(0, 0) (main) at test.wsa:6 is in task main)");
}

TEST(CycleLimit, SaysTheSameOnBothTransports) {
  static_cast<void>(both_transports::expect_same_ends(R"(.grid 4, 3
.colour red
.program ring(tx: const = x == 0)
  .i32 v[40] = i
  .reg turns
  task main:
    activate step
  task step:
  .if tx
    mov32 fabout(red), v
  .else
    mov32 v, fabin(red)
  .end
    add32 turns, turns, 1
    activate step
    blt   turns, 6, more
    halt
  more:
  task rest:
    halt
.place ring at (0..3, 0..2)
.route red at (0, 0..2): ramp -> east
.route red at (1..2, 0..2): west -> east, ramp
.route red at (3, 0..2): west -> ramp
)",
                                                      "wse2"));
}

}  // namespace
